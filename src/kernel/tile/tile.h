/* tile.h: the parameters that change speed and nothing else, and which values are legal for a
 * kernel. */
#ifndef FUSEC_TILE_H
#define FUSEC_TILE_H

#include "kernel/tile/form.h"

/* ---- the numbers that change speed and nothing else ------------------------------------------ */

/* The meaning of the fields, and which of them a tile has: keys.c has the table. */
typedef enum TileKind {
    TILE_POINTWISE,     /* elements of a flat space, */
    TILE_TRANSPOSE,     /* which loads cross: they are contiguous along another axis, */
    TILE_PERMUTE,       /* or over several axes in another order */
    TILE_ROW,           /* rows along which memory is contiguous */
    TILE_COLUMN,        /* and across which it is */
    TILE_FMA,           /* contractions by fused multiply-adds, */
    TILE_FMA_ROWS,      /* the same, with reductions of rows in the epilogue */
    TILE_MMA,           /* contractions by mma.sync, */
    TILE_MMA_ROWS,      /* the same, with reductions of rows */
    TILE_GEMV,          /* contractions with few rows by mma.sync, operands in registers, */
    TILE_GEMV_FMA,      /* and of f32, by fused multiply-adds */
    TILE_WGMMA,         /* contractions by wgmma, */
    TILE_WGMMA_ROWS,    /* the same, with reductions of rows */
    TILE_ATTENTION_FMA, /* m queries, n keys */
    TILE_ATTENTION_MMA,
    TILE_ATTENTION_WGMMA,
    TILE_CHAIN_MMA, /* m rows, n columns of scores */
    TILE_CHAIN_WGMMA,
    TILE_SEGMENTS,    /* a sort of indices: m rows of a block at a time */
    TILE_BINNED,      /* a scatter without it: m elements of a thread at a time */
    TILE_C_LOOPS,     /* in C: pointwise, rows, columns */
    TILE_C_TRANSPOSE, /* pointwise, and loads cross the stores */
    TILE_C_COLUMN,    /* reductions across which memory is contiguous, in one stage */
    TILE_C_DOT,       /* blocks for the caches, micro-kernel in registers */
    TILE_C_GEMV,      /* few rows or columns: the other operand is read once, as it is */
    TILE_C_ATTENTION, /* m panels of queries, n panels of keys */
    TILE_KINDS
} TileKind;

enum {
    TILE_SHARED = 48 << 10 /* shared memory of a block without opting in to more */
};

typedef enum Keep { KEEP_REGISTERS, KEEP_SHARED, KEEP_NOTHING, KEEP_MEMORY } Keep;

/* All tunable parameters of a kernel. Fields in brackets follow from others. */
typedef struct Tile {
    TileKind kind;
    int threads;        /* of a block; [contractions and attentions] */
    int vector;         /* elements a thread moves at once along the lane axis */
    int unroll;         /* such vectors in flight */
    int operand_unroll; /* tensor cores: the same of an operand that is computed */
    int row_threads;    /* threads that share one row (power of two, <= threads);
                           0: the launcher decides, where the number of columns is open */
    int warp_columns;   /* row_threads 0: rows of up to so many columns get a warp each, longer
                           ones the block */
    Keep keep;          /* where kept element values live between stages */
    int items; /* [KEEP_REGISTERS: vectors of a row per thread; 0: rows are not unrolled] */
    int split; /* column reductions: threads along the reduced axis */

    /* Transposes: elements of a block across the stores and along them. Permutes: the same of a row
     * that is loaded, and stored. Contractions: elements of the result of a block, and of k at a
     * time. On tensor cores: */
    int m, n, k;              /* n: of each product of the left operand; in C, columns of a strip */
    int columns;              /* attention without tensor cores: of the values, of a block */
    int warps_m, warps_n;     /* of the block, along m and n */
    int threads_m, threads_n; /* the same, without tensor cores */
    int stages;               /* stages of operands in shared memory */
    int cluster;              /* blocks along m that share tiles of the right operands; of a row */
    int ping_pong;            /* 1: consumer warpgroups have tiles of their own, in turn */
    int stream_k; /* parts along k of a tile of the last wave, at most; 0: no stream-K */
    int split_k;  /* parts along k of each tile, by the blocks of a cluster; 0: tiles are whole */
    int group;    /* rows of tiles that are walked together, for the L2 cache */
    int blocks;   /* that a multiprocessor holds at least */

    /* In C; m, n, k, group: blocks of a thread, see fx_tile in templates/c/tiles_blocks.h */
    int block;         /* rows of the left operand that are packed at a time */
    int rows, vectors; /* of sums in registers; rows 0: as many as the processor's hold */
                       /* gemv: of the operand that is read once, at a time; loops: side by side */
    int parallel;      /* elements or products from which threads pay */
    int prefetch;      /* prefetch distance in bytes; 0: none */
    int stream;        /* bytes of an output that is written around the cache */
    int prefetch_from; /* bytes of an array from which it is prefetched */
    int stack;         /* elements of a row that is kept on the stack */
    int partial;       /* values of a stage that adds up four sums at a time, */
    int partial_sums;  /* and its accumulators, at most */
    int across;        /* 1: lanes are neighbouring rows, of few columns; 0: columns */
    int sums;          /* columns of rows of which `block` are finished together */

    int warpgroups; /* [consumers] */
    int l2;         /* MiB that keys and values of the tiles in flight take */
    int persistent; /* 1: a block for each multiprocessor, with several tiles; 0: one for each tile
                     */
} Tile;

