/* pack.c: text that computes each element of a pack: operands and epilogues of contractions and
 * attentions.
 * In: roots of a body. Out: statements over VEC elements. */
#include "emit/cuda/cuda.h"

/* Is the axis known to end between two packs? */
static bool is_in_packs(const CudaWriter *c, int axis) {
    const Indices *x = c->w.b->indices;
    return dim_divides(x->dims, dim_const(x->dims, c->vector), x->extent[axis]);
}

const Piece *cuda_choose_pack(CudaWriter *c, PieceRole role, int operand, int lane, int most,
                              Alignments *alignments) {
    const bool stores = role == PIECE_RESULTS;
    c->lane = c->w.axis_name[lane];
    c->wide = true;
    const Piece *piece = writer_piece(&c->w, role, operand, lane);
    c->vector = tile_piece_vector(c->w.k, c->w.s, most, stores);
    if (c->tests_wide && stores && !is_in_packs(c, lane)) c->vector = 1;
    cuda_add_alignments(c, stores, alignments);
    return piece;
}

void cuda_begin_elements(CudaWriter *c, Text *elements) {
    c->outside = writer_open_block(&c->w);
    c->before = text_new(c->w.arena);
    c->packs.count = 0;
    c->after = text_new(c->w.arena);
    c->w.axis_name[c->w.s->lane] = arena_printf(c->w.arena, "(%s + l)", c->lane);
    c->w.out = elements;
    c->w.indent = 1;
}

const char *cuda_end_elements(CudaWriter *c, const Text *elements) {
    writer_close_block(&c->w, c->outside);
    c->w.axis_name[c->w.s->lane] = c->lane;
    c->w.indent = 0;
    Text all = text_new(c->w.arena);
    text_str(&all, text_get(&c->before));
    if (elements->size)
        text_printf(&all, "#pragma unroll\nfor (int l = 0; l < VEC; l++) {\n%s}\n",
                    text_get(elements));
    text_str(&all, text_get(&c->after));
    return text_get(&all);
}

CudaPart cuda_part(CudaWriter *c, int value, Dtype type) {
    enum { LEAST = 4, MOST = 8, GUARDED = 16, WIDE = 4 }; /* bytes of copies; of what is rounded */
    const Value *v = &c->w.b->values.at[value];
    const size_t bytes = dtype_size(type) * (size_t)c->vector;
    if (v->kind != V_LOAD || v->type != type || c->vector == 1) return (CudaPart){0};
    if (dtype_size(type) >= WIDE || bytes < LEAST || bytes > (v->guard ? GUARDED : MOST) ||
        !cuda_is_packed(c, v))
        return (CudaPart){0};
    return (CudaPart){address_text(&c->w, v->attr, v->ix), cuda_pack_condition(c, value)};
}

const char *cuda_operand_pack(CudaWriter *c, int value, Dtype type) {
    Text elements = text_new(c->w.arena);
    cuda_begin_elements(c, &elements);
    const char *element = cuda_copied(c, value, type);
    if (!element) {
        declare_value(&c->w, value);
        element = cuda_stored(c, type, value_text(&c->w, value));
    }
    write_line(&c->w, "elements.at[part + l] = %s;", element);
    return cuda_end_elements(c, &elements);
}
