/* time.c: the expected time of a contraction on tensor cores with a tile.
 * In: a body, one of its tiles. Out: seconds, by the estimates that tiles are chosen by, and of
 * operands that are copied element by element, which no choice depends on. */
#include "kernel/tile/tile_private.h"

enum {
    LANES = 32,
    ELEMENT_OPS = 3 /* instructions that copy an element: load, move into place, store */
};

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

/* Clocks to issue the instructions of such copies, in all waves. */
static double copy_clocks(const Kernel *k, const Body *b, const Machine *gpu, const Tile *t) {
    const DotForm f = dot_form(k, b, gpu);
    const Dims *d = b->indices->dims;
    double rows = is_misaligned(b, b->accs.at[0].value, f.left, f.product->type) ? t->m : 0;
    for (int i = 0; i < f.count; i++)
        rows += is_misaligned(b, b->accs.at[i].index, f.right[i], f.product->type) ? t->n : 0;
    const double steps = cost_tiles(d, b->indices->extent[DOT_K], t->k);
    return tile_waves(b, gpu, t) * steps * rows * t->k * ELEMENT_OPS / (gpu->issue * LANES);
}

double tile_seconds(const Kernel *k, int body, const Machine *gpu, const Tile *t, Arena *arena) {
    const bool by_wgmma = t->kind == TILE_WGMMA || t->kind == TILE_WGMMA_ROWS;
    if (!by_wgmma && t->kind != TILE_MMA && t->kind != TILE_MMA_ROWS) return 0;
    double clocks = candidate_cost(k, body, gpu, t, arena);
    if (clocks > 0 && !by_wgmma) clocks += copy_clocks(k, &k->bodies.at[body], gpu, t);
    return clocks / (1e6 * gpu->clock);
}