typedef Vec(Tile) TileVec;

/* Do several blocks share a row? */
static inline bool tile_has_cluster(const Tile *t) { return t->kind == TILE_ROW && t->cluster > 1; }

/* The kernels of a plan, in their order; a tile and a schedule of each body of each. Kernels that
 * are the same but for their buffers are calls of one function, that of the first of them, and have
 * its bodies. */
typedef struct TiledKernels {
    const Kernel *const *at;
    const int *function; /* the number of that kernel; its own where it has its own function */
    const int *calls;    /* of the function of its own: how many kernels call it; else 0 */
    const Tile *const *tiles;
    const BodySchedule *const *schedules;
} TiledKernels;

/* ---- candidates.c: the tiles of a kernel ----------------------------------------------------- */

/* The legal tiles of one body of a kernel, at least one, the fastest by expectation first. */
TileVec tile_candidates(const Kernel *k, int body, const Machine *machine, Arena *arena);
/* NULL: the tile is legal, and its derived fields are set; else the rule that it breaks. */
const char *tile_refusal(const Kernel *k, int body, const Machine *machine, Tile *t, Arena *arena);

/* Why no tile has this kind. */
const char *tile_kind_refusal(const Kernel *k, int body, const Machine *machine, TileKind kind,
                              Arena *arena);

/* ---- time.c: of a contraction on tensor cores ------------------------------------------------ */

/* How many of its operands are copied element by element, since known sizes deny 16 bytes at
 * once. */
int tile_copies_elements(const Kernel *k, int body, const Machine *machine);
/* Expected seconds with this tile; 0: not known. */
double tile_seconds(const Kernel *k, int body, const Machine *gpu, const Tile *t, Arena *arena);

/* ---- effect.c -------------------------------------------------------------------------------- */

/* At the sizes that are known, do they block the same loops in the same way? False also where that
 * is not known. */
bool tile_has_same_effect(const Kernel *k, int body, const Tile *a, const Tile *b);

/* ---- keys.c: tiles as text ------------------------------------------------------------------- */

/* A value that tiles must have. */
typedef struct TilePin {
    const char *kernel; /* NULL: all kernels whose tiles have the key */
    int part;           /* of the kernel: its body, from 1; 0: all */
    int key, value;
    Span at;        /* where a file says so; NOWHERE: --tile does */
    bool is_chosen; /* by fusec tune, not by the command line */
} TilePin;

typedef Vec(TilePin) TilePins;

void tile_print(const Tile *t, Text *out); /* "kind=mma,m=128,n=256": as --tile takes it */
/* Adds the pins of "geglu_0:m=128,n=256" or "m=128"; false after an error, which names `source`, an
 * option or a file. */
