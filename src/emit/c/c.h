/* c.h: shared by the files of the C target. */
#ifndef FUSEC_EMIT_C_H
#define FUSEC_EMIT_C_H

#include "emit/text/writer.h"

/* ---- value.c ---- */

extern const Dialect c_dialect;

/* Is the value stored from one stage to the next? Its name there. */
bool c_keeps(const Writer *w, int value);
const char *c_kept_name(const Writer *w, int value);
/* The power of two that a 32-bit integer is divided by; 0: another divisor. */
int32_t c_divisor_power(const Writer *w, const Value *v);

/* ---- random.c ---- */

/* Is an operation declared by statements of its own? */
bool c_has_statements(const Writer *w, int value);
void c_declare_random(Writer *w, int value);    /* one that is */
bool c_is_start(const Writer *w, int position); /* is it read only where it takes no vector? */

/* ---- store.c ---- */

/* Writes a store; `how`: "st", "stream" or "out" (which selects at run time). */
void c_store(Writer *w, const Store *s, const char *how);
/* Two vectors, the lanes of which are stored in turn, from the store's address on. */
void c_store_in_turn(Writer *w, int store, const char *even, const char *odd);
/* "stream" if the output is known to be large, "out" to select at run time, else "st". */
const char *c_store_way(const Writer *w, int store);
void c_store_element(Writer *w, int store); /* in that way, or added to a sum of the column */
void c_store_row(Writer *w, int store);

/* ---- lanes.c ---- */

const char *c_lanes(Writer *w); /* how many there are, in what is written: "VL", or a variable */
bool c_is_in_lanes(const Writer *w); /* inside the loop over the lane axis? */
/* How an address changes with the lane: 0 uniform, 1 contiguous, 2 in another way. */
int c_lane_step(const Writer *w, Ix ix);
/* Do so many lanes from such a multiple on have one index, as that of the scale of a group? */
bool c_is_of_group(const Writer *w, Ix ix, int lanes);
int64_t c_group_of(const Writer *w, Ix ix); /* the positions that have it, of such an index */
bool c_is_vector(const Writer *w, Ix ix);   /* contiguous, from a multiple of VL on? */
/* Of vectors that start at a multiple of VL: has each position two lanes, one after the other? */
bool c_is_twice(const Writer *w, Ix ix, int lane);
/* Has each of these positions several lanes, and how far are the positions apart? 0: no; a step is
 * at most the lanes of one, so that all are in a vector. */
typedef struct CGroups {
    int64_t lanes, step;
} CGroups;

CGroups c_groups(const Writer *w, Ix ix, int lane);
int c_period(const Writer *w, Ix ix); /* is it 0, 1, .. below this in turn, in the current lanes? */
/* The distance of neighbouring lanes' addresses, as text; NULL: they are not evenly spaced. */
const char *c_lane_stride(const Writer *w, Ix ix);
/* An index that depends on positions as a vector with that of each lane, declared here; NULL: it is
 * not known to fit in 32 bits. */
const char *c_lane_indices(Writer *w, Ix ix);
/* A value as a position in the text of an index: that of a lane. */
const char *c_position(const Writer *w, int value, const char *lane);
/* Inside a loop over lanes `l`, the lane axis is at its start plus l, and gathered positions are
 * those of that lane. */
typedef struct CLane {
    const char *axis, **index;
} CLane;

CLane c_enter_lane(Writer *w);
void c_leave_lane(Writer *w, CLane saved);
const char *c_lane_address(Writer *w, int buffer, Ix ix);

const char *c_splat(Writer *w, Dtype type, const char *scalar); /* the scalar in all lanes */

/* ---- cast.c ---- */

/* `source` converted as the value v says. */
Expr c_cast(Writer *w, const Value *v, Expr source);

/* ---- reduce.c ---- */

const char *c_identity(Op op, const char *reg); /* of a reduction or a scan, in a register type */
bool c_has_partial_sums(const Accumulator *a); /* may it be summed in independent parts? */
void c_accumulator_start(Writer *w, int acc);
void c_accumulate(Writer *w, int acc);
void c_accumulator_finish(Writer *w, int acc);
/* Of a strip of columns: arrays of vectors, and the names of their results in a loop over it; those
 * of one vector, for a loop over rows within that, or those of a cache line of elements of
 * line_bytes (0: one vector). */
