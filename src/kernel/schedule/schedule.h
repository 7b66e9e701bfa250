/* schedule.h: where and when the values of a body are computed. A Body says what; a Schedule is one
 * way to run it, made from the body and a few choices, and changes nothing in it. So a body has as
 * many schedules as it is written in ways: with elements kept or computed again, online, or only
 * what some roots need.
 *
 *     softmax(x), D known: kept          level    stage  used by   kept
 *       v1 = load x[i0 * D + i1]         element    0    0           yes
 *       v2 = acc 0                       row        1    yes
 *       v7 = sub v1 v2                   element    1    1
 *       v8 = exp v7                      element    1    1 2         yes
 *       v13 = div 1 (acc 1)              row        2    yes
 *       v14 = mul v8 v13                 element    2    2
 */
#ifndef FUSEC_SCHEDULE_H
#define FUSEC_SCHEDULE_H

#include "kernel/kernel.h"

typedef struct Place {
    int level;     /* 0 uniform, 1 row, 2 element */
    int stage;     /* first stage in whose loop (level 2) or before whose loop (level 1) it can be
                      computed: 1 + the last stage of the accumulators it needs */
    uint64_t used; /* 0: not needed. Level 2: bit set of the stages whose loop needs it */
    bool keep;     /* level 2, used in several stages, and worth keeping from one to the next */
} Place;

typedef struct StorePlace {
    int level; /* 1: once a row, 2: each element */
    int stage; /* whose loop stores it (level 2), or before whose loop (level 1) */
} StorePlace;

typedef struct Schedule {
    const Body *body;
    int lane; /* number of the lane axis; -1: none */
    bool lane_is_row;
    int stage_count;   /* >= 1; the last is the one that stores elements (it may have none) */
    Place *value;      /* by number */
    int *acc;          /* stage of each accumulator; -1: finished before stage 0 */
    StorePlace *store; /* by number */
} Schedule;

/* ---- stages.c: a whole body in stages ------------------------------------------------------- */

/* keep: values worth it are kept, not computed again. online: the maximum and the sum of
 * exponentials under it are one stage (see online.c). */
const Schedule *schedule_stages(const Body *b, bool keep, bool online, Arena *arena);
/* A pointwise body on a GPU, where a thread has packs of neighbours along any axis: what moves along
 * it is an element's, all else a pack's, which is at level 1. */
const Schedule *schedule_packs(const Body *b, int lane, Arena *arena);

/* ---- piece.c: part of a body, in pieces that are written where they are needed --------------- */

/* Values that are computed together, once for each element. */
typedef struct Piece {
    const int *roots;
    int count;
    const int *given; /* computed by other pieces: what they are made from is not needed */
    int given_count;
} Piece;

/* Only what the roots need is used, for elements along the lane axis; finished reductions are
 * given. */
const Schedule *schedule_piece(const Body *b, const Piece *piece, int lane, Arena *arena);

/* Nothing is placed yet. */
Schedule *schedule_new(const Body *b, Arena *arena);
bool schedule_is_online(const Schedule *s, int acc);  /* a sum in the stage of its maximum */
bool schedule_is_stepped(const Schedule *s, int acc); /* a maximum that such a sum moves with */
bool schedule_has_scan(const Schedule *s);
bool schedule_stores(const Schedule *s, int store, int stage); /* elements, in that stage's loop */
bool schedule_has_work(const Schedule *s, int stage);          /* is there such a loop? */

/* ---- print.c: --emit=kernel --------------------------------------------------------- */

/* With the schedules that are emitted, one a body; NULL: it is written in pieces. Where k calls the
 * function of `first`, which is not k, what it gives to that. */
void kernel_print(const Kernel *k, const Kernel *first, const Schedule *const *schedules,
                  Text *out);

#endif
