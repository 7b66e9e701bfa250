/* attention_pieces.c: the pieces of text that both forms of an attention share.
 * In: the values that separate the pieces. Out: statements and expressions. */
#include "emit/cuda/attention.h"

static int result_of(const Writer *w, int acc) { return w->b->accs.at[acc].result; }

/* Starts a piece: output goes to `text`, all names are forgotten. */
static const Piece *start(CudaWriter *c, PieceRole role, int operand, Text *text) {
    Writer *w = &c->w;
    *text = text_new(w->arena);
    w->out = text;
    return writer_piece(w, role, operand, w->b->lane);
}

static AttentionPiece finished(CudaWriter *c, const Piece *p, Text *text) {
    declare_value(&c->w, p->roots[0]);
    const char *x = value_text(&c->w, p->roots[0]);
    return (AttentionPiece){text_get(text), x, axes_taken(&c->w)};
}

/* With names for what is given. */
static AttentionPiece piece(CudaWriter *c, PieceRole role, int operand, const char *const *names) {
    Text text;
    const Piece *p = start(c, role, operand, &text);
    for (int i = 0; i < p->given_count; i++) c->w.name[p->given[i]] = names[i];
    return finished(c, p, &text);
}

AttentionPiece attention_score(CudaWriter *c, PieceRole role, const char *score,
                               const AttentionPair *pairs, int pair_count) {
    Text text;
    const Piece *p = start(c, role, 0, &text);
    for (int i = 0; i < p->given_count; i++) c->w.name[p->given[i]] = score;
    for (int i = 0; i < pair_count; i++)
        c->w.name[pairs[i].value] =
            cuda_loaded(c, c->w.b->values.at[pairs[i].value].type, pairs[i].element);
    return finished(c, p, &text);
}

AttentionPiece attention_shift(CudaWriter *c) {
    return piece(c, PIECE_SHIFT, 0, (const char *[]){"largest"});
}

double attention_masked_below(const CudaWriter *c) {
    const Body *b = c->w.b;
    const Value *is_masked = &b->values.at[b->values.at[b->attention.shift].src[0]];
    return const_float(&b->values.at[is_masked->src[1]]);
}

AttentionPiece attention_exponent(CudaWriter *c, double scale) {
    const Body *b = c->w.b;
    const AttentionValues *p = &b->attention;
    const Value *difference = &b->values.at[b->values.at[p->e].src[0]];
    const Value *product = &b->values.at[difference->src[0]];
    const Value *log2e = &b->values.at[product->src[product->src[0] == p->x]];
    const char *x = "one_score";
    if (scale != 1)
        x = arena_printf(c->w.arena, "one_score * %s",
                         float_text(c->w.arena, scale * const_float(log2e), true));
    return piece(c, PIECE_EXPONENTS, 0, (const char *[]){x, "shift"});
}

AttentionPiece attention_weight(CudaWriter *c) {
    return piece(c, PIECE_WEIGHTS, 0, (const char *[]){"one_weight"});
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

AttentionStores attention_stores(CudaWriter *c, const AttentionValues *p, PieceRole role,
                                 const char *out) {
    Writer *w = &c->w;
    const Body *b = w->b;
    const bool rows = role == PIECE_ROWS;
    Text text;
    start(c, role, 0, &text);
    AttentionStores made = attention_names(c, p, out);
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == rows) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == rows) cuda_store_element(&c->w, i);
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

/* ---- tiles of keys -------------------------------------------------------------------------- */

const char *attention_tile_at(const CudaWriter *c, const char *keys, uint64_t reads) {
    const struct {
        const char *last, *start, *tile, *each, *size;
        int axis;
        uint64_t reads_last, reads_start;
    } sides[] = {{"m_last", "m_start", "m_tile", "tile_m", "tile_m", ATTENTION_QUERY, READS_M_LAST,
                  READS_M_START},
                 {"n_last", "n_start", "n_tile", "tile_n", keys, ATTENTION_KEY, READS_N_LAST,
                  READS_N_START}};
    Text out = text_new(c->w.arena);
    for (int i = 0; i < 2; i++) {
        const char *start = sides[i].start;
        if (reads & (sides[i].reads_last | sides[i].reads_start))
            text_printf(&out, "const %s %s = %srenewed(%s) * %s;\n", c->index, start, c->to_index,
                        sides[i].tile, sides[i].each);
        if (!(reads & sides[i].reads_last)) continue;
        const Indices *x = c->w.b->indices;
        const Dim n = x->extent[sides[i].axis], last = dim_sub(x->dims, n, dim_const(x->dims, 1));
        text_printf(&out, "const %s %s = %s + %s < %s ? %s + %s - 1 : %s;\n", c->index,
                    sides[i].last, start, sides[i].size, cuda_dim(c, n), start, sides[i].size,
                    size_text(&c->w, last));
    }
    return text_get(&out);
}

void attention_next_tile(const CudaWriter *c, const MaskText *masked, bool by_lanes, Fills *fills) {
    Text out = text_new(c->w.arena);
    const bool runs = masked->text && masked->reads & READS_N_LAST;
    const Fill made[] = {{"unmasked", masked->text ? "" : "1"},
                         {"to_end", masked->text && !runs ? "1" : ""},
                         {"runs", runs ? "1" : ""},
                         {"by_steps", runs && !by_lanes ? "1" : ""},
                         {"by_lanes", runs && by_lanes ? "1" : ""}};
    FILLS_ADD(c->w.arena, fills, made);
    template_fill("cuda/attention_next.cu", fills->at, fills->count, &out);
    vec_push(c->w.arena, fills, ((Fill){"NEXT_TILE", text_get(&out)}));
}
