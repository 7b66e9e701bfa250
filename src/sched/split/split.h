/* split.h: passes that split work, so that it fills the machine (split-K, split-KV, split rows and
 * columns), or that do it twice, so that a chain of products is one kernel. */
#ifndef FUSEC_SPLIT_H
#define FUSEC_SPLIT_H

#include "graph/pass/pass.h"
#include "sched/cost/cost.h"

/* A decision that was made by measuring: of two values that different kernels may compute, or of a
 * product, into how many parts its sums are split. */
typedef struct FusePin {
    const char *fn, *a, *b; /* a, b: see fuse_pin_name; b NULL: a product, see OpenSplit */
    bool is_cut;            /* they stay apart; else one kernel computes both, although that is
                               expected to be slower */
    int64_t parts;          /* of the product */
    Span at;
} FusePin;

typedef Vec(FusePin) FusePins;

/* ---- join.c: parts of an axis ---------------------------------------- */

/* Elements of an axis, whose sizes are known: `size` from `first` on. */
NodeId split_part(Graph *g, NodeId x, int axis, int64_t first, int64_t size, Span span);
/* x with `value`, or zeros if that is 0, behind its elements along an axis, and `before` of them in
 * front. */
NodeId split_padded(Graph *g, NodeId x, int axis, Dim before, Dim size, NodeId value, Span span);
/* Two values of one type, one after the other along an axis. */
NodeId split_join(Graph *g, NodeId a, NodeId b, int axis, Span span);

/* A reduction, each of whose rows is `chunks` results: axis a of what it reads becomes two, and all
 * reduced axes but the first of these are reduced. */
NodeId split_chunks(Graph *g, const Node *n, int a, int64_t chunks);

/* The axes of a reduction behind the last one that is kept. */
uint32_t split_inner_axes(const Graph *g, const Node *n);
/* Elements along axes, together; false: they are open. */
bool split_extent(const Graph *g, NodeId x, uint32_t axes, int64_t *count);
/* How many nodes and outputs read each node. */
int *split_readers(const Graph *g);
/* Names the results of parts of a node after it: "y_parts". */
void split_name_parts(Graph *g, NodeId parts, const Node *whole);
NodeId split_below_views(const Graph *g, NodeId id);
/* x, or an f32 number, broadcast to the shape of another node. */
NodeId split_like(Graph *g, NodeId x, NodeId of);
NodeId split_number_like(Graph *g, double value, NodeId of);
/* What exponents are relative to: the maximum that it is, or that it is but for 0 instead of -Inf;
 * else 0. */
NodeId split_maximum(const Graph *g, NodeId shift);
/* Two reductions of the same values, of which the second depends on the first: does anything else
 * that depends on the first one have, or read, values as large? */
bool split_is_read_again(const Graph *g, NodeId first, NodeId second);
/* By node: does it depend on a reduction or a scan, or is it one? */
const bool *split_reduced(const Graph *g);

/* ---- mirror.c: transposed functions of products become functions of transposed products ---- */

/* in_one_pass: where the machine and the function allow it, see one_pass.c. */
const Graph *mirror(const Graph *g, const Machine *machine, bool in_one_pass);
/* The operands of a contraction whose weights are those of another chain, transposed:
 * weights[batch.. n.. m..], with contractions of the number `again`, and the right operand without
 * axes along which it does not change; false: it has none. */
bool mirror_operands(Graph *g, const Node *dot, int batch, int again, NodeId *weights,
                     NodeId *right);

/* ---- one_pass.c: one pass over the scores of an attention's backward ---- */

const Graph *one_pass(const Graph *g, const Machine *machine);

/* ---- rows.c: reductions of few, very long rows in two steps: g itself when there are none --- */

const Graph *split_rows(const Graph *g, const Machine *machine);
/* Would so many blocks of a GPU that read so many bytes take longer than all multiprocessors, with
 * more kernels? A multiprocessor reads no faster than from L2, and only as many read as there are
 * blocks. */
bool split_is_slow(const Machine *m, double blocks, double bytes, int more_kernels);

/* ---- reshaped.c: pointwise work in the shape that it is reduced in --- */

const Graph *split_reshaped(const Graph *g);

/* ---- grouped.c: rows that are reduced, and also reduced in groups, in the shape of these --- */

const Graph *split_grouped(const Graph *g, const Machine *machine);

/* ---- argmax.c: positions of the largest elements of long rows, for rows.c --- */

/* The row becomes chunks, whose lengths are multiples of `step`, and what they leave. */
NodeId split_argmax(Graph *g, const Node *n, int a, int64_t chunks, int64_t step);

/* ---- scans.c: scans of few long rows or columns, for a GPU --- */