bool tile_parse(Diag *diag, const char *source, const char *text, TilePins *pins);
/* Adds those of "m=128,n=256" to the pins of a kernel's part, which a file gives at `like->at`. */
bool tile_parse_values(Diag *diag, const char *text, const TilePin *like, TilePins *pins);
void tile_pin_print(const TilePin *pin, Text *out);
bool tile_has_key(const Tile *t, int key);
bool tile_pins_kind(const TilePin *pin); /* its value is a TileKind */
bool tile_matches(const Tile *t, const TilePin *pin);
bool tile_set(Tile *t, const TilePin *pin); /* false: a tile of another kind */
bool tile_equal(const Tile *a, const Tile *b);
int tile_distance(const Tile *a, const Tile *b); /* doublings and halvings between them */

/* ---- choose.c -------------------------------------------------------------------------------- */

/* For each kernel the tile of each body: the first candidate, or the first with the pinned values.
 * NULL after an error. `applied`, by pin, becomes true if it applies to a kernel. */
const Tile *const *tiles_choose(const Kernel *const *kernels, int count, const Machine *machine,
                                const TilePins *pins, bool *applied, Diag *diag);
/* The same for one body, of pins that all apply to it; false: there is no legal one. */
bool tile_find(const Kernel *k, int body, const Machine *machine, const TilePins *pins,
               Arena *arena, Tile *found);

/* ---- bytes of static shared memory, at most TILE_SHARED ---- */

int64_t tile_fma_shared(const Body *b, const Tile *t); /* fma.c: dynamic */
/* Is an operand by cp.async what memory holds? */
bool tile_fma_copies(const Body *b, const Tile *t, int value, const Machine *gpu);
int64_t tile_segments_shared(const Body *b, const Tile *t); /* segments.c */
int tile_tally_copies(const Tile *t);                       /* of the counts of a block */
/* binned.c: dynamic, of the results of a warp, or of as many as share columns out ("slices"; 0: a
 * warp has any), and how many such results a block has. */
int64_t tile_bins_shared(const Body *b);
int tile_bin_slices(const Body *b);
int tile_bin_tables(const Body *b, const Tile *t, const Machine *machine);
int64_t tile_reduction_shared(const Schedule *s, const Tile *t); /* access.c: of rows, columns */
/* Rows of a cluster: a load that several stages read, and is kept in shared memory; the bytes of a
 * column of all these. */
bool tile_keeps_load(const Schedule *s, int value);
int64_t tile_reloaded_bytes(const Schedule *s);
/* Rows whose tile has a longer vector than strides and sizes allow: the index of what is moved in
 * packs that are aligned in memory, and that a row starts anywhere in; 0: other rows. */
Ix tile_shifted_row(const Kernel *k, const Schedule *s, const Tile *t);
/* row_block.c: the index of what a block moves through shared memory, as its rows are short and
 * start anywhere in packs; 0: it does not. Of a buffer: is it moved so? Bytes of all. */
Ix tile_block_rows(const Kernel *k, const Schedule *s, const Tile *t);
bool tile_has_block_rows(const Kernel *k, const Schedule *s, const Tile *t, Ix ix, int buffer);
int64_t tile_block_rows_shared(const Kernel *k, const Schedule *s, const Tile *t, Ix ix);
/* Columns of a row that a block has. */
int64_t tile_cluster_part(const Tile *t, int64_t cols);
/* access.c: of a block, if warps exchange single elements of scans in shared memory; else 0
 */
int tile_scan_warps(const Schedule *s, const Tile *t);

/* ---- share.c: kernels that call one function ------------------------------------------------- */

/* Sets `function`, and makes those that call another's function kernels of its bodies, with buffers
 * and uniforms of their own in its order. */
TiledKernels kernels_share(const TiledKernels *kernels, int count, const Machine *machine,
                           Arena *arena);

/* ---- schedules.c ----------------------------------------------------------------------------- */

/* For each kernel the schedule of each body, as in TiledKernels. */
const BodySchedule *const *schedules_make(const Kernel *const *kernels, const Tile *const *tiles,
                                          int count, const Machine *machine, Arena *arena);

/* ---- attention.c: of an attention on tensor cores -------------------------------------------- */

int tile_attention_shared(const AttentionForm *form, const Tile *t);    /* bytes, dynamic */
int tile_attention_registers(const AttentionForm *form, const Tile *t); /* of a thread, about */

/* Registers of a thread: all warpgroups start with the same number, then setmaxnreg redistributes
 * them. */
typedef struct WarpgroupRegisters {
    int launched, producer, consumer;
} WarpgroupRegisters;

/* ---- attention_wgmma.c: of one that warpgroups multiply -------------------------------------- */