void c_strip_start(Writer *w, int acc);
void c_strip_enter(Writer *w, int acc, int line_bytes);
void c_strip_leave(Writer *w, int acc, int line_bytes);
void c_strip_order(Writer *w, int acc); /* of a line in turns that of memory */
void c_strip_finish(Writer *w, int acc);
/* Of rows side by side: arrays with an element for each row; one of them, in a loop over rows. */
void c_beside_declare(Writer *w, int acc);
void c_beside_start(Writer *w, int acc);

/* ---- beside.c: rows side by side ---- */

int c_rows_beside(const Writer *w); /* 1: each row by itself */
void c_open_rows(Writer *w, const Axis *a);
void c_stages_beside(Writer *w);

/* ---- prefetch.c ---- */

int c_inner_row(const Writer *w);             /* the axis of the innermost loop over rows */
bool c_is_in_l2(const Writer *w, int buffer); /* has L2 room for all of a buffer of known size? */
void c_prefetch(Writer *w, int stage);
/* What each load reads so many positions further along an axis, if the lanes are contiguous; when:
 * "if (..) ". */
void c_prefetch_along(Writer *w, int axis, int distance, const char *when);
/* Before a row: rows that loads find by their position. */
void c_prefetch_gathered(Writer *w, int stage);

/* ---- kernel.c ---- */

/* A call of an emitted function. */
typedef struct CCall {
    const char *function;
    Parameters arguments;
} CCall;

/* An operand that is packed when constants are prepared. */
typedef struct CPacking {
    int buffer; /* number in Kernel.buffers */
    CCall call;
    const char *bytes; /* of its panels */
} CPacking;

/* One kernel as called by the launcher. */
typedef struct CKernel {
    Vec(CCall) calls;    /* one for each body */
    const char *scratch; /* bytes for each thread, "0": none */
    const char *packed;  /* bytes for all threads together, "0": none */
    const bool *dims;    /* that scratch and packed depend on */
    Vec(CPacking) packings;
    const bool *packing_dims; /* that their bytes depend on */
} CKernel;

/* Writes the functions of a kernel that is not identical to an earlier one.
 * before: the text of the model's functions before this one */
CKernel emit_c_kernel(const TiledKernels *kernels, int number, const Names *names,
                      const Text *before, Text *out);
/* All stages of one row of a body with a schedule; returns the scratch bytes of a thread, "":
 * none. is_shared: it is inside of a loop that the kernel's threads share. */
const char *c_row(Writer *w, bool is_shared);
const char *c_rows(Writer *w); /* and the loops over rows, which threads share, around it */

/* ---- untouched.c ---- */

/* Ends a row (level 1) or a vector (2) that changes nothing of what is written in place. */
void c_leave_untouched(Writer *w, int level);
/* Ends several rows of which that is known before the values of one are declared, inside of so many
 * loops over rows; 0: each row ends alone. */
void c_leave_rows(Writer *w);
int c_rows_left(const Writer *w);

/* ---- stage.c ---- */

void c_stage(Writer *w, int stage);          /* its loops, by the thread that has the row */
void c_elements(Writer *w, int stage);       /* what its innermost loop contains */
void c_stage_shared(Writer *w, int stage);   /* of a kernel without rows: threads share columns */
void c_open_axis(Writer *w, const Axis *a);  /* the loop of one axis */
void c_open_lanes(Writer *w, const Axis *a); /* the loop along a row, by one thread */
void c_declare_lanes(Writer *w); /* the valid ones, in such a loop along the lane axis */
/* Threads share so many of the loops that follow; false: the work is known to be too little. */
bool c_parallel(Writer *w, int loops);
void c_close_loops(Writer *w, int count);
/* Before a loop over elements of a stage: it is unrolled, if it is short. */
void c_unroll(Writer *w, int stage, int64_t steps);
/* Is the extent of an axis known to be a multiple? */
bool c_is_whole(const Writer *w, int axis, int side);

/* ---- row_groups.c ---- */

void c_row_groups(Writer *w, int stage); /* a stage that goes through the groups of a row */

/* ---- call.c ---- */

void c_put_call(const CCall *call, const char *indent, Text *out);
/* The calls of k through the functions of an identical kernel. */
CKernel c_kernel_calling(const Kernel *k, const CKernel *made, Arena *arena);

/* ---- column.c ---- */

void c_column(Writer *w); /* the loops of a body with such a tile */

/* ---- flight.c ---- */

