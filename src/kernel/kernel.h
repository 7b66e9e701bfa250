/* kernel.h: Group to Kernel: loops and straight-line bodies. Target-neutral; C and CUDA
 * text are made from it in src/emit. A Kernel is complete when kernels_build returns, and does not
 * change: where and when its values are computed is a Schedule beside it (schedule/schedule.h).
 *
 * A Body is a loop nest over the axes of one space, with values (SSA) that a Schedule places at
 * three levels:
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
 * A row may also be reduced in groups: along the last COL axes alone, `group_axes`. A stage that
 * needs these goes through the groups, and through each of them in phases:
 *
 *         stage 1: for each group
 *                      group values         of one group: what is loaded for it
 *             phase 0: for each column of it
 *                          element values   what the accumulators of groups need
 *                          accumulate
 *                      group values         made from phase 0
 *             phase 1: ..                   stores, accumulators of the row
 *
 * A pointwise body has one stage, no accumulators, and its COL axis is the innermost one.
 * The lane axis is the one that C runs VL elements at a time along and neighbouring CUDA threads
 * share out: the innermost COL axis where memory is contiguous along it (row reductions), or the
 * innermost ROW axis (column reductions: `lane_is_row`). */
#ifndef FUSEC_KERNEL_H
#define FUSEC_KERNEL_H

#include "kernel/index.h"
#include "sched/memory/memory.h"

/* ---- the Kernel ---------------------------------------------------------------------------- */

typedef enum ValueKind {
    V_CONST,   /* bits, as in Node */
    V_UNIFORM, /* uniform[attr]: computed by the launcher from the dims */
    V_INDEX,   /* ix as a value, i32 or i64 (iota) */
    /* bool: attr <= ix < attr2 (pad), Dims; 0: that side is proven, and has no predicate */
    V_INSIDE,
    V_LOAD, /* buffer[attr] at ix; guard: zero where that value is false */
    V_OP, /* op on src; operands' register type is `operand`; attr as in Node. A call: attr2 is the
             number of its operands. OP_PHILOX: at attr * src[1] + attr2, if attr is not 0 */
    V_CAST, /* src[0] from `operand` to `type` */
    /* the finished reduction acc[attr]; of a contraction at column ix of its row, 0: the loop's
     * own; guard as of a load */
    V_ACC,
    V_SCAN, /* op, a scan, of src[0] along the COL axes; restarts with each row */
    /* src[0] combined by attr (an Op, OP_NULL: the later one) with src[3] for each value that the
     * V_CURSOR src[4] takes, from src[1] to before src[2]. What is computed from the cursor is
     * computed within that loop */
    V_COMBINE,
    V_CURSOR, /* its loop's variable, in 0..attr-1 (a Dim), as an index for ATOM_VALUE */
    V_CLAMP,  /* src[0], an integer, clamped to 0..attr-1 (a Dim), as an index for ATOM_VALUE */
    V_PART    /* the sum of the products of a block of k: see BlockValues */
} ValueKind;

typedef struct Value {
    ValueKind kind;
    Op op;
    Dtype type;    /* as in the graph; the register type is dtype_compute(type) (bool: bool) */
    Dtype operand; /* type of src[0] (of src[1] for where) */
    int src[SRC_MAX];
    int32_t attr, attr2;
    Ix ix;
    int guard;      /* 0: none */
    bool is_within; /* V_CLAMP: src[0] is in range, and not clamped */
    uint64_t bits;
    NodeId node;   /* the node: its name is used in the text and in comments */
    uint32_t axes; /* loop axes it depends on */
    bool of_group; /* the same for all elements of a group, and not for all of a row */
} Value;

typedef struct Accumulator {
    Op op;      /* OP_SUM .. OP_ARGMAX, OP_DOT */
    int value;  /* the accumulated value; OP_DOT: left operand */
    Dtype type; /* of the result */
    int result; /* the V_ACC */
    int index;  /* OP_ARGMAX: the value that is the position; OP_DOT: right operand */
    /* OP_DOT: 1 + the buffer with the left, the right operand packed; 0: every call packs it */
    int panels[2];
    int online_max; /* OP_SUM of exp(x - max(x)): the accumulator of that max, else -1 */
    int online_x;   /* then: x, so that one pass keeps both (online softmax, see online.c) */
    bool of_group;  /* of each group of a row */
} Accumulator;

