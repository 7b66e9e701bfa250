/* piece.c: bodies that are emitted in pieces, such as a contraction's: operands where they are
 * read, and the rest where results are stored. A piece computes only what its roots need.
 * In: a Body, values. Out: a Schedule. */
#include "kernel/schedule/schedule.h"

typedef struct Need {
    Schedule *s;
    const Piece *piece;
} Need;

static bool is_given(const Piece *p, int value) {
    for (int i = 0; i < p->given_count; i++)
        if (p->given[i] == value) return true;
    return false;
}

static void need(const Body *b, int value, void *context) {
    const Need *n = context;
    Place *p = &n->s->value[value];
    if (p->used || is_given(n->piece, value)) return;
    *p = (Place){.level = 2, .used = 1};
    each_source(b, value, need, context);
}

const Schedule *schedule_piece(const Body *b, const Piece *piece, int lane, Arena *arena) {
    Schedule *s = schedule_new(b, arena);
    Need n = {s, piece};
    s->lane = lane;
    s->lane_is_row = false;
    for (int i = 0; i < piece->count; i++) need(b, piece->roots[i], &n);
    return s;
}

const Schedule *piece_along(const Piece *piece, int lane, Arena *arena) {
    Schedule *s = arena_new_of(arena, Schedule);
    *s = *piece->schedule;
    s->lane = lane;
    return s;
}

const Piece *schedule_find(const BodySchedule *s, PieceRole role, int operand) {
    for (int i = 0; i < s->pieces.count; i++) {
        const Piece *p = &s->pieces.at[i];
        if (p->role == role && p->operand == operand) return p;
    }
    BUG("schedule: no piece of role %d for v%d", (int)role, operand);
}
