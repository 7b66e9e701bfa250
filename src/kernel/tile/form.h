/* form.h: what kind of work the body of a kernel is: how a contraction multiplies, what operands
 * are in memory, which axes cross. Tiles are chosen for a form, and do not change it. */
#ifndef FUSEC_FORM_H
#define FUSEC_FORM_H

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
    MULTIPLY_TF32X3, /* f32 operands as sums of two tf32 terms, */
    MULTIPLY_BF16X3, /* or of two, or three, bf16 terms */
    MULTIPLY_BF16X6
} Multiply;

typedef struct DotProduct {
    Dtype type;     /* of operands in shared memory */
    int terms;      /* of each operand; 0: no tensor cores */
    int products;   /* of terms */
    int term_bytes; /* where there are several */
} DotProduct;

/* How an operand reaches shared memory: copied without change, K-major or MN-major (contiguous
 * along its own axis), or computed in registers. */
typedef enum OperandLayout { OPERAND_K_MAJOR, OPERAND_MN_MAJOR, OPERAND_COMPUTED } OperandLayout;

typedef struct OperandLayouts {
    OperandLayout left, right[DOTS_MAX];
} OperandLayouts;

/* Loads of a computed operand that cp.async brings, for `elements` neighbours of the operand along
 * k. Loads of one index are one. */
enum { RAW_MOST = 4 };

typedef struct RawLoad {
    int value;
    int at, bytes; /* in the loads' memory for these elements */
} RawLoad;

typedef struct RawLoads {
    int count, bytes, elements;
    RawLoad at[RAW_MOST];
} RawLoads;

/* A load whose rows are pixels of images of a width and a height, moved by a few pixels; outside of
 * the image it is 0. TMA brings it (im2col). */
typedef struct PixelForm {
    Dim width, height;
    int across, down; /* moved by */
    Dim start;        /* the element of the first pixel that is not moved */
} PixelForm;

typedef struct DotForm {
    const Machine *gpu;
    Multiply multiply;
    const DotProduct *product;
    OperandLayout left, right[DOTS_MAX];
    OperandLayouts added[TERMS_MAX - 1];    /* of products that are added */
    RawLoads raw_left, raw_right[DOTS_MAX]; /* of computed operands, by mma.sync, */
    RawLoads fed_left, fed_right[DOTS_MAX]; /* and by producers for wgmma */
    int count;         /* of accumulators: of products that share the left operand */
    int columns;       /* of each product, that a tile must have for whole rows; 0: any */
    bool has_segments; /* columns is only a part of a row */
    Dim n_end;         /* end of the right operands: zeros beyond */
    bool has_pixels;   /* left operands are in memory but for guards: see PixelForm; */
    bool pixels_are_k; /* they are summed along pixels, not along channels */
    bool is_scattered; /* an operand is computed from loads that jump along k, or cross its rows */
    int wide_loads;    /* of f32 and more along k, in computed operands */
    int result_loads;  /* of an element of the result, that no other row or column shares */
    bool is_short;     /* k is known, and so small that the epilogue is much of the time */
    const char *no_wgmma; /* obstacle to wgmma; NULL: none */
    int box_columns;      /* of results that go through boxes, 128 bytes; 0: they do not */
    int box_results;      /* their number */
    bool box_is_shifted;  /* rows start anywhere in 16 bytes: a warp stores them, not TMA */
    bool only_reduces;    /* rows: elements are neither stored nor combined with ones of memory */
    const Body *blocks;   /* whose products are scaled in blocks of k; NULL: they are not */
} DotForm;

const DotProduct *dot_product(Multiply multiply);
Multiply dot_by_precision(Precision precision); /* of f32 operands on tensor cores */
DotForm dot_form(const Kernel *k, const Body *b, const Machine *gpu);
/* raw.c: of an operand along its summed axis, in products of this type; none: it is computed as it
 * is loaded. */
RawLoads operand_raw_loads(const Kernel *k, const Body *b, int value, int own, int summed,
                           Dtype type);
/* The same of rows that a block reads once, as keys: with what a whole pack shares, as scales. */
RawLoads operand_row_loads(const Kernel *k, const Body *b, int value, int own, int along,
                           Dtype type);