/* A product of each accumulator, along the axis `axis` of k: values of the left operand, which all
 * have in common, and of their right ones. */
typedef struct Summand {
    int left, right[DOTS_MAX], axis;
} Summand;

typedef struct Store {
    int buffer; /* number in Kernel.buffers */
    int value;
    Ix ix;
    bool of_row;   /* attention: no column axis, stored once for each row */
    bool of_group; /* stored once for each group of a row */
    /* added to the sum of a chunk of rows, which starts at 0; ix is along BODY_CHUNK, too */
    bool adds;
    Ix limited; /* with a limit, elements are stored where this index is below it */
    Dim limit;  /* 0: all are */
} Store;

typedef struct Axis {
    int number; /* axis number in Indices */
    Dim extent;
    bool is_col;
} Axis;

/* The values that separate the pieces of an attention; numbers of values or accumulators. */
typedef struct AttentionValues {
    int scores, max, sum, out; /* accumulators; sum -1: unused */
    int x;                     /* value: the argument of the softmax */
    int unmasked;              /* the same without its mask; x if there is none */
    int shift;                 /* value: of a row, computed from the maximum */
    /* values: the exponential, and the left operand of the second product */
    int e, weights;
} AttentionValues;

/* A further result of a chain, of n rows: the transposed weights of a result times the left operand
 * of a score. A GPU adds it to memory by atomics. */
typedef struct AcrossValues {
    bool is_there;
    int weights; /* result number */
    int left;    /* score number; -1: that operand is none of a score */
    int right;   /* value: the same operand, along m and columns */
    int buffer;  /* number in Kernel.buffers */
    Ix ix;       /* along batch, n and columns */
} AcrossValues;

/* A chain: its scores, and the results of which functions of them are the left operands; numbers of
 * accumulators. */
typedef struct ChainValues {
    int scores[CHAIN_SCORES], depth[CHAIN_SCORES]; /* depth: the axis that each sums along */
    int outs[CHAIN_SCORES];
    int right_of[CHAIN_SCORES]; /* of outs: the score whose right operand is read, too; -1: none */
    int count, out_count;
    AcrossValues across;
} ChainValues;

/* A contraction that adds up scaled blocks of F8_DEPTH elements of k: its accumulator is the sum of
 * `term`, a function of the block's products, along the axis DOT_BLOCK, which goes beside DOT_K. */
typedef struct BlockValues {
    int part, term; /* values; 0: there are no blocks */
} BlockValues;

/* A sort of indices, or a step of one. */
typedef struct SortValues {
    Op op;             /* SEGMENTS, TALLY, GROUPS, GROUPED, BINNED */
    int groups, parts; /* of rows and of positions; 0: there are none */
    Op with;           /* BINNED: a reduction, .. */
    Dtype type;        /* .. of elements of this type; */
    Dim rows;          /* of elements, up to the axis of their indices, */
    int64_t columns;   /* and of each row */
    int from;          /* the tally or the groups that it reads: number in Kernel.buffers */
} SortValues;

typedef struct Body {
    List(Axis) axes; /* ROW axes first, each kind outermost first */
    int row_count;   /* axes[0..row_count) are rows */
    int lane;        /* number of the lane axis; -1: no axes at all */
    bool lane_is_row;
    uint32_t group_axes;    /* bits of axis numbers; 0: there are no groups */
    const Indices *indices; /* complete: emission only reads them */
    List(Value) values;     /* [0] unused; sources before readers */
    List(Accumulator) accs;
    List(Summand) added; /* contraction: further products of its accumulators */
    List(Store) stores;
    int dots; /* contraction: the number of accumulators that are OP_DOT */
    /* rows with partial sums: rows are shared out in so many chunks, each ceil(rows / chunks) of
     * them; 0: there are no such stores */
    int64_t chunks;
    Dim rows, cols;            /* products of the extents */
    AttentionValues attention; /* of an attention */
    ChainValues chain;         /* of a chain */
    BlockValues blocks;        /* of a contraction of scaled blocks */
    SortValues sort;           /* of a sort of indices */
} Body;

