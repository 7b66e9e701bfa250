/* kernel.h: floor 5. Group to Kernel: loops, straight-line bodies, and where each value is
 * computed. Target-neutral; C and CUDA text are made from it in src/emit.
 *
 * A Body is a loop nest over the axes of one space, with values (SSA) placed at three levels:
 *
 *     uniform values                        level 0   no axis
 *     for each row  (ROW axes)
 *         row values                        level 1   ROW axes only (or a finished reduction)
 *         stage 0: for each column (COL axes)
 *                      element values       level 2   what the accumulators of stage 0 need
 *                      accumulate
 *         row values made from stage 0
 *         stage 1: ...
 *         last stage: for each column
 *                      element values
 *                      store
 *
 * A pointwise body has one stage, no accumulators, and its COL axis is the innermost one.
 * The lane axis is the one that C runs VL elements at a time along and neighbouring CUDA threads
 * share out: the innermost COL axis where memory is contiguous along it (row reductions), or the
 * innermost ROW axis (column reductions: `lane_is_row`). */
#ifndef FUSEC_KERNEL_H
#define FUSEC_KERNEL_H

#include "sched/sched.h"

/* ---- index.c: where an element is ---------------------------------------------------------- */

/* An index: a sum of Dim multiples of atoms plus a Dim, in normal form; equal ones are one Ix.
 * Atoms are loop axes, x / q and x % q (floor, q a Dim, x >= 0), and integer values (take). */
typedef int32_t Ix;

typedef enum AtomKind { ATOM_AXIS, ATOM_DIV, ATOM_MOD, ATOM_VALUE } AtomKind;

typedef struct IxAtom {
    AtomKind kind;
    int32_t a;     /* axis number, Ix, or value number */
    Dim q;         /* DIV, MOD: divisor; VALUE: extent */
    uint32_t axes; /* loop axes it depends on */
} IxAtom;

typedef struct IxTerm {
    Dim scale;
    int32_t atom;
} IxTerm;

typedef struct IxNode {
    int count;
    IxTerm *term;  /* by atom number */
    Dim offset;    /* never 0: the Dim of 0 when there is none */
    Dim lo, hi;    /* proven bounds, 0 when not known */
    uint32_t axes; /* bit set of the loop axes it depends on, through any atom */
    bool dynamic;  /* depends on a value */
} IxNode;

typedef struct Indices {
    Arena *arena;
    Dims *dims;
    Vec(IxNode) node;
    Vec(IxAtom) atom;
    Dim extent[2 * RANK_MAX]; /* of the loop axes, by number */
    int32_t *table;
    int table_size;
} Indices;

Indices *indices_new(Arena *arena, Dims *dims);
Ix ix_const(Indices *x, Dim value);
Ix ix_axis(Indices *x, int axis);                              /* extent[axis] must be set */
Ix ix_value(Indices *x, int value, Dim extent, uint32_t axes); /* an integer in 0..extent-1 */
Ix ix_add(Indices *x, Ix a, Ix b);
Ix ix_scale(Indices *x, Ix a, Dim by);
Ix ix_div(Indices *x, Ix a, Dim by);
Ix ix_mod(Indices *x, Ix a, Dim by);
/* Row-major offset of an index vector in a shape, and the reverse. */
Ix ix_flatten(Indices *x, int rank, const Ix *index, const Dim *shape);
void ix_unflatten(Indices *x, Ix flat, int rank, const Dim *shape, Ix *index);
/* a with each axis replaced (axes without replacement, -1, stay). */
Ix ix_replace(Indices *x, Ix a, const Ix *by_axis, int count);
/* How a moves with an axis: 0 not at all, 1 by `*scale` each step, 2 in some other way. */
int ix_along(const Indices *x, Ix a, int axis, Dim *scale);
/* Proven: the offset never exceeds 2^31 - 1. */
bool ix_is_32bit(const Indices *x, Ix a);
/* As C text over axis_name[number] and value_name[number]; dims by their names. */
void ix_print(const Indices *x, Ix a, const char *const *axis_name, const char *const *value_name,
              Text *out);

