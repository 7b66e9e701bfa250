/* schedule.h: where and when the values of a body are computed. A Body says what is computed; a
 * Schedule is one way to compute it, and does not change the body. A body may have several
 * schedules: with elements kept or recomputed, online, or only for the needs of some roots.
 *
 *     softmax(x), D known: kept          level    stage  used by   kept
 *       v1 = load x[i0 * D + i1]         element    0    0           yes
 *       v2 = acc 0                       row        1    yes
 *       v7 = sub v1 v2                   element    1    1
 *       v8 = exp v7                      element    1    1 2         yes
 *       v13 = div 1 (acc 1)              row        2    yes
 *       v14 = mul v8 v13                 element    2    2
 * */
#ifndef FUSEC_SCHEDULE_H
#define FUSEC_SCHEDULE_H

#include "kernel/kernel.h"

typedef struct Place {
    int level; /* 0 uniform, 1 row, 2 element */
    /* first stage in whose loop (level 2) or before whose loop (level 1) it can be computed: 1 +
     * the last stage of the accumulators it needs */
    int stage;
    /* 0: not needed. Level 2, and of a group: bit set of the stages whose loop needs it */
    uint64_t used;
    bool keep;     /* level 2, used in several stages: kept from one to the next */
    bool of_group; /* level 1, but once for each group, within the loop of a stage */
    /* of a stage that goes through groups: reductions of a group one after the other, whose results
     * it needs. Each stage that reads such a result computes it */
    int phase;
} Place;

typedef struct StorePlace {
    int level; /* 1: once for each row, or each group, 2: for each element */
    int stage; /* whose loop stores it (level 2, of a group), or before whose loop (level 1) */
    bool of_group;
    int phase;
} StorePlace;

typedef struct Schedule {
    const Body *body;
    int lane; /* number of the lane axis; -1: none */
    bool lane_is_row;
    int stage_count;   /* >= 1; the last one stores elements (it may have none) */
    Place *value;      /* by number */
    int *acc;          /* stage of each accumulator; -1: finished before stage 0, or of a group */
    StorePlace *store; /* by number */
} Schedule;

/* ---- stages.c: a whole body in stages ------------------------------------------------------- */

/* keep: costly values are kept, not recomputed. online: a maximum and the sum of exponentials
 * relative to it share one stage (see online.c). */
const Schedule *schedule_stages(const Body *b, bool keep, bool online, Arena *arena);
/* The same with lanes along the innermost row axis instead of a column axis. */
const Schedule *schedule_across(const Schedule *s, Arena *arena);
/* A pointwise body on a GPU, where a thread has packs of neighbours along any axis: values that
 * change along it belong to an element, all others to a pack (level 1). */
const Schedule *schedule_packs(const Body *b, int lane, Arena *arena);

/* ---- piece.c: part of a body, in pieces that are written where they are needed --------------- */

/* What a piece computes. */
typedef enum PieceRole {
    PIECE_OPERAND,        /* of a contraction: `operand` is its value */
    PIECE_RESULTS,        /* what is stored for each element, */
    PIECE_ROWS,           /* and once a row */
    PIECE_ROW_FACTORS,    /* of a block's products: those of a row of the tile, */
    PIECE_COLUMN_FACTORS, /* those of a column, which chains have, too, */
    PIECE_BLOCK,          /* and what is added up */
    PIECE_SCORES,
    PIECE_UNMASKED, /* scores of tiles in which no mask changes one, */
    PIECE_MASKED,   /* and of other tiles, from those */
    PIECE_SHIFT,
    PIECE_EXPONENTS,
    PIECE_WEIGHTS,
    PIECE_FIRST_WEIGHTS, /* of a chain's results, where they are computed apart */
    PIECE_SECOND_WEIGHTS,
    PIECE_CROSSING /* of a transpose: loads that cross the stores */
} PieceRole;

/* Values that are computed together, once for each element. */
typedef struct Piece {
    PieceRole role;
    int operand;
    const int *roots;
    int count;
    const int *given; /* computed by other pieces: their sources are not needed */
    int given_count;
    const char *title;
    const Schedule *schedule; /* along no lane axis yet */
} Piece;

/* How a body is run: in stages, in pieces, or in both, where rows of a contraction's results are
 * reduced: pieces are then its operands. */
typedef struct BodySchedule {
    const Schedule *stages; /* NULL: all of it is in pieces */
    List(Piece) pieces;
} BodySchedule;

const Piece *schedule_find(const BodySchedule *s, PieceRole role, int operand); /* a BUG: none */
/* The same piece, for elements along a lane axis. */
const Schedule *piece_along(const Piece *piece, int lane, Arena *arena);

/* Only what the roots need, for elements along the lane axis; finished reductions are given. */
const Schedule *schedule_piece(const Body *b, const Piece *piece, int lane, Arena *arena);

/* ---- attention.c ---- */

/* The factor of scores before the mask, if it can be folded into log2(e); `scaled` is then their
 * product. 1: there is none. */
double attention_scale(const Body *b, int *scaled);

/* The value of scores before masks, if masks can be applied after all else; 0: they cannot, or
 * nothing else is computed. */
int attention_masked(const Body *b);

/* The only mask of a chain's weights, with those inside of it, and what it masks; 0: not one. */
int chain_mask(const Body *b, int *unmasked);

/* An empty schedule. */
Schedule *schedule_new(const Body *b, Arena *arena);
bool schedule_is_online(const Schedule *s, int acc);  /* is it a sum in the stage of its maximum? */
bool schedule_is_stepped(const Schedule *s, int acc); /* is it the maximum of such a sum? */
/* A value of a row, computed of accumulators, that elements of a later stage read? */
bool schedule_is_of_elements(const Schedule *s, int value);
bool schedule_has_scan(const Schedule *s);
/* Phases of a stage that goes through the groups of a row; 0: it needs nothing of groups. */
int schedule_phases(const Schedule *s, int stage);
/* Is the accumulator of a group computed in that stage, and in which phase is one computed? */
bool schedule_reduces_group(const Schedule *s, int acc, int stage);
int schedule_phase(const Schedule *s, int acc);
/* Is that done in the loop of a stage, and in that phase of it? */
bool schedule_reduces(const Schedule *s, int acc, int stage, int phase);
/* are there elements in that stage's loop? */
bool schedule_stores(const Schedule *s, int store, int stage);
bool schedule_has_work(const Schedule *s, int stage); /* does the stage have a loop? */

/* ---- print.c: --emit=kernel --------------------------------------------------------- */

/* With the schedules that are emitted, one a body. Where k calls the function of `first`, which is
 * not k, what it gives to that. */
void kernel_print(const Kernel *k, const Kernel *first, const BodySchedule *schedules, Text *out);

#endif