const Graph *split_scans(const Graph *g, const Machine *machine);

/* ---- partials.c: sums of columns, where a kernel goes through the rows --- */

const Graph *split_partials(const Graph *g, const Machine *machine);

/* ---- moments.c: means and variances over outer and inner axes, for a GPU --- */

const Graph *split_moments(const Graph *g, const Machine *machine);
/* Of a sum((x - broadcast(sum(x) / count))^2) over the same axes: the sum of x; else 0. */
NodeId split_variance(const Graph *g, NodeId squares);

/* ---- statistics.c: variances and sums of exponentials of few long rows, for a GPU --- */

const Graph *split_statistics(const Graph *g, const Machine *machine);

/* ---- outer.c: reductions over outer and short inner axes, for a GPU --- */

const Graph *split_outer(const Graph *g, const Machine *machine);

/* ---- narrow.c: reductions of columns that are fewer than the lanes of a vector, for a CPU --- */

const Graph *split_narrow(const Graph *g, const Machine *machine);

/* ---- counts.c: scatters that count, and sorts of many indices in steps --- */

const Graph *split_counts(const Graph *g, const Machine *machine);
/* The sort that a COMBINE reads; 0: none. */
NodeId split_sort_of(const Graph *g, const Node *n);
/* Does it add the same number for each index? */
bool split_is_count(const Graph *g, const Node *n);
const Graph *split_sorts(const Graph *g); /* for a GPU */

/* ---- binned.c: scatters into few elements --- */

const Graph *split_binned(const Graph *g, const Machine *machine);

/* ---- scatters.c: sums of a scatter by pieces of its positions, for a GPU --- */

const Graph *split_scatters(const Graph *g);

/* ---- joined.c: products of a concatenation become products of its parts --- */

const Graph *split_joined(const Graph *g, const Machine *machine);

/* ---- summed_parts.c: sums along concatenations become sums of products, for a GPU --- */

const Graph *split_summed_parts(const Graph *g, const Machine *machine);

/* ---- reduced_products.c: products that are only reduced --- */

typedef struct ReducedProducts {
    NodeId *root;   /* node of a product's shape -> the product that it is a function of */
    bool *refused;  /* product: another node reads it, or compares it with other products */
    uint32_t *axes; /* product: those that are reduced, as bits */
} ReducedProducts;

/* products: by node. is_taken: is a node a reduction that may read them? */
ReducedProducts split_reduced_products(const Graph *g, const bool *products,
                                       bool (*is_taken)(const Node *n));

/* ---- rows_first.c: reductions of a product's rows and other axes, for a GPU --- */

const Graph *split_rows_first(const Graph *g, const Machine *machine);

/* ---- turned.c: products that are reduced along rows of the left operand, for sm_90 --- */

const Graph *split_turned(const Graph *g, const Machine *machine);

/* ---- twice.c: products whose rows and columns are reduced, for a GPU --- */

const Graph *split_twice(const Graph *g, const Machine *machine);

/* ---- agreed.c: operands of products that are added, for warpgroups --- */

const Graph *split_agreed(const Graph *g, const Machine *machine);

/* ---- k_major.c: operands of products are copied so that k is innermost, for a GPU --- */

const Graph *split_k_major(const Graph *g, const Machine *machine);

/* ---- stored_order.c: results are stored in the order in which products read them, for a CPU --- */

const Graph *split_stored_order(const Graph *g);

/* ---- columns.c: reductions of a product's rows that are longer than a tile, in chunks --- */

const Graph *split_columns(const Graph *g, const Machine *machine);

/* ---- vectors.c: products of a matrix and a vector, or of two vectors, become sums --- */

const Graph *sum_vectors(const Graph *g, const Machine *machine);

/* ---- scalars.c: elements of short axes become values of their own --------------------------- */

const Graph *scalars(const Graph *g);

/* ---- products.c: split-K of products with few output tiles, for a GPU ------------------------ */

/* Other numbers of parts that are expected to take about as long as the one that was chosen. */
typedef struct OpenSplit {
    const char *product; /* of the graph that split_products gets: "y", "%5:matmul" */
    int64_t parts;
    double seconds; /* estimated */
} OpenSplit;

typedef Vec(OpenSplit) OpenSplits; /* the fastest of each product first */

/* open: NULL, or where what is open is added. A pin that cannot hold is a diag_error. */
const Graph *split_products(const Graph *g, const Machine *machine, const FusePins *pins,
                            OpenSplits *open);

/* ---- attention.c: split-KV: attentions of few queries, in chunks of their keys -------- */

const Graph *split_attention(const Graph *g, const Machine *machine);

#endif