/* Heads in flight, at least, where they are computed one after the other: attention_order.c. */
enum { ATTENTION_HEADS = 4 };
int tile_attention_wgmma_shared(const AttentionForm *form, const Tile *t); /* bytes, dynamic */
int tile_attention_wgmma_query_stages(const AttentionForm *form, const Tile *t);
WarpgroupRegisters tile_attention_wgmma_registers(const Tile *t);

/* Query heads that share keys are runs of queries, one after the other: how many there are, where
 * their lengths are whole tiles; else 1. */
int64_t attention_runs(const Body *b, const Tile *t);

/* ---- chain.c: of a chain of contractions on tensor cores ------------------------------------- */

/* Bytes before the left operand of a score in shared memory, and in each of the stages, which
 * follow, before its right operand, and the values of a result; of one more: of all. */
int tile_chain_left(const ChainForm *form, const Tile *t, int score);
int tile_chain_right(const ChainForm *form, const Tile *t, int score);
int tile_chain_values(const ChainForm *form, const Tile *t, int out);
int tile_chain_across(const ChainForm *form, const Tile *t);    /* bytes of weights, behind these */
int tile_chain_of_column(const ChainForm *form, const Tile *t); /* by wgmma: bytes in each stage */
int tile_chain_across_row(const Tile *t); /* of mma.sync: bytes of a row of them */
/* By wgmma: columns of the result of n rows that a warpgroup multiplies. */
int tile_chain_across_columns(const ChainForm *form, const Tile *t);
int tile_chain_shared(const ChainForm *form, const Tile *t); /* bytes, dynamic */
/* By wgmma: do registers hold the weights of one tile and the scores of the next? */
bool tile_chain_overlaps(const ChainForm *form, const Tile *t);
/* By wgmma: are weights of a first result computed while the other score is multiplied? */
bool tile_chain_splits(const ChainForm *form, const Tile *t);
WarpgroupRegisters tile_chain_warpgroups(const Body *b, const ChainForm *form, const Tile *t);
int tile_chain_registers(const ChainForm *form, const Tile *t); /* of a thread, about */

/* ---- attention_fma.c: of an attention or a chain without tensor cores ------------------------ */

/* Does shared memory hold all of the left operands of scores? Else two steps of one. */
bool fma_keeps_left(const Body *b, const Machine *gpu, const Tile *t);
int fma_left_rows(const Body *b, const Machine *gpu, const Tile *t); /* there, along the depths */
int fma_left_row(const Body *b, const Tile *t, int score);           /* the first of a score */
/* Has a thread registers for one score only, where the others wait in the tiles of weights? */
bool fma_waits(const Body *b, const Tile *t);
int fma_weight_tiles(const Body *b, const Tile *t);
int64_t tile_attention_fma_shared(const Body *b, const Machine *gpu, const Tile *t); /* dynamic */
/* Of a thread, about. */
int tile_attention_fma_registers(const Body *b, const Machine *gpu, const Tile *t);

/* ---- order.c: of the loops over rows in C ---------------------------------------------------- */

/* Numbers in Body.axes, outermost first. */
void tile_row_order(const Kernel *k, const Body *b, const Tile *t, int *order);

/* ---- transpose.c: of a pointwise body that reads across the order in which it writes --------- */

int64_t tile_transpose_shared(const TransposeForm *f, const Tile *t); /* bytes, dynamic */
/* Packs are aligned in memory, and start anywhere in a row. */
static inline bool tile_is_shifted(const TransposeForm *f, const Tile *t) {
    return t->vector > f->vector;
}

/* ---- permute.c: of a pointwise body that loads its axes in another order than it stores them - */

/* The part of a load that a block has in shared memory: rows that are contiguous in memory. They
 * are copied in aligned pieces of `piece` elements, and so start at the same place of one as they
 * do in memory: strides of both are congruent modulo a piece. */
typedef struct PermuteTile {
    int piece;
    int64_t row, pieces; /* of a row: elements, and pieces that these are in at most */
    PermuteAxes stride;  /* in shared memory, in elements */
    uint32_t is_row;     /* axes along which rows follow each other: bit set */
    int64_t rows;
    int64_t at, bytes;  /* in shared memory */
    double read_clocks; /* of a warp that reads an element each, with bank conflicts */
} PermuteTile;

