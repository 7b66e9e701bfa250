/* schedules.c: the schedule that follows from a tile, before emission.
 * In: a body of a Kernel, its Tile. Out: a Schedule of the whole body in stages, or none if it is
 * emitted in pieces. */
#include "kernel/tile/tile.h"

/* Contractions and attentions are emitted in pieces, except for reductions of a contraction's
 * rows. */
static bool has_stages(const Kernel *k, const Body *b) {
    return k->family == F_POINTWISE || k->family == F_ROW ||
           (k->family == F_DOT && body_has_rows(b));
}

/* If values are not kept, an online softmax saves one pass. */
static const Schedule *schedule_of(const Kernel *k, const Body *b, const Tile *t, Arena *arena) {
    const bool keep = t->keep != KEEP_NOTHING;
    if (t->kind == TILE_POINTWISE) return schedule_packs(b, b->lane, arena);
    if (t->kind == TILE_TRANSPOSE) return schedule_packs(b, transpose_form(k, b).lane, arena);
    return has_stages(k, b) ? schedule_stages(b, keep, !keep && body_has_online(b), arena) : NULL;
}

const Schedule *const *const *schedules_make(const Kernel *const *kernels, const Tile *const *tiles,
                                             int count, Arena *arena) {
    const Schedule *const **all = arena_array(arena, const Schedule *const *, count + 1);
    for (int i = 0; i < count; i++) {
        const Kernel *k = kernels[i];
        const Schedule **of = arena_array(arena, const Schedule *, k->bodies.count + 1);
        for (int body = 0; body < k->bodies.count; body++)
            of[body] = schedule_of(k, &k->bodies.at[body], &tiles[i][body], arena);
        all[i] = of;
    }
    return all;
}