/* ---- the Kernel ---------------------------------------------------------------------------- */

typedef enum ValueKind {
    V_CONST,   /* bits, as in Node */
    V_UNIFORM, /* uniform[attr]: computed by the launcher from the dims */
    V_INDEX,   /* ix as an i32 value (iota) */
    V_INSIDE,  /* bool: attr <= ix < attr2 (pad), Dims; 0: that side is proven, and not tested */
    V_LOAD,    /* buffer[attr] at ix; guard: only where that value is true, else zero */
    V_OP,      /* op on src; operands' register type is `operand` */
    V_CAST,    /* src[0] from `operand` to `type` */
    V_ACC,     /* the finished reduction acc[attr] */
    V_SCAN,    /* running sum of src[0] along the COL axes; restarts with each row */
    V_CLAMP    /* src[0], an integer, clamped to 0..attr-1 (a Dim), as an index for ATOM_VALUE */
} ValueKind;

typedef struct Value {
    ValueKind kind;
    Op op;
    Dtype type;    /* as in the graph; the register type is dtype_compute(type) (bool: bool) */
    Dtype operand; /* type of src[0] (of src[1] for where) */
    int src[SRC_MAX];
    int32_t attr, attr2;
    Ix ix;
    int guard; /* 0: none */
    uint64_t bits;
    NodeId node;   /* where it comes from: its name in the text, and comments */
    uint32_t axes; /* loop axes it depends on */
    int level;     /* 0 uniform, 1 row, 2 element */
    int stage;     /* first stage in whose loop (level 2) or before whose loop (level 1) it can be
                      computed: 1 + the last stage of the accumulators it needs */
    uint64_t used; /* 0: not needed. Level 2: bit set of the stages whose loop needs it */
    bool keep;     /* level 2, used in several stages, and worth keeping from one to the next */
} Value;

typedef struct Accumulator {
    Op op;     /* OP_SUM .. OP_ARGMAX, OP_DOT */
    int value; /* what is accumulated; OP_DOT: left operand */
    int stage;
    Dtype type;     /* of the result */
    int result;     /* the V_ACC */
    int index;      /* OP_ARGMAX: the value that is the position; OP_DOT: right operand */
    int panels[2];  /* OP_DOT: 1 + the buffer that holds the left, the right operand packed; 0: it
                       is packed at every call */
    int online_max; /* OP_SUM of exp(x - max(x)): the accumulator of that max, else -1 */
    int online_x;   /* then: x, so that one pass keeps both (online softmax, see place.c) */
} Accumulator;

/* A product that is summed along an axis of its own: values of its operands. */
typedef struct Summand {
    int left, right, axis;
} Summand;

typedef struct Store {
    int buffer; /* number in Kernel.buffers */
    int value;
    Ix ix;
    int level; /* 1: once a row, 2: each element */
    int stage; /* whose loop stores it (level 2), or before whose loop (level 1) */
} Store;

typedef struct Axis {
    int number; /* in Indices */
    Dim extent;
    bool is_col;
} Axis;

typedef struct Body {
    Vec(Axis) axes; /* ROW axes first, each kind outermost first */
    int row_count;  /* axes[0..row_count) are rows */
    int lane;       /* number of the lane axis; -1: no axes at all */
    bool lane_is_row;
    Indices *indices;
    Vec(Value) values; /* [0] unused; sources before readers */
    Vec(Accumulator) accs;
    Vec(Summand) added; /* contraction: further products that its only accumulator sums */
    Vec(Store) stores;
    int dots;        /* of a contraction: how many of the accumulators are OP_DOT */
    int stage_count; /* >= 1; the last is the one that stores elements (it may have none) */
    Dim rows, cols;  /* products of the extents */
} Body;

typedef struct KernelBuffer {
    const char *name;
    Dtype type;
    Dim elements;
    int plan_buffer;
    bool written, is_temp;
} KernelBuffer;

/* A scalar of literals and dims, computed once in the launcher: a graph node of rank 0. */
typedef struct Uniform {
    const char *name;
    NodeId node;
    Dtype type;
} Uniform;