enum { BODY_CHUNK = 2 * RANK_MAX - 1 }; /* number of the axis of chunks, which is no loop axis */
enum { BODY_PIECES = 9 }; /* of an axis, in each of which conditions on the position are known */

typedef struct KernelBuffer {
    const char *name;
    const char *tensor; /* the name of what a call gives; NULL: the same */
    Dtype type;
    Dim elements;
    int plan_buffer;
    bool written, is_temp;
    bool is_shared; /* written in place, over another one, or overwritten so, or may be */
    int may_be;     /* plan buffer of the input whose memory a call may give for it; -1: none */
    int64_t place;  /* elements from its start to what the kernel is given: see places.c */
} KernelBuffer;

/* A scalar of literals and dims, computed once in the launcher: a graph node of rank 0. */
typedef struct Uniform {
    const char *name;
    NodeId node;
    Dtype type;
} Uniform;

/* Contractions with one left operand: c[batch.. m.. n..] = sum over k of a[batch.. m.. k..] times
 * b[batch.. n.. k..], one accumulator (OP_DOT) for each. The four axes are flattened: 0 batch, 1 m,
 * 2 n, 3 k. Operands are values over batch, m, k and batch, n, k; stores read the results (V_ACC)
 * and other values at batch, m, n. Accumulators may add up several such products, with operands of
 * their own: body.added has those after the first, and their k axes follow all others. */
enum DotAxis { DOT_BATCH, DOT_M, DOT_N, DOT_K, DOT_AXES };

/* Other accumulators of such a body reduce rows of the result, and a tile has whole rows of each
 * product. The contractions come first. The epilogue sees n as two axes: segments of rows that are
 * longer than a tile, and the columns of a segment, which are the COL axis of the body; it loads a
 * tile's accumulators like memory. */
enum { DOT_SEGMENT = DOT_AXES, DOT_COLUMN, DOT_BLOCK };

/* Attention: the scores are such a contraction of queries (m) and keys (n) along their depth (k);
 * the second one, of weights and values along the keys, gives the value columns of each query. The
 * body has five axes, and accumulators of both contractions, the rows' maximum and the sum. */
enum AttentionAxis {
    ATTENTION_BATCH = DOT_BATCH,
    ATTENTION_QUERY = DOT_M,
    ATTENTION_KEY = DOT_N,
    ATTENTION_DEPTH = DOT_K,
    ATTENTION_COLUMN,
    ATTENTION_AXES
};

/* A chain of contractions has the same axes: scores of m rows and n columns, and results that are
 * sums along n. Scores after the first have depths of their own, after all other axes. */

/* A sort of indices: one loop over them. Their rows are no loop axis. */
enum { SEGMENTS_COUNT, SEGMENTS_ROWS };

typedef struct Kernel {
    const char *name;
    Family family;
    const Graph *g;
    List(KernelBuffer) buffers; /* in the order of the kernel's pointer arguments */
    List(Uniform) uniforms;
    List(Body) bodies; /* pointwise: one for each loop nest; the others: one */
} Kernel;

/* ---- build.c: groups of a plan to kernels -------------------------------------------------- */

const Kernel *const *kernels_build(const Plan *plan); /* one for each group, in order */

/* ---- kernel/build/dot.c ---- */

/* Does a contraction's epilogue loop over whole rows of the result? */
bool body_has_rows(const Body *b);
/* The products of each accumulator: those of its operands along DOT_K, and those of `added`. */
int body_summand_count(const Body *b);
Summand body_summand(const Body *b, int i);

/* ---- visit.c: what a value reads ----------------------------------------------------------- */

typedef void VisitValue(const Body *b, int value, void *context);