/* What a block has of each axis. A thread has `items` elements, or vectors, along the axis `along`,
 * `step` apart. */
typedef struct PermuteBox {
    PermuteAxes side;
    int64_t elements;
    int last;   /* the outermost axis of a stored row */
    int vector; /* elements along the innermost axis that are stored at once */
    int along, items;
    int64_t step;
    PermuteTile tile[PERMUTE_LOADS];
    int64_t bytes; /* of shared memory */
} PermuteBox;

PermuteBox permute_box(const PermuteForm *f, const Tile *t); /* permute_box.c */
static inline int64_t permute_parts(const PermuteForm *f, const PermuteBox *box, int axis) {
    return (f->extent[axis] + box->side[axis] - 1) / box->side[axis];
}

/* ---- mma.c: of a contraction on tensor cores ------------------------------------------------- */

int64_t tile_dot_shared(const DotForm *f, const Tile *t); /* bytes of dynamic shared memory */
int tile_dot_registers(const DotForm *f, const Tile *t);  /* of a thread: an estimate */

/* ---- gemv_gpu.c: of one with few rows -------------------------------------------------------- */

enum { GEMV_PAD = 4 };             /* sums between rows of those that warps add up */
int tile_gemv_rows(const Body *b); /* of the fragments: a multiple of 8 */
int64_t tile_gemv_shared(const Body *b, const DotForm *f, const Tile *t);
int tile_gemv_registers(const Body *b, const DotForm *f, const Tile *t);

/* ---- gemv_fma.c: the same of f32 ------------------------------------------------------------- */

/* Threads of a warp along n, and columns of each, which are neighbours if the right operand is
 * contiguous across k, and else lie `n` apart. */
typedef struct GemvLanes {
    bool is_across;
    int n, columns;
} GemvLanes;
GemvLanes tile_gemv_lanes(const Body *b, const Tile *t);
int tile_gemv_fma_rows(const Body *b);
int64_t tile_gemv_fma_shared(const Body *b, const Tile *t);
int tile_gemv_fma_registers(const Body *b, const Tile *t);

/* ---- wgmma_form.c: of one that warpgroups multiply ------------------------------------------- */

bool wgmma_has_boxes(const DotForm *f, const Tile *t); /* does TMA store its results? */

/* ---- blocks.c: factors of scaled blocks of k ------------------------------------------------- */

enum { BLOCK_FACTORS = 4 };

typedef struct FactorList {
    int value[BLOCK_FACTORS], count;
} FactorList;

/* Those that all columns of a tile share, and those that all its rows share; are_shared: there are
 * no others. */
typedef struct BlockFactors {
    FactorList of_row, of_column;
    bool are_shared;
} BlockFactors;

BlockFactors block_factors(const Body *b, const Tile *t);

/* ---- wgmma_memory.c: the same ---------------------------------------------------------------- */

/* The epilogue stores results through shared memory: sums, a strip of columns at a time, or
 * results in boxes that TMA stores, or a warp where rows start anywhere in 16 bytes. All take the
 * same memory. */
typedef struct WgmmaStrip {
    int rows;
    int columns;     /* of each product */
    int pitch;       /* of sums: floats from one row to the next */
    int box_columns; /* 0: there are no boxes */
    int box_slice;   /* columns that are computed at a time */
    int box_sets;    /* each has a box of every result */
    int box_bytes;   /* of one */
    int bytes;
} WgmmaStrip;

/* Stream-K: bytes of flags, one for each consumer warp of each block, and of partial sums. */
typedef struct WgmmaParts {
    int64_t flags, sums;
} WgmmaParts;

