/* attention_pieces.c: the pieces of text that both forms of an attention share.
 * In: the values that separate the pieces. Out: statements and expressions. */
#include "emit/cuda/attention.h"

#include <string.h>

static int result_of(const Writer *w, int acc) { return w->b->accs.at[acc].result; }

/* Starts a piece: output goes to `text`, all names are forgotten. */
static void start(CudaWriter *c, Piece piece, Text *text) {
    Writer *w = &c->w;
    *text = text_new(w->arena);
    w->out = text;
    writer_piece(w, piece, w->b->lane);
}

static AttentionPiece piece(CudaWriter *c, int value, const int *given, const char *const *names,
                            int count) {
    Text text;
    start(c, (Piece){&value, 1, given, count}, &text);
    for (int i = 0; i < count; i++) c->w.name[given[i]] = names[i];
    declare_value(&c->w, value);
    const char *x = value_text(&c->w, value);
    return (AttentionPiece){text_get(&text), x, axes_taken(&c->w)};
}

AttentionPiece attention_value(CudaWriter *c, int value) { return piece(c, value, NULL, NULL, 0); }

AttentionPiece attention_score(CudaWriter *c, const AttentionValues *p, int x, const char *score,
                               int scaled) {
    return piece(c, x, (int[]){result_of(&c->w, p->scores), scaled}, (const char *[]){score, score},
                 scaled ? 2 : 1);
}

AttentionPiece attention_shift(CudaWriter *c, const AttentionValues *p) {
    return piece(c, p->shift, (int[]){result_of(&c->w, p->max)}, (const char *[]){"largest"}, 1);
}

AttentionPiece attention_finite_shift(CudaWriter *c, const AttentionValues *p) {
    int above = c->w.b->values.at[p->shift].src[2]; /* of where(max == -Inf, 0, above) */
    return piece(c, above, (int[]){result_of(&c->w, p->max)}, (const char *[]){"largest"}, 1);
}

AttentionPiece attention_exponent(CudaWriter *c, const AttentionValues *p, double scale) {
    const Value *difference = &c->w.b->values.at[c->w.b->values.at[p->e].src[0]];
    const Value *product = &c->w.b->values.at[difference->src[0]];
    const Value *log2e = &c->w.b->values.at[product->src[product->src[0] == p->x]];
    const char *scaled = "x";
    if (scale != 1)
        scaled = arena_printf(c->w.arena, "x * %s",
                              float_text(c->w.arena, scale * const_float(log2e), true));
    return piece(c, c->w.b->values.at[p->e].src[0],
                 (int[]){scale != 1 ? difference->src[0] : p->x, p->shift},
                 (const char *[]){scaled, "shift"}, 2);
}

/* ---- scores that are multiplied by a number ------------------------------------------------- */

static bool reads(const Body *b, int value, int what) {
    const Value *v = &b->values.at[value];
    for (int i = 0; i < value_sources(v); i++)
        if (v->src[i] == what || reads(b, v->src[i], what)) return true;
    return false;
}

/* Does x differ from the value only by masks, whose conditions do not read the scores? */
static bool is_but_masked(const Body *b, int x, int value, int scores) {
    const int side = value_mask_side(b, x);
    if (x == value || !side) return x == value;
    return !reads(b, b->values.at[x].src[0], scores) &&
           is_but_masked(b, b->values.at[x].src[side], value, scores);
}

/* Positive, so that the largest score stays the largest, and far from overflow and underflow. */
static bool is_scale(const Value *v) {
    return v->kind == V_CONST && v->type == T_F32 && const_float(v) > 0x1p-30 &&
           const_float(v) < 0x1p30;
}

/* Folding the factor of the score into log2(e) saves an instruction for each score. */
double attention_scale(const CudaWriter *c, const AttentionValues *p, int *scaled) {
    const Body *b = c->w.b;
    const Value *v = &b->values.at[p->unmasked];
    const int scores = b->accs.at[p->scores].result;
    const Value *difference = &b->values.at[b->values.at[p->e].src[0]];
    const Value *product = &b->values.at[difference->src[0]];
    *scaled = 0;
    if (v->kind != V_OP || v->op != OP_MUL || product->kind != V_OP || product->op != OP_MUL)
        return 1;
    const Value *factor = &b->values.at[v->src[v->src[0] == scores]];
    const Value *log2e = &b->values.at[product->src[product->src[0] == p->x]];
    if ((v->src[0] != scores && v->src[1] != scores) || !is_scale(factor)) return 1;
    if (log2e->kind != V_CONST || !is_but_masked(b, p->x, p->unmasked, scores)) return 1;
    *scaled = p->unmasked;
    return const_float(factor);
}

AttentionPiece attention_weight(CudaWriter *c, const AttentionValues *p, Dtype stored) {
    return piece(c, value_unrounded(c->w.b, p->weights, stored), (int[]){p->e},
                 (const char *[]){"e"}, 1);
}

static bool reads_result(const Writer *w, int acc) {
    return acc >= 0 && w->s->value[result_of(w, acc)].used;
}

AttentionStores attention_names(CudaWriter *c, const AttentionValues *p, const char *out) {
    Writer *w = &c->w;
    w->name[result_of(w, p->max)] = "max_of_row";
    if (p->sum >= 0) w->name[result_of(w, p->sum)] = "sum_of_row";
    w->name[result_of(w, p->out)] = out;
    return (AttentionStores){.reads_max = reads_result(w, p->max),
                             .reads_sum = reads_result(w, p->sum)};
}

AttentionStores attention_stores(CudaWriter *c, const AttentionValues *p, int level,
                                 const char *out) {
    Writer *w = &c->w;
    const Body *b = w->b;
    int *roots = arena_array(w->arena, int, b->stores.count + 1), count = 0;
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == (level == 1)) roots[count++] = b->stores.at[i].value;
    Text text;
    start(c, (Piece){roots, count, NULL, 0}, &text);
    AttentionStores made = attention_names(c, p, out);
    for (int i = 0; i < count; i++) declare_value(w, roots[i]);
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == (level == 1)) cuda_store_element(c, &b->stores.at[i]);
    made.text = text_get(&text);
    return made;
}

const char *attention_row_values(CudaWriter *c, const AttentionStores *rows,
                                 const AttentionStores *elements, const char *sum, const char *max,
                                 int threads) {
    Text text = text_new(c->w.arena);
    if (rows->reads_sum || elements->reads_sum)
        text_printf(&text, "const float sum_of_row = warp_reduce<Sum, %d>(%s);\n", threads, sum);
    if (rows->reads_max || elements->reads_max)
        text_printf(&text, "const float max_of_row = %s;\n", max);
    return text_get(&text);
}
