/* tile.h: the numbers that change speed and nothing else, and which of them are legal for a kernel.
 */
#ifndef FUSEC_TILE_H
#define FUSEC_TILE_H

#include "kernel/schedule/schedule.h"

/* ---- dot_form.c: how a contraction multiplies ---------------------------------------------- */

typedef enum Multiply {
    MULTIPLY_FMA,
    MULTIPLY_F16,
    MULTIPLY_BF16,
    MULTIPLY_I8,
    MULTIPLY_F8E4M3,
    MULTIPLY_F8E5M2,
    MULTIPLY_TF32,
    MULTIPLY_BF16X3, /* of f32 operands as sums of two, or three, bf16 */
    MULTIPLY_BF16X6
} Multiply;

typedef struct DotProduct {
    const char *function; /* of the CUDA prelude, for 16 x 8 elements and 32 bytes along k */
    Dtype type;           /* of operands in shared memory */
    int terms;            /* that an operand is the sum of; 0: no tensor cores */
    int products;         /* of terms */
} DotProduct;

/* How an operand reaches shared memory: copied as it is, contiguous along k or along its own axis,
 * or computed in registers. */
typedef enum OperandLayout { OPERAND_K_MAJOR, OPERAND_MN_MAJOR, OPERAND_COMPUTED } OperandLayout;

typedef struct DotForm {
    const Machine *gpu;
    Multiply multiply;
    const DotProduct *product;
    OperandLayout left, right[DOTS_MAX];
    OperandLayout added[DOTS_MAX - 1][2]; /* left, right: of products that are added */
    int count;                   /* of products that share the left operand */
    int columns;                 /* of each, that a tile owns for the rows of its results; 0: any */
    bool has_parts;              /* which are not all of a row */
    Dim n_end;                   /* where the right operands end: beyond are zeros */
    bool is_scattered; /* an operand is computed from loads that jump along k, or cross its rows */
    const char *no_wgmma; /* why warpgroups cannot multiply it (wgmma); NULL: they can */
} DotForm;

const DotProduct *dot_product(Multiply multiply);
DotForm dot_form(const Kernel *k, const Body *b, const Machine *gpu);
/* Is the value a plain load whose neighbours along the axis are
 * neighbours in memory, 16 bytes at a time? */
bool operand_is_copied(const Body *b, int value, int axis, Dtype type);

/* ---- tile.c: the numbers that change speed and nothing else -------------------------------- */

typedef enum Keep { KEEP_REGISTERS, KEEP_SHARED, KEEP_NOTHING } Keep;

/* CUDA launch numbers. Legal tiles for a kernel come from tile_default; nothing else is tunable. */
typedef struct Tile {
    int threads;     /* of a block */
    int vector;      /* elements a thread moves at once along the lane axis */
    int unroll;      /* such vectors in flight */
    int row_threads; /* row family: threads that share one row (power of two, <= threads);
                        0: the launcher decides, where the number of columns is open */
    Keep keep;       /* where kept element values live between stages */
    int items;       /* KEEP_REGISTERS: vectors of a row per thread; 0: rows are not unrolled */
    int split;       /* column reductions: threads along the reduced axis */

    /* Contractions: elements of the result of a block, and of k at a time. On tensor cores: */
    int m, n, k;          /* n: of each product of the left operand */
    int warps_m, warps_n; /* of the block, along m and n */
    int stages;           /* tiles of k in shared memory */
    int group;            /* rows of tiles that are walked together, for the L2 cache */
    int blocks;           /* that a multiprocessor holds at least */
    int warpgroups;       /* that multiply, by wgmma; 0: warps do */
} Tile;

Tile tile_default(const Kernel *k, const Schedule *s);
/* Of rows of a contraction's results, which part of a warp takes from shared memory. */
Tile tile_rows(const Kernel *k, const Schedule *s, int most_vector, int least_threads);
/* attention.c: of an attention on tensor cores. */
typedef struct AttentionForm {
    AttentionParts parts;
    bool is_narrow;                /* both contractions have operands for tensor cores; */
    int long_axis;                 /* but this axis is open or too long; 0: none */
    Dtype scores, values;          /* that the two contractions multiply */
    int depth_steps, column_steps; /* of 16 elements */
    int depth_row, column_row;     /* elements of a row in shared memory */
    Tile tile;                     /* m queries, n keys */
} AttentionForm;

enum { ATTENTION_LONGEST = 256 }; /* depth, and number of columns */

/* Where it must do without them, only `parts` is set, and why. */
bool attention_form(const Body *b, const Machine *gpu, AttentionForm *form);
int tile_attention_shared(const AttentionForm *form);    /* bytes of dynamic shared memory */
int tile_attention_registers(const AttentionForm *form); /* of a thread: an estimate */

/* mma.c: of a contraction on tensor cores. */
Tile tile_dot(const Body *b, const DotForm *f);
int64_t tile_dot_shared(const DotForm *f, const Tile *t); /* bytes of dynamic shared memory */
int tile_dot_registers(const DotForm *f, const Tile *t);  /* of a thread: an estimate */
int tile_dot_threads(const Tile *t);
/* All legal tiles, the smallest last: it fits every device that has tensor cores. */
int tile_dot_legal(const DotForm *f, Tile *tiles, int most);

/* wgmma.c: of one that warpgroups multiply. */
enum {
    WGMMA_TILES = 6,       /* at most */
    WGMMA_PITCH = 40,      /* floats from one row of results on their way out to the next */
    WGMMA_REGISTERS = 168, /* of each thread, which warpgroups then share out: */
    WGMMA_PRODUCER = 40,
    WGMMA_CONSUMER = 232
};

const char *wgmma_obstacle(const Body *b, const DotForm *f); /* NULL: nothing */
int tile_wgmma_legal(const DotForm *f, Tile *tiles);
int64_t tile_wgmma_shared(const DotForm *f, const Tile *t); /* bytes of dynamic shared memory */
double tile_wgmma_clocks(const Body *b, const DotForm *f, const Tile *t);
/* Columns of each product that leave at once. */
int wgmma_part(int count);
/* May vectors of v along the lane axis start at multiples of v? Unless known sizes say no. */
bool tile_may_align(const Body *b, int lane, Ix ix, int v);
/* The most elements, up to v, that such an access moves at once. */
int tile_widest(const Schedule *s, Ix ix, Dtype type, int v);
/* And may the guard of a load be the same for all elements of such a vector? */
bool tile_may_guard(const Schedule *s, int guard, int v);

#endif