/* The same for as many elements as accesses of 16 bytes allow. */
RawLoads operand_fed_loads(const Kernel *k, const Body *b, int value, int own, Dtype type);
const RawLoad *raw_load_of(const RawLoads *raw, const Body *b, int value); /* NULL: it is none */
bool dot_has_raw(const DotForm *f);
/* Is the value a plain load that is contiguous along the axis, in aligned pieces of 16 bytes? */
bool operand_is_copied(const Body *b, int value, int axis, Dtype type);
/* Of an operand with this axis of its own: do neighbours along it lie side by side, rather than
 * along the summed axis? Values that do not depend on both, such as scales of its rows, do not
 * count. */
bool operand_is_across(const Body *b, int value, int own);

/* ---- wgmma_form.c: of one that warpgroups multiply ------------------------------------------- */

/* NULL: none */
const char *wgmma_obstacle(const Body *b, const DotForm *f, Precision precision);
/* Do tensor cores add up one stage along k, and registers the stages? Sums of products of f8 have
 * few bits on Hopper. */
bool wgmma_promotes(const DotForm *f);
bool wgmma_computes(const DotForm *f); /* do producers compute an operand? */
/* Are all left operands in memory, some as pixels that are moved? */
void wgmma_find_pixels(const Body *b, DotForm *f);
/* How warpgroups have the left operand of product i of a sum. */
OperandLayout wgmma_left(const DotForm *f, int i);
void wgmma_find_boxes(const Kernel *k, const Body *b, DotForm *f);

/* ---- pixels.c: of left operands that are moved images ------------------------------------------
 */

/* By the axes of pixels and of channels. False: it is none, as where nothing falls outside. */
bool pixel_form(const Body *b, int value, int pixels, int channels, PixelForm *form);

/* ---- gemv.c: of a contraction in C with few rows or columns ---------------------------------- */

typedef struct GemvForm {
    int wide, narrow; /* DOT_M and DOT_N, or the reverse: the narrow side has few rows (columns) */
    int count;        /* of the narrow side: so many at a time, */
    int all;          /* of so many; more parts than one read the wide operand from L2 */
    /* by product: the wide operand is contiguous along its own axis, else along k */
    bool is_across[DOTS_MAX];
} GemvForm;

enum { GEMV_MOST = 8 }; /* rows or columns; more of deep products: see gemv.c */

bool gemv_form(const Body *b, GemvForm *form); /* false: it is no such contraction */

/* ---- attention.c: of an attention on tensor cores -------------------------------------------- */

typedef struct AttentionForm {
    AttentionValues attention;
    bool has_mma_types;            /* both contractions have operand types of tensor cores, */
    int long_axis;                 /* but this axis is open or too long; 0: none */
    int longest;                   /* that it may be */
    Dtype scores, values;          /* element types of the two contractions */
    Multiply f32_products;         /* of f32 operands; else MULTIPLY_FMA */
    int depth_steps, column_steps; /* in steps of 16 elements */
    int depth_row, column_row;     /* elements of a row in shared memory */
    int widest;                    /* depth or columns */
    RawLoads raw_keys, raw_values; /* of computed operands, by mma.sync */
    const char *no_wgmma;          /* obstacle to wgmma; NULL: none */
    bool layout_obstacle;          /* the obstacle is a memory layout */
} AttentionForm;

/* Without tensor cores, only `attention` and the reason are set. */
bool attention_form(const Kernel *k, const Body *b, const Machine *gpu, AttentionForm *form);
int attention_element_size(const AttentionForm *form); /* bytes */
/* How tensor cores multiply f32 operands in shared memory; else MULTIPLY_FMA. */
Multiply attention_f32_products(const Kernel *k);

/* ---- attention_wgmma.c: of one that warpgroups multiply -------------------------------------- */

/* How TMA addresses an operand as a tensor of three axes. Rows are evenly spaced. Of the terms of
 * its index that depend on the batch, one chooses the plane, and the others a part of each row:
 * (batch / H) S H D + s H D + (batch % H) D + d has planes of S rows of H parts. Rows may be those
 * of several heads, one after the other: then they are in runs, and a box has rows of one. */
typedef struct TensorForm {
    int plane;       /* number of the term; -1: none */
    uint32_t within; /* terms: bit set */
    Dim run;         /* rows that are evenly spaced; 0: all of them */
    int row;         /* then: the term that is the row of a run */
} TensorForm;

enum { TENSOR_RUN = 16 }; /* rows of a box where there are runs, of known multiples of it */

/* Does TMA bring the operand, with elements along that axis, without change? */
bool tensor_is_boxes(const Body *b, int value, int own, int along, Dtype type);
bool tensor_form(const Body *b, int value, int own, int along, TensorForm *form);
void attention_wgmma_obstacle(const Body *b, const Machine *gpu, AttentionForm *form);