/* The loops of a stage with several vectors in flight; do threads share them? */
void c_flight(Writer *w, int stage, bool shared_out);

/* ---- transpose.c ---- */

void c_transpose(Writer *w); /* the loops of a body with such a tile */

/* ---- segments.c ---- */

void c_segments(Writer *w); /* the function's body */
const char *c_segments_packed(Writer *w);

/* ---- pack.c ---- */

/* A part of an operand as panels (templates/c/tiles.h): from `first` to `stop` of its own axis and
 * from `k_first` to `k_end` of k, all as text. */
typedef struct CPanels {
    int own, k; /* axes */
    const char *first, *stop, *k_first, *k_end;
    const char *width;     /* MR or NR */
    const char *to, *size; /* the first panel, and its elements */
    Dtype type;            /* of the elements; T_NONE: the type in which they are multiplied */
    /* "pack_a_%s_%s", along or across and the type in memory: the function that packs a part of
     * plain memory; NULL: none */
    const char *function;
    const char *more;  /* arguments of it; NULL: none */
    bool is_unaligned; /* k_first may be no multiple of a vector */
} CPanels;

/* Starts the text of a piece along a lane axis (-1: for a row). */
Text c_piece(Writer *w, PieceRole role, int operand, int lane);
/* The same over sums of tiles, which start at a multiple of VL: vectors may be known to be whole.
 */
Text c_piece_of_tile(Writer *w, PieceRole role, int lane);
const char *c_pack(Writer *w, int operand, const CPanels *p); /* loops that evaluate and pack */
/* Is it a load that a function could pack? */
bool c_pack_is_plain(const Writer *w, int operand, int own, int k);
/* Is it one whose rows are contiguous along k, and how far apart? */
bool c_pack_has_rows(const Writer *w, int operand, int own, int k, Dim *stride);
/* And is there one that packs its elements as lanes of f32? */
bool c_pack_has_function(const Writer *w, int operand, int own, int k);
/* Such a load from p->first and p->k_first on: its first element, and the distance of lines that
 * are contiguous along k, or across it. */
typedef struct CMatrix {
    Dtype type;
    bool is_along;
    const char *from;
    Dim stride;
} CMatrix;

CMatrix c_pack_matrix(Writer *w, int operand, const CPanels *p);
/* Panels of f32 from `first` to `end`, over the full depth. */
CPanels c_whole_panels(const Writer *w, int operand, int own, int k, const char *to,
                       const char *size);
const char *c_size(const Writer *w, int axis); /* extent, in parentheses unless a name or number */

/* A loop, and that over the panels of an operand, from `start` to `stop` each. */
void c_open_loop(Writer *w, const char *i, const char *from, const char *to, const char *step);
void c_open_panels(Writer *w, Dtype type, const CPanels *p);
const char *c_difference(const Writer *w, const char *end, const char *start);
/* Where a range of k begins and ends in the step of k that is packed, or in all of k. */
const char *c_range_start(const Writer *w, const char *k_first, int64_t from);
const char *c_range_end(const Writer *w, const char *k_first, const char *k_end, int64_t to);

/* ---- pack_rows.c ---- */

/* An operand whose rows are contiguous along an axis, or a part of it, as elements of a panel. */
typedef struct CRows {
    int operand, k;
    const char *k_first, *k_end;
    const char *at; /* the first element in the panel */
} CRows;

/* The parts of an operand whose elements are all those of rows of bf16 or f32, contiguous along k,
 * or zeros; 0: it is none. */
int c_pack_row_parts(const Writer *w, int operand, int k);
/* Loops that pack the rows of operands of one type, wherever each is, or list them. */
const char *c_pack_rows(Writer *w, const CRows *rows, int operands, const CPanels *p, bool lists);

/* ---- ranges.c ---- */

typedef struct CRange {
    int64_t from, to;
} CRange;

/* Of an axis, in order. In each of them the conditions on its position that the current piece has
 * are known, and whole vectors, whatever VL. */
typedef struct CRanges {
    CRange *at;
    int count; /* 0: there are none such */
} CRanges;

CRanges c_ranges(const Writer *w, int axis);
CRanges c_parts_of(const Writer *w, int axis); /* the same from any position to any other */
/* The body with the values that it has in a range; *root: a value, and the one that equals it; it
 * may be NULL. */
Body c_body_within(const Writer *w, int axis, CRange range, int *root);