/* Where registers add up the stages: do tensor cores multiply the next one meanwhile? */
bool wgmma_is_ahead(const DotForm *f, const Tile *t);
int64_t tile_wgmma_shared(const DotForm *f, const Tile *t); /* bytes of dynamic shared memory */
WgmmaStrip wgmma_strip(const DotForm *f, const Tile *t);
WgmmaParts wgmma_parts(const DotForm *f, const Tile *t);
int wgmma_groups(const Tile *t); /* consumer warpgroups */
int wgmma_blocks(const Tile *t); /* of 64 rows of each */
/* Does each consumer warpgroup have half of the columns, of the same 64 rows? */
bool wgmma_halves(const DotForm *f, const Tile *t);
/* Columns of a group with those that fill its lanes, a power of two of them; 0: there are none. */
int64_t tile_padded_group(const Body *b);
/* Do rows that are only reduced stay in registers, where four threads have pairs of each? */
enum { WGMMA_ROW_THREADS = 4, WGMMA_ROW_PAIR = 2 };
bool wgmma_holds_rows(const DotForm *f, const Tile *t);
enum { WGMMA_ACROSS_BOX = 64 }; /* elements of a row of a stage of an MN-major operand */
/* Rows of a tile along DOT_M or DOT_N (`own`) that TMA loads of an operand. */
int wgmma_loaded_rows(const Body *b, const DotForm *f, const Tile *t, int own,
                      OperandLayout layout);
bool wgmma_brings(const DotForm *f);   /* does TMA bring an operand? */
int wgmma_producers(const DotForm *f); /* warpgroups */
/* Stages of a producer warpgroup that copies of what it computes from are ahead. */
int wgmma_ahead(const DotForm *f);
WarpgroupRegisters tile_wgmma_registers(const DotForm *f, const Tile *t);

/* ---- access.c: how many elements an access moves --------------------------------------------- */

/* May vectors of v along the lane axis be aligned? True unless known sizes deny it. */
bool tile_may_align(const Body *b, int lane, Ix ix, int v);
/* That loads below the roots of a piece move, and `stores` with them; a known length of the lane
 * axis is a multiple of it. */
int tile_piece_vector(const Kernel *k, const Schedule *s, int most, bool stores);
/* And may the guard of a load be the same for all elements of such a vector? */
bool tile_may_guard(const Schedule *s, int guard, int v);

/* ---- neighbours.c: how positions change within packs of v elements along the lane axis ------- */

/* Neighbours that share a position, where these follow each other: 1 of k, 2 of k / 2, v of what is
 * the same for the pack, as k / 128; 0: the index changes in another way. */
int tile_sharers(const Body *b, int lane, Ix ix, int v);
/* May each pack be one aligned access of neighbours in memory, as those of (k / 128) 512 + k % 128?
 */
bool tile_is_run(const Body *b, int lane, Ix ix, int v);
/* The same of a load in packs that are one access; 0: it has no such packs. */
int tile_pack_sharers(const Kernel *k, const Schedule *s, const Value *v, int elements);
/* Is a position, or whether it is inside, the same for all elements of a pack? */
bool tile_is_uniform(const Body *b, int lane, const Value *v, int elements);
/* The number q of an atom that is k / q, where v is a multiple of q and k starts at one of v; 1: it
 * is k; 0: it is neither. */
int tile_lane_divisor(const Body *b, int lane, int atom, int v);
/* The number q of an index that is k % q; 0: it is none. */
int tile_remainder(const Body *b, int lane, Ix ix);

/* ---- windows.c: loads at constant distances from each other along the lane axis -------------- */

enum { WINDOW_CONDITIONS = 8 };

/* A window: what the elements of a pack of results load in common, in aligned packs: from `from` to
 * `to` - 1, where a load's own element is at step * (lane / divisor). Numbers are of elements from
 * `base` on, a multiple of the pack. Bounds, if there are any, lie between packs: elements before
 * `first` and from `end` on are zero, where the pack of results is at lane 0; and so are all, where
 * a condition (a value, of the whole pack) is false. */
typedef struct Window {
    int load;  /* one of its loads */
    int atom;  /* of its index: lane / divisor */
    int count; /* values of that in a pack of results */
    int pack;  /* elements of one that is loaded */
    int buffer, step, divisor;
    int64_t base, from, to;
    bool has_first, has_end;
    int64_t first, end;
    int condition[WINDOW_CONDITIONS], conditions;
} Window;

typedef Vec(Window) WindowVec;

typedef struct Windows {
    WindowVec all;
    int *of; /* value -> 1 + its window; 0: none */
} Windows;

/* In packs of so many elements; those whose loads are all packs by themselves are none. */
Windows tile_windows(const Kernel *k, const Schedule *s, int vector, Arena *arena);
int window_packs(const Window *w);
/* Is it a load of a window, and no pack by itself? */
bool tile_is_of_window(const Kernel *k, const Schedule *s, int value, int vector);

#endif
