/* attention_pieces.c: the pieces of text that the two forms of an attention share. In: values
 * of the body between which it is cut. Out: statements and expressions. */
#include "emit/cuda/attention.h"

#include <string.h>

static int result_of(const Writer *w, int acc) { return w->b->accs.at[acc].result; }

/* Starts a piece: lines go to `text`, all names are forgotten. */
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
    return (AttentionPiece){text_get(&text), x};
}

AttentionPiece attention_value(CudaWriter *c, int value) { return piece(c, value, NULL, NULL, 0); }

AttentionPiece attention_score(CudaWriter *c, const AttentionValues *p, int x, const char *score) {
    return piece(c, x, (int[]){result_of(&c->w, p->scores)}, &score, 1);
}

AttentionPiece attention_shift(CudaWriter *c, const AttentionValues *p) {
    return piece(c, p->shift, (int[]){result_of(&c->w, p->max)}, (const char *[]){"largest"}, 1);
}

AttentionPiece attention_finite_shift(CudaWriter *c, const AttentionValues *p) {
    int above = c->w.b->values.at[p->shift].src[2]; /* of where(max == -Inf, 0, above) */
    return piece(c, above, (int[]){result_of(&c->w, p->max)}, (const char *[]){"largest"}, 1);
}

AttentionPiece attention_exponent(CudaWriter *c, const AttentionValues *p) {
    return piece(c, c->w.b->values.at[p->e].src[0], (int[]){p->x, p->shift},
                 (const char *[]){"x", "shift"}, 2);
}

AttentionPiece attention_weight(CudaWriter *c, const AttentionValues *p, Dtype stored) {
    return piece(c, value_unrounded(c->w.b, p->weights, stored), (int[]){p->e},
                 (const char *[]){"e"}, 1);
}

void attention_names(CudaWriter *c, const AttentionValues *p, const char *out) {
    Writer *w = &c->w;
    w->name[result_of(w, p->max)] = "max_of_row";
    if (p->sum >= 0) w->name[result_of(w, p->sum)] = "sum_of_row";
    w->name[result_of(w, p->out)] = out;
}

const char *attention_stores(CudaWriter *c, const AttentionValues *p, int level, const char *out) {
    Writer *w = &c->w;
    const Body *b = w->b;
    int *roots = arena_array(w->arena, int, b->stores.count + 1), count = 0;
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == (level == 1)) roots[count++] = b->stores.at[i].value;
    Text text;
    start(c, (Piece){roots, count, NULL, 0}, &text);
    attention_names(c, p, out);
    for (int i = 0; i < count; i++) declare_value(w, roots[i]);
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == (level == 1)) cuda_store_element(c, &b->stores.at[i]);
    return text_get(&text);
}

const char *attention_row_values(CudaWriter *c, const char *rows, const char *elements,
                                 const char *sum, const char *max, int threads) {
    const char *mentions = arena_printf(c->w.arena, "%s%s", rows, elements);
    Text text = text_new(c->w.arena);
    if (text_mentions(mentions, "sum_of_row"))
        text_printf(&text, "const float sum_of_row = warp_reduce<Sum, %d>(%s);\n", threads, sum);
    if (text_mentions(mentions, "max_of_row"))
        text_printf(&text, "const float max_of_row = %s;\n", max);
    return text_get(&text);
}
