/* schedules.c: the schedule that a tile asks for, before anything is emitted. In: a body of a
 * Kernel, its Tile. Out: a Schedule of all of it in stages, where it is written so. */
#include "kernel/tile/tile.h"

/* Contractions and attentions are written in pieces, but for the rows of a contraction's
 * results. */
static bool has_stages(const Kernel *k, const Body *b) {
    return k->family == F_POINTWISE || k->family == F_ROW ||
           (k->family == F_DOT && body_has_rows(b));
}

/* What is not kept is passed over once less where a maximum and its sum run together. */
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
