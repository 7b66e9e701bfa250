/* roofline.h: what limits each kernel of a plan, before a run: bytes and operations as formulas of
 * the dims, times at the peaks of a machine, the sizes at which the bound changes, tiles and waves,
 * and advice. `fusec explain --roofline`, the JSON plan and sweeps print what stands here. */
#ifndef FUSEC_ROOFLINE_H
#define FUSEC_ROOFLINE_H

#include "kernel/tile/tile.h"

/* One dim divided between devices: each has its part of every tensor with that dim, and sums along
 * it are added up over the links. */
typedef struct Shard {
    const char *dim; /* NULL: one device */
    int devices;
} Shard;

/* What a kernel moves and computes, on one device; a Dim of 0 does not fit in 64 bits. */
typedef struct Counts {
    Dim read, written;
    Dim ops[UNIT_COUNT];
    /* bytes of the partial sums that devices exchange, before the factor of an all-reduce */
    Dim exchanged;
} Counts;

typedef enum Limit { LIMIT_MEMORY, LIMIT_MATH, LIMIT_LINK } Limit;

/* Times at certain sizes, without launches. */
typedef struct Times {
    double read, written, ops[UNIT_COUNT], exchanged; /* the counts */
    double unit[UNIT_COUNT];                          /* seconds; 0: no such work, or no rate */
    double math, memory, link;                        /* math: the largest of the units */
    double lower, upper;                              /* all overlap; nothing does */
    Unit busiest;
    Limit limit;
} Times;

/* How the bound depends on an open dim, all others being as given. */
typedef enum TurnKind {
    TURN_NEVER,   /* memory-bound, or link-bound, at any value */
    TURN_ALWAYS,  /* compute-bound at any value */
    TURN_COMPUTE, /* compute-bound from `from` on */
    TURN_MEMORY   /* no longer compute-bound from there on */
} TurnKind;

typedef struct Turn {
    int symbol;
    TurnKind kind;
    Limit against;          /* memory or link */
    bool is_proven;         /* TURN_NEVER, TURN_ALWAYS: whatever the other dims are */
    double small;           /* first value, if the dim is small beside the others; 0: not known */
    const char *small_text; /* the same as a formula of other dims; NULL: none */
    double from;            /* first value, at the nominal sizes of the others */
    const char *exact;      /* as a formula of the others; NULL: none */
} Turn;

typedef Vec(Turn) Turns;

/* One body of a kernel on a GPU, in blocks. 0: not known. */
typedef struct Waves {
    double tiles;        /* blocks, or output tiles that persistent blocks walk over */
    double waves, last;  /* last: the share of the last wave that has a tile */
    double padded;       /* the share of the elements of all tiles that is work */
    int m, n;            /* of a tile; 0: not a product */
    int threads, blocks; /* of a block; blocks that a multiprocessor holds at once */
    double occupancy;    /* warps that it holds, of those that it could */
    const char *limited; /* by what: "shared memory", "registers", .. */
    bool is_open;        /* is_open: a dim has its nominal size */
} Waves;

/* A kernel, or all kernels of a call. */
typedef struct Roofline {
    const char *name;
    Counts counts;
    Times times;
    double expected; /* seconds with the launch; 0: not known */
    Turns turns;
    Vec(Waves) waves; /* of each body */
} Roofline;

typedef struct Rooflines {
    const Plan *plan;
    const Machine *machine;
    Shard shard;
    int shard_symbol;    /* -1: none */
    const double *sizes; /* by symbol: nominal */
    Vec(Roofline) kernels;
    Roofline whole;
} Rooflines;

/* ---- counts.c: formulas ---- */

Counts counts_of(const Plan *plan, const Group *group, int shard_symbol);

/* ---- times.c: at the peaks of the machine ---- */

double allreduce_factor(int devices); /* of the exchanged bytes */
/* sizes: by symbol, of the whole; a shard's part is taken of them here. */
Times times_of(const Rooflines *r, const Counts *counts, const double *sizes);
Times times_whole(const Rooflines *r, const double *sizes);

/* ---- turns.c: where the bound changes ---- */

Turns turns_of(const Rooflines *r, const Counts *counts); /* NULL: of the whole */

/* ---- waves.c: on a GPU ---- */

/* All 0: the kernel has no waves, as on a CPU. */
Waves waves_of(const Kernel *k, int body, const Tile *tile, const Machine *machine);

/* The blocks of a multiprocessor, its occupancy, and what limits it. */
Waves occupancy_of(const Machine *gpu, int threads, int registers, int64_t shared);

/* ---- mask.c ---- */

double mask_share(const Kernel *k); /* of the scores of an attention: those that a mask leaves */

/* ---- estimate.c ---- */

/* The machine with the rates of a copy and of multiply-adds of f32 that were measured; 0: not. */
const Machine *machine_as_measured(Arena *arena, const Machine *machine, double copied,
                                   double operations);
/* Expected seconds of a kernel with its tile, with its launch. */
double launch_seconds(const Plan *plan, int group, const TiledKernels *kernels);

/* ---- roofline.c ---- */

/* kernels: built, with tiles. The shard's dim must be one of the plan's. */
Rooflines *rooflines_make(const Plan *plan, const TiledKernels *kernels, Shard shard);
const char *limit_name(const Times *t);               /* "memory", "bf16", "link" */
double roofline_operations(const Times *t);           /* of all units */
double roofline_intensity(const Times *t);            /* operations per byte */
double roofline_ridge(const Rooflines *r, Unit unit); /* 0: not known */

/* ---- text.c ---- */

void rooflines_explain(const Rooflines *r, Text *out);

/* ---- sweep.c: the values of an open dim one after the other ---- */

enum { SWEEP_MOST = 10000 };

/* from, from * factor or from + step, .. up to `to` */
typedef struct Sweep {
    const char *dim;                /* NULL: none */
    int64_t from, to, factor, step; /* factor 0: by steps */
} Sweep;

int sweep_count(const Sweep *sweep); /* of values; SWEEP_MOST + 1: too many */
void sweep_table(const Rooflines *r, const Sweep *sweep, Text *out);
void sweep_csv(const Rooflines *r, const Sweep *sweep, bool with_head, Text *out);
void sweep_plot(const Rooflines *r, const Sweep *sweep, Text *out); /* a script for gnuplot */
struct json_t;
/* Adds an object to an array; false when out of memory. */
bool sweep_json(const Rooflines *r, const Sweep *sweep, struct json_t *functions);
void plot_label(Text *out, const char *text); /* safe within quotes of gnuplot */

/* ---- json.c: the member "roofline" of docs/plan.md ---- */

/* kernel: -1: the whole. False when out of memory. */
bool roofline_json(const Rooflines *r, int kernel, struct json_t *object);

#endif