typedef enum CTruth { C_FALSE, C_TRUE, C_UNKNOWN } CTruth;
typedef CTruth CTruthOf(const Body *b, int value, const void *context);

/* The body in which these values are constants, and what they select is read in place of them, by
 * stores, too. Without `root` they are all that is read. */
Body c_body_settled(Arena *arena, const Body *from, CTruthOf *truth_of_value, const void *context,
                    int *root);
/* Of index < number, or else of index >= number (as number <= index is): the index; NULL: another
 * value. */
const Value *c_compared_index(const Body *b, int value, int64_t *number, bool *is_left);

/* ---- parts.c ---- */

bool c_parts(Writer *w, int stage);   /* the loops of a stage; false: it has no parts */
bool c_row_parts(Writer *w);          /* the loops over rows; false: they have none */
bool c_lane_parts(Writer *w);         /* the same, of lanes that are rows */
bool c_is_pointwise(const Writer *w); /* is the only stage all that a row needs? */
/* The loops of a stage over the only axis, which threads share; false: it has no parts. */
bool c_shared_parts(Writer *w, int stage);

/* ---- interleave.c ---- */

/* A stage of rows of two elements, as two vectors that are stored in turn; false: rows are others.
 */
bool c_interleave(Writer *w, int stage);

/* ---- phases.c ---- */

typedef struct CPhases {
    int64_t count, run; /* count 1: there are none */
} CPhases;

CPhases c_phases(Writer *w, int operand, int axis);
Body c_body_of_phase(const Writer *w, int axis, CPhases p, int phase, int *root);

/* ---- nibbles.c ---- */

typedef struct CNibbles {
    int value;        /* the number of 4 bits; 0: there is none */
    int bytes, shift; /* it is those bits of this value */
} CNibbles;

CNibbles c_nibbles(const Writer *w, int root, int lanes);
/* Declares what the root is computed from, for so many lanes; its text. */
const char *c_at_nibbles(Writer *w, int root, CNibbles n);
/* The same of bytes at an address, for FX_PARTS vectors of bf16 (`pairs`), or in turns: a lane has
 * bytes of two vectors, `half` says of which one the text is. */
const char *c_nibbles_at(Writer *w, int root, CNibbles n, bool pairs, bool turns,
                         const char *address);

/* ---- attention.c ---- */

void c_attention(Writer *w, Text *body);          /* the function's body */
const char *c_attention_packed(const Writer *w);  /* as in CKernel */
const char *c_attention_scratch(const Writer *w); /* the same */
bool c_attention_has_threads(const Writer *w);    /* of a chain, too: false: known sizes are few */

/* ---- chain.c ---- */

void c_chain(Writer *w, Text *body);
const char *c_chain_packed(const Writer *w);
const char *c_chain_scratch(const Writer *w);

/* ---- dot.c ---- */

void c_dot(Writer *w, Text *body, const char **scratch); /* the function's body; see CKernel */
const char *c_dot_packed(Writer *w);                     /* bytes of packed operands */
/* Definitions before the function, unless they are in the text of functions before it. */
void c_dot_tile(const Writer *w, const Text *before, Text *out);

/* ---- gemv.c: contractions with few rows or columns ---- */

void c_gemv(Writer *w, Text *body);
const char *c_gemv_packed(const Writer *w);

/* ---- panels.c: operands that are packed once; side: 0 left, 1 right ---- */

/* The buffer with the panels of an operand; NULL: every call packs it. */
const KernelBuffer *c_panels(const Writer *w, int acc, int side);
/* Are the panels multiplied in place? Else they are widened first. */
bool c_panels_as_is(const Writer *w, int side);
const char *c_panels_bytes(Writer *w, int acc, int side);     /* an expression of the dims */
void c_panels_pack(Writer *w, int acc, int side, Text *body); /* of the function that packs them */
/* How a contraction reads the panels: declarations, the addresses of panels, and widening loops. */
const char *c_panels_declare(const Writer *w);
const char *c_panels_left(const Writer *w);
const char *c_panels_right(const Writer *w);
const char *c_panels_widen_left(const Writer *w);
const char *c_panels_widen_right(const Writer *w);

/* ---- launch.c: the function an application calls ----------------------------------------- */

void emit_c_launcher(const Names *names, const TiledKernels *kernels, const EmitOptions *options,
                     Program *program, Text *out);
void emit_c_prototypes(const Names *names, const EmitOptions *options, Text *out);

#endif
