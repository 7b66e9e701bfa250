/* time.c: the expected time of a contraction on tensor cores with a tile, and which operands are
 * copied element by element.
 * In: a body, one of its tiles. Out: seconds, by the estimates that tiles are chosen by. */
#include "kernel/tile/tile_private.h"

/* A plain operand whose rows do not start at multiples of 16 bytes. */
static bool is_misaligned(const Body *b, int value, OperandLayout layout, Dtype type) {
    const Value *v = &b->values.at[value];
    return layout == OPERAND_COMPUTED && v->kind == V_LOAD && v->type == type && !v->guard;
}

int tile_copies_elements(const Kernel *k, int body, const Machine *machine) {
    const Body *b = &k->bodies.at[body];
    if (!machine_has_mma(machine) || k->family != F_DOT) return 0;
    const DotForm f = dot_form(k, b, machine);
    if (f.multiply == MULTIPLY_FMA) return 0;
    int count = is_misaligned(b, b->accs.at[0].value, f.left, f.product->type);
    for (int i = 0; i < f.count; i++)
        count += is_misaligned(b, b->accs.at[i].index, f.right[i], f.product->type);
    return count;
}

/* Elements of a misaligned operand that are copied at a time: across k one. Pieces of 8 bytes, by
 * cp.async, take as long as if they were of 8. */
static int piece_of(const Body *b, int value, int own, Dtype type) {
    enum { ASYNC_BYTES = 8, ASYNC = 8 };
    const Value *v = &b->values.at[value];
    Dims *d = b->indices->dims;
    int elements = ASYNC_BYTES / (int)dtype_size(type);
    Dim step = 0;
    if (operand_is_across(b, value, own) || index_along(b, v->ix, own, &step) != 1) return 1;
    if (dim_divides(d, dim_const(d, elements), step)) return ASYNC;
    while (elements > 1 && !dim_divides(d, dim_const(d, elements), step)) elements /= 2;
    return elements;
}

double tile_copied_rows(const Body *b, const DotForm *f, const Tile *t) {
    const Accumulator *accs = b->accs.at;
    const Dtype type = f->product->type;
    double rows = 0;
    for (int i = -1; i < f->count; i++) {
        const int value = i < 0 ? accs[0].value : accs[i].index, own = i < 0 ? DOT_M : DOT_N;
        if (!is_misaligned(b, value, i < 0 ? f->left : f->right[i], type)) continue;
        rows += (double)(i < 0 ? t->m : t->n) / piece_of(b, value, own, type);
    }
    return rows;
}

double tile_seconds(const Kernel *k, int body, const Machine *gpu, const Tile *t, Arena *arena) {
    const bool by_wgmma = t->kind == TILE_WGMMA || t->kind == TILE_WGMMA_ROWS;
    if (!by_wgmma && t->kind != TILE_MMA && t->kind != TILE_MMA_ROWS) return 0;
    return candidate_cost(k, body, gpu, t, arena) / (1e6 * gpu->clock);
}