/* Contractions of one left operand: c[batch.. m.. n..] = sum over k of a[batch.. m.. k..] times
 * b[batch.. n.. k..], for each accumulator (OP_DOT) of the one body. Its four axes are flattened: 0
 * batch, 1 m, 2 n, 3 k. Operands are values over batch, m, k and batch, n, k; stores read the
 * results (V_ACC) and anything else at batch, m, n. Or one accumulator of several such sums, with
 * operands of their own: body.added has those after the first, and their axes follow all others. */
enum DotAxis { DOT_BATCH, DOT_M, DOT_N, DOT_K, DOT_AXES };

/* Where the body has other accumulators as well, they reduce rows of the results, and a tile owns
 * the columns of each. The contractions come first, and n is two axes to what reads them: parts,
 * and the columns of one, which are the COL axis of the body; a tile's sums are loaded like memory.
 */
enum { DOT_PART = DOT_AXES, DOT_COLUMN };

/* Attention: the scores are such a contraction of queries (m) and keys (n) along their depth (k);
 * the other, of weights and values along the keys, gives value columns at each query. The one body
 * has five axes, and accumulators of both contractions, of the rows' maximum and of the sum. */
enum AttentionAxis {
    ATTENTION_BATCH = DOT_BATCH,
    ATTENTION_QUERY = DOT_M,
    ATTENTION_KEY = DOT_N,
    ATTENTION_DEPTH = DOT_K,
    ATTENTION_COLUMN,
    ATTENTION_AXES
};

/* The values that an attention is written in pieces between; numbers of values or accumulators. */
typedef struct AttentionParts {
    int scores, max, sum, out; /* accumulators; sum -1: nothing reads it */
    int x;                     /* value: what the softmax is taken of */
    int shift;                 /* value: a row's, made from the maximum */
    int e, weights;            /* values: the exponential, and the same as the product reads it */
} AttentionParts;

typedef struct Kernel {
    const char *name;
    Family family;
    const Graph *g;
    Vec(KernelBuffer) buffers; /* in the order of the kernel's pointer arguments */
    Vec(Uniform) uniforms;
    Vec(Body) bodies; /* pointwise: one a part; the others: one */
} Kernel;

/* ---- build.c: groups of a plan to kernels -------------------------------------------------- */

Kernel *const *kernels_build(const Plan *plan); /* one of each group, in their order */

/* ---- build_dot.c ---- */

bool body_has_rows(const Body *b); /* a contraction's: are rows of its results reduced? */
/* The contractions that the first accumulator sums: that of its operands along DOT_K, and those
 * that are added to it. */
int body_summand_count(const Body *b);
Summand body_summand(const Body *b, int i);

/* ---- build_attention.c ---- */

AttentionParts attention_parts(const Body *b);

/* ---- axes.c: axes that memory does not tell apart become one; the lane axis is chosen ------ */

void body_axes(Body *b, Arena *arena);

/* ---- visit.c: what a value reads ----------------------------------------------------------- */

typedef void VisitValue(Body *b, int value, void *context);

int value_sources(const Value *v);                                      /* how many of src it has */
void each_source(Body *b, int value, VisitValue *visit, void *context); /* src, guard, positions */
uint32_t index_axes(const Body *b, Ix ix); /* loop axes, also through positions */
/* As ix_along, where a gathered position moves only with the axes of its value. */
int index_along(const Body *b, Ix ix, int axis, Dim *scale);

/* ---- focus.c: part of a body --------------------------------------------------------------- */

/* Only what `roots` need is used, all of it once for each element; finished reductions are given.
 */
void body_focus(Body *b, const int *roots, int count);
/* How many loads below a value are contiguous along an axis. */
int value_contiguous(const Body *b, int value, int axis);
/* Storing rounds from the register: what is stored for a value that is rounded just before. */
int value_unrounded(const Body *b, int value, Dtype stored);

/* ---- place.c: levels, stages, and what is kept from one stage to the next ------------------ */