/* ---- chain.c: of a chain of contractions on tensor cores ------------------------------------- */

enum { CHAIN_COLUMNS = 4 };

/* What weights load for each column of scores, f32 numbers; by wgmma, producers bring it. */
typedef struct ChainColumns {
    int value[CHAIN_COLUMNS], count;
} ChainColumns;

ChainColumns chain_columns(const Body *b);

/* Two results of two scores, of which the weights of one, `first`, are a function of one score,
 * `score`, that the others' weights read only through it: they are computed while the other score
 * is multiplied. first < 0: there are none. */
typedef struct ChainSplit {
    int first, score;
} ChainSplit;

ChainSplit chain_split(const Body *b, Dtype type); /* type: in which weights are multiplied */

typedef struct ChainForm {
    int count, out_count;  /* scores, results */
    bool has_mma_types;    /* all contractions have operand types of tensor cores, */
    int long_axis;         /* but this axis is open or too long; 0: none */
    int longest;           /* that it may be */
    int most_columns;      /* of all results together */
    Multiply f32_products; /* of f32 operands; else MULTIPLY_FMA */
    Dtype scores[CHAIN_SCORES], values[CHAIN_SCORES];       /* element types */
    int depth_steps[CHAIN_SCORES], depth_row[CHAIN_SCORES]; /* as in AttentionForm */
    int column_steps, column_row;
    int widest;
    int right_of[CHAIN_SCORES]; /* of results: the score with the same right operand; -1: none */
    bool has_across;            /* is there a result of n rows, .. */
    int across_weights,
        across_left;      /* .. of this result's weights, and that score's left operand */
    const char *no_wgmma; /* obstacle to wgmma; NULL: none */
    ChainColumns of_column;
    ChainSplit split;
} ChainForm;

/* Without tensor cores, only the reason is set. */
bool chain_form(const Kernel *k, const Body *b, const Machine *gpu, ChainForm *form);
int chain_element_size(const ChainForm *form); /* bytes */

/* ---- transpose.c: of a pointwise body that reads across the order in which it writes --------- */

typedef struct TransposeForm {
    int lane;           /* the axis along which stores are contiguous */
    int across;         /* and the loads that cross them; -1: none do */
    int vector;         /* elements that accesses along both allow at once */
    int shifted;        /* of an aligned pack that starts anywhere in a row; 0: there are none */
    int64_t element;    /* bytes of the largest that is moved, */
    int64_t crossing;   /* and of the largest that crosses */
    int64_t staged;     /* of all loads that cross, for each element */
    int64_t rows, cols; /* extents of `across` and `lane`; 0: open */
} TransposeForm;

TransposeForm transpose_form(const Kernel *k, const Body *b);
/* Rows of a result that are no whole lines share some with their neighbours, and streaming stores
 * of parts of lines wait for memory: they pay from so many bytes of a row, and so many times the
 * bytes of other results. One thread of a Zen 3, x.T of f32 with and without: [20, 50000] 22.1
 * and 1.0 ms, [250, 4001] 1.5 and 0.48, [1025, 1023] 0.76 and 0.43; but [4095, 4097] 15.5 and 18.1.
 */
enum { RAGGED_ROW = 2048, RAGGED_TIMES = 8 };
bool transpose_crosses(const Body *b, const TransposeForm *f, int value);

/* ---- permute.c: of a pointwise body that loads its axes in another order than it stores them,
 * where lines of memory span several axes ------------------------------------------------------ */

enum { PERMUTE_AXES = 2 * RANK_MAX, PERMUTE_LOADS = 4 };

/* By axis, in the order of the stores, the innermost first. */
typedef int64_t PermuteAxes[PERMUTE_AXES];

typedef struct PermuteLoad {
    int value;
    int64_t size;       /* bytes of an element */
    PermuteAxes stride; /* in memory, in elements */
} PermuteLoad;

typedef struct PermuteForm {
    int count;              /* of axes; 0: nothing is loaded in another order, or a size is open */
    int axis[PERMUTE_AXES]; /* their numbers in the body */
    PermuteAxes extent;
    int64_t element; /* bytes of the largest that is stored */
    int64_t stored;  /* and of all together */
    int vector;      /* elements that stores, and loads in their order, allow at once */
    PermuteLoad load[PERMUTE_LOADS];
    int loads;
} PermuteForm;

PermuteForm permute_form(const Kernel *k, const Body *b);

#endif