int value_sources(const Value *v); /* number of src */
/* src, guard, positions */
void each_source(const Body *b, int value, VisitValue *visit, void *context);
uint32_t index_axes(const Body *b, Ix ix); /* loop axes, also through positions */
/* As ix_along, but a gathered position changes only with the axes of its value. */
int index_along(const Body *b, Ix ix, int axis, Dim *scale);
uint32_t body_col_axes(const Body *b); /* bit set */
int body_group_count(const Body *b);   /* of its axes: the last ones */
bool body_is_of_group(const Body *b,
                      uint32_t axes); /* changes it along these from group to group */
int64_t body_group(const Body *b);    /* columns of a group; 0: open, or there are none */
/* Sets the loop axes of all values, which are those of b. */
void body_find_axes(const Body *b, Value *values);
/* Are all positions along the loops, and all offsets, proven to fit an int? */
bool body_is_32bit(const Body *b);
/* How many loads below a value are contiguous along an axis. */
int value_contiguous(const Body *b, int value, int axis);
/* The load, of any element, that a body stores as it is, and does no more; NULL: it does more. */
const Value *body_moved(const Kernel *k, const Body *b);
/* Are all positions of a load proven to be in its buffer, also those that its guard excludes? */
bool load_is_within(const Kernel *k, const Body *b, const Value *v);
/* Is source number `source` of v read only where the condition is true, as that is what v chooses
 * by?
 */
bool value_is_chosen_by(const Body *b, const Value *v, int source, int condition);
/* Stores round from the register: the value before a rounding to the stored type. */
int value_unrounded(const Body *b, int value, Dtype stored);
bool value_is_minus_inf(const Value *v);
/* range.c: of an integer; from INT64_MIN to INT64_MAX where it is not known. */
typedef struct IntRange {
    int64_t least, most;
} IntRange;

IntRange value_range(const Body *b, int value);
double const_float(const Value *v); /* of a V_CONST */
int64_t const_int(const Value *v);
/* The side of a `where` that is not masked, 1 or 2, if the other is -Inf; 0: none. */
int value_mask_side(const Body *b, int value);

/* ---- untouched.c: elements that a body leaves as they are, where its results are written in place
 */

enum { TOUCHES_MOST = 8 };

/* A V_COMBINE: it touches an element whose segment is not empty. Another value: where it is true,
 * or, if it is `negated`, false. */
typedef struct Touch {
    int value;
    bool negated;
} Touch;

/* A pointwise body, all of whose stores have elements of inputs as they are wherever none of the
 * conditions holds: if all are written over these inputs, nothing is to be done there. */
typedef struct Untouched {
    bool are_there; /* else it always stores all elements */
    Touch touch[TOUCHES_MOST];
    int count;
} Untouched;

Untouched body_untouched(const Kernel *k, const Body *b);
/* The number of the buffer that a buffer may be written over; -1: none. */
int kernel_may_be(const Kernel *k, int buffer);
/* May loads that cross the stores go through tiles? Beyond the ends of those, a block reads
 * elements that another one may have written in place. */
bool kernel_may_cross(const Kernel *k);

/* ---- same.c: kernels that differ in their buffers and uniforms only ------------------------- */

uint64_t kernel_hash(const Kernel *k, Arena *arena); /* equal where two may be the same */
/* k as a kernel of the bodies of `first`, with its own buffers and uniforms in the first's order;
 * NULL: they are not the same. */
const Kernel *kernel_as(const Kernel *k, const Kernel *first, Arena *arena);

/* ---- places.c: what is read at constant offsets as reads of a place in a tensor -------------- */

const Kernel *kernel_at_places(const Kernel *k, Arena *arena); /* k itself if there is none */
/* "w_slice", "w_slice2": of a buffer that is a slice of a tensor that others read, too. */
const char *slice_name(Arena *arena, const char *tensor, int number);

/* ---- kernel/build/online.c: softmax in one pass over a row ---------------------------------- */

bool body_has_online(const Body *b);

#endif