/* May be called again with another choice. keep: values worth it are kept, not computed again.
 * online: the maximum and the sum of exponentials under it are one stage (Milakov & Gimelshein,
 * "Online normalizer calculation for softmax", 2018). */
void body_place(Body *b, bool keep, bool online);
/* Can the body be placed online? */
bool body_has_online(const Body *b);
/* Value.axes alone, of bodies that are written in pieces: body_focus places what a piece needs. */
void body_value_axes(Body *b);

/* ---- kernel_print.c: --emit=kernel --------------------------------------------------------- */

void kernel_print(const Kernel *k, Text *out);

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
typedef enum Feed { FEED_ALONG_K, FEED_ACROSS_K, FEED_COMPUTED } Feed;

typedef struct DotForm {
    const Machine *gpu;
    Multiply multiply;
    const DotProduct *product;
    Feed left, right[DOTS_MAX];
    Feed added[DOTS_MAX - 1][2]; /* left, right: of products that are added */
    int count;                   /* of products that share the left operand */
    int columns;                 /* of each, that a tile owns for the rows of its results; 0: any */
    bool has_parts;              /* which are not all of a row */
    Dim n_end;                   /* where the right operands end: beyond are zeros */
    bool is_scattered; /* an operand is computed from loads that jump along k, or cross its rows */
    const char *hindered; /* why warpgroups cannot multiply it (wgmma); NULL: they can */
} DotForm;

const DotProduct *dot_product(Multiply multiply);
DotForm dot_form(const Kernel *k, Body *b, const Machine *gpu);
/* Is the value a plain load whose neighbours along the axis, which becomes the lane axis, are
 * neighbours in memory, 16 bytes at a time? */
bool operand_is_copied(Body *b, int value, int axis, Dtype type);

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

Tile tile_default(const Kernel *k, const Body *b);
/* Of rows of a contraction's results, which part of a warp takes from shared memory. */
Tile tile_rows(const Kernel *k, const Body *b, int most_vector, int least_threads);
/* tile_attention.c: of an attention on tensor cores. */
typedef struct AttentionForm {
    AttentionParts parts;
    bool is_narrow;                /* both contractions have operands for tensor cores; */
    int hindered;                  /* but this axis is open or too long; 0: none */
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

/* tile_dot.c: of a contraction on tensor cores. */
Tile tile_dot(const Body *b, const DotForm *f);
int64_t tile_dot_shared(const DotForm *f, const Tile *t); /* bytes of dynamic shared memory */
int tile_dot_registers(const DotForm *f, const Tile *t);  /* of a thread: an estimate */
int tile_dot_threads(const Tile *t);
/* All legal tiles, the smallest last: it fits every device that has tensor cores. */
int tile_dot_legal(const DotForm *f, Tile *tiles, int most);

/* tile_wgmma.c: of one that warpgroups multiply. */
enum {
    WGMMA_TILES = 6,       /* at most */
    WGMMA_PITCH = 40,      /* floats from one row of results on their way out to the next */
    WGMMA_REGISTERS = 168, /* of each thread, which warpgroups then share out: */
    WGMMA_BRING = 40,
    WGMMA_MULTIPLY = 232
};

const char *wgmma_hindered(const Body *b, const DotForm *f); /* NULL: nothing */
int tile_wgmma_legal(const DotForm *f, Tile *tiles);
int64_t tile_wgmma_shared(const DotForm *f, const Tile *t); /* bytes of dynamic shared memory */
double tile_wgmma_clocks(const Body *b, const DotForm *f, const Tile *t);
/* Columns of each product that leave at once. */
int wgmma_part(int count);
/* May vectors of v along the lane axis start at multiples of v? Unless known sizes say no. */
bool tile_may_align(const Body *b, Ix ix, int v);
/* The most elements, up to v, that such an access moves at once. */
int tile_widest(const Body *b, Ix ix, Dtype type, int v);
/* And may the guard of a load be the same for all elements of such a vector? */
bool tile_may_guard(const Body *b, int guard, int v);

#endif
