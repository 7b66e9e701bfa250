/* cost.h: what kernels are planned for, and how long they take there by its roofline. */
#ifndef FUSEC_COST_H
#define FUSEC_COST_H

#include "graph/graph.h"

/* ---- machine.c: what kernels are planned for: chips by architecture, and a core ------------ */

typedef struct Machine {
    int sm; /* 80, 90, ..; 0: a CPU */
    const char *name;
    int processors;                     /* multiprocessors, or cores */
    int shared_block, shared_processor; /* bytes of shared memory, of a block that asks for most */
    int clock, bandwidth;               /* MHz, GB/s */
    int fma, special, mma, wgmma;       /* per clock and processor: see machine.c */
    int tensor;                         /* the most that tensor cores reach; 0: chips differ */
    int l2, l2_tma, shared, issue;      /* per clock and processor: bytes, and instructions */
    int start;                          /* clocks of a block until its first tile is there */
    int finish, finish_wgmma;           /* results of a product per clock, on their way out */
    int launch;                         /* ns from the end of a kernel to the start of the next */
} Machine;

/* 32-bit registers of a multiprocessor, and the most of a thread: of every architecture above. */
enum { MACHINE_REGISTERS = 65536, MACHINE_THREAD_REGISTERS = 255 };

const Machine *machine_gpu(const char *arch); /* "sm_90a"; NULL: where nobody says */
const Machine *machine_cpu(void);
/* What a plan may depend on, beside the numbers: facts of the machine, never the target. */
bool machine_is_gpu(const Machine *machine);
bool machine_has_mma(const Machine *machine);    /* tensor cores that warps use, with cp.async */
bool machine_has_mma_f8(const Machine *machine); /* which multiply 8-bit floats, too */

/* What a kernel moves and computes. */
typedef struct Work {
    double bytes;    /* read and written, each value once */
    double flops;    /* outside of tensor cores; a multiply-add is two */
    double special;  /* exponentials and the like */
    double products; /* on tensor cores, as products of 16-bit floats */
    double tiles;    /* of a product: those of one wave run side by side; 0: no product */
} Work;

typedef enum Bound { BOUND_MEMORY, BOUND_FLOPS, BOUND_SPECIAL, BOUND_PRODUCTS, BOUND_COUNT } Bound;

typedef struct Estimate {
    double seconds; /* without the launch */
    Bound bound;    /* what most of it goes to */
} Estimate;

/* ---- cost.c: numbers ----------------------------------------------------------------------- */

enum {
    COST_NOMINAL = 1024, /* size of an open dim, more or less: facts about it are kept */
    COST_TILE =
        128, /* side of a tile of a large product: rows that one read of an operand serves */
};

int64_t cost_size(const Dims *d, Dim size); /* with the nominal sizes of open dims */
int64_t cost_dim(const Graph *g, Dim d);    /* the same */
/* Tiles along a size, and waves of so many tiles. Whole ones, but where the size is open: any may
 * come, and the last tile or wave of the nominal one says nothing. */
double cost_tiles(const Dims *d, Dim size, double tile);
double cost_waves(const Machine *machine, double tiles, bool is_open);
double cost_elements(const Graph *g, NodeId id);
int64_t cost_bytes(const Graph *g, NodeId id);
enum { COSTLY_FLOPS = 16 }; /* operations that such a node counts as */

Work cost_node(const Machine *machine, const Graph *g, NodeId id); /* but for bytes */
void work_add(Work *w, const Work *more);                          /* but for bytes */
extern const char *const bound_name[BOUND_COUNT];
Estimate cost_estimate(const Machine *machine, const Work *work);

/* Products of 16-bit floats that take as long as one of a contraction; 0: not on tensor cores. */
double cost_product_weight(const Graph *g, NodeId dot);

/* ---- row_tiles.c: tiles that own rows of a contraction's result ---------------------------- */

/* Columns of the result, and of those beside it, that a tile may own whole rows of. */
int64_t tile_columns(const Machine *machine, const Graph *g, NodeId dot);
/* May it own so many of each of `dots` products? On a GPU a tile's side is a power of two. */
bool tile_has_columns(const Machine *machine, const Graph *g, NodeId dot, int64_t columns,
                      int dots);
/* How many seconds longer the products take in tiles of so many columns. */
double rows_delay(const Machine *machine, const Graph *g, NodeId dot, double columns);

#endif
