/* piece.c: bodies that are written in pieces, such as a contraction's: operands where they are
 * read, and the rest where results are stored. Each piece takes only what it needs. In: a Body,
 * values. Out: a Schedule. */
#include "kernel/schedule/schedule.h"

static void need(const Body *b, int value, void *context) {
    Place *p = &((Schedule *)context)->value[value];
    if (p->used) return;
    *p = (Place){.level = 2, .used = 1};
    each_source(b, value, need, context);
}

const Schedule *schedule_piece(const Body *b, const int *roots, int count, int lane, Arena *arena) {
    Schedule *s = schedule_new(b, arena);
    s->lane = lane;
    s->lane_is_row = false;
    for (int i = 0; i < count; i++) need(b, roots[i], s);
    return s;
}
