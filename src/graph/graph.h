/* graph.h: floor 3. The Graph: typed nodes with symbolic shapes; text tree to graph, graph to
 * graph, and the reference evaluator that says what a graph means.
 *
 *     Ast --lower--> Graph --decompose--> Graph --simplify--> Graph
 *
 * Nodes live in an array and are named by index. Sources have smaller ids than their readers.
 * Equal nodes are one node. Node 0 is no node. */
#ifndef FUSEC_GRAPH_H
#define FUSEC_GRAPH_H

#include "base/base.h"
#include "syntax/syntax.h"
#include "runtime/runtime.h"

/* ---- dim.c: symbolic sizes ---------------------------------------------------------------- */

/* A size: an integer expression of the dims of a function, kept in a normal form, so that equal
 * sizes are one Dim and `8*D/2 == 4*D`, `N*M/N == M` hold by ==. The normal form is a sum of terms
 *
 *     (num/den) * atom^e * atom^e ...        e may be negative: exact division by a symbol
 *
 * over atoms: a symbol, p % q, or p / q where q is a sum. Every dim of a shape is at least 1. */
typedef int32_t Dim; /* index into Dims; 0 is none */

typedef enum DimCompare { DIM_EQ, DIM_NE, DIM_LT, DIM_LE } DimCompare;

/* What must hold when the dims become known: from `assert`, exact divisions, slices, inputs. */
typedef struct DimGuard {
    Dim a, b;
    DimCompare compare;
    Span span;
    const char *why; /* "assert", "exact division", "slice" .. */
} DimGuard;

typedef struct DimSymbol {
    const char *name;
    int64_t lo, hi, multiple; /* facts: lo <= symbol <= hi, symbol % multiple == 0 */
    Span span;
} DimSymbol;

/* The dims of one function; shared by all graphs made from it. */
typedef struct Dims {
    Arena *arena;
    struct DimNode *node; /* private: dim_private.h */
    int node_count, node_cap;
    int32_t *table; /* interning */
    int table_size;
    Vec(DimSymbol) symbols;
    Vec(DimGuard) guards;
    int64_t term_limit;
} Dims;

Dims *dims_new(Arena *arena, const Limits *limits);
Dim dim_const(Dims *d, int64_t value);
Dim dim_symbol(Dims *d, const char *name, Span span); /* the same name: the same Dim */
int dim_symbol_find(const Dims *d, const char *name); /* symbol number or -1 */
/* 0 when the result would overflow int64 or Limits.dim_terms. */
Dim dim_add(Dims *d, Dim a, Dim b);
Dim dim_sub(Dims *d, Dim a, Dim b);
Dim dim_mul(Dims *d, Dim a, Dim b);
Dim dim_div(Dims *d, Dim a, Dim b, Span span); /* exact; adds a guard unless proven; 0 if b is 0
                                                  or constants do not divide */
Dim dim_mod(Dims *d, Dim a, Dim b);
bool dim_is_const(const Dims *d, Dim a, int64_t *value);
bool dim_is(const Dims *d, Dim a, int64_t value);
/* Bounds over all values of the symbols that the facts allow. INT64_MIN/MAX: unknown. */
void dim_range(const Dims *d, Dim a, int64_t *lo, int64_t *hi);
bool dim_divides(Dims *d, Dim a, Dim b); /* proven: b % a == 0 */
bool dim_le(Dims *d, Dim a, Dim b);      /* proven: a <= b */
bool dim_equal(Dims *d, Dim a, Dim b);   /* a == b, or a guard says so */
/* Records a fact; false when it can never hold (for the caller to report). A fact that is not
 * already proven also becomes a guard. `N == 4*M` substitutes nothing: it is checked. */
bool dim_assume(Dims *d, DimCompare compare, Dim a, Dim b, Span span, const char *why);
/* The value for given symbol values (in symbol order); false when not integral or overflowing. */
bool dim_value(const Dims *d, Dim a, const int64_t *symbols, int64_t *value);
/* Solves a == value for the one symbol in it that `known` lacks, if linear; sets and marks it.
 * True when a became fully known or was (it may still differ from value: check). */
bool dim_solve(const Dims *d, Dim a, int64_t value, int64_t *symbols, bool *known);
bool dim_uses(const Dims *d, Dim a, int symbol);
/* True when every guard holds; else *failed is the first that does not. */
bool dims_check(const Dims *d, const int64_t *symbols, const DimGuard **failed);
/* As the user would write it, valid in .fx, C and CUDA alike: "8*D", "(D*D + D)/2". */
void dim_print(const Dims *d, Dim a, Text *out);
void dim_print_factor(const Dims *d, Dim a, Text *out); /* in parentheses unless a name or number:
                                                           safe inside any other expression */
const char *dim_text(const Dims *d, Dim a, Arena *arena);

/* ---- nodes -------------------------------------------------------------------------------- */

enum { RANK_MAX = 8, SRC_MAX = 3 };

typedef int32_t NodeId;

typedef enum Op {
    OP_NULL,
#define OP(id, name, signature, class_, rule, commutes, c, cuda, meaning) OP_##id,
#include "graph/ops.def"
#undef OP
    OP_COUNT
} Op;

typedef enum OpClass {
    LEAF,      /* no sources */
    MAP,       /* element by element; sources have the node's shape */
    VIEW,      /* moves elements; costs nothing, an index map of its reader */
    REDUCE,    /* along the axes of attr[0]'s bit mask; the axes stay, with size 1 */
    SCAN,      /* along axis attr[0] */
    DOT,       /* see OP_DOT below */
    GATHER,    /* take */
    COMPOSITE, /* defined in terms of the others by decompose.c */
    SUGAR      /* in the language only: lower.c writes it in terms of the others */
} OpClass;

/* How the type follows from the sources' types. Lowering inserts the conversions that make the
 * sources of a MAP node equal in type; narrow means f8e4m3 f8e5m2 bf16 f16. */
typedef enum TypeRule {
    R_GIVEN,       /* by the node itself */
    R_SAME,        /* the source's */
    R_EXACT,       /* the source's, also when narrow: the op does not round. Not bool */
    R_FLOAT_EXACT, /* the same, floats only */
    R_ARITH,       /* compute type: narrow floats widen to f32, i8 u8 to i32. Not bool */
    R_FLOAT,       /* the same, floats only */
    R_COMPARE,     /* any but mixed; gives bool */
    R_LOGIC,       /* bool; gives bool */
    R_ISNAN,       /* floats; gives bool */
    R_WHERE,       /* bool, T, T; gives T */
    R_SUM,         /* R_ARITH, and bool counts as i32 */
    R_MEAN,        /* R_FLOAT, on the reduced axes */
    R_ARGMAX,      /* any but bool; gives i32 */
    R_DOT,         /* both the same; gives f32 of floats up to f32, f64, i32 of i8 u8 i32, i64 */
    R_GATHER,      /* T, integer; gives T */
    R_CROSS        /* float, integer; gives the compute type */
} TypeRule;

typedef struct OpInfo {
    const char *name, *signature;
    OpClass class;
    TypeRule rule;
    bool commutes;
    const char *c, *cuda, *meaning;
} OpInfo;

/* ---- ops.c */

extern const OpInfo op_info[OP_COUNT];
int op_sources(Op op); /* how many sources a node of it has */

/* attr by op (unused entries are 0):
 *   INPUT      [0] number of the input
 *   DIM        [0] the Dim
 *   IOTA       shape says it all
 *   PERMUTE    result axis i is source axis attr[i]
 *   SLICE      [i] first index on axis i (a Dim); the shape is the extent
 *   PAD        [i] elements before on axis i (a Dim); src[1] is the value, a scalar of the type
 *   reductions and composites over axes   [0] bit mask of axes
 *   CUMSUM     [0] axis
 *   GATHER     [0] axis
 *   DOT        [0] leading batch axes B, [1] trailing summed axes K:
 *              a[batch.. m.. k..] . b[batch.. n.. k..] -> [batch.. m.. n..]
 *   LAYER_NORM, RMS_NORM   bits of eps in `bits`; src x, gain, bias
 *   CONST      value in `bits`: of a double for floats, an int64 otherwise
 * RESHAPE and BROADCAST are told by the shape (broadcast: same rank, source axis equal or 1).
 * CROSS_ENTROPY logits[.., C], labels[..]. REDUCE keeps reduced axes as 1; dropping is a RESHAPE.
 */
typedef struct Node {
    Op op;
    Dtype type;
    int32_t rank;
    bool weak; /* a scalar of literals and dims (i64 or f64) that takes the type of what it meets;
                  a MAP of weak sources is weak, a CAST of one only if the draft says so */
    int32_t src_count;
    NodeId src[SRC_MAX];
    Dim shape[RANK_MAX];
    int32_t attr[RANK_MAX];
    uint64_t bits;
    Span span;        /* where the user wrote it; this and the next do not tell nodes apart */
    const char *name; /* what the model calls it; NULL: nothing. For names in emitted text */
    bool uniform; /* a scalar of literals and dims only (set by graph_add, as is the next) */
    uint8_t
        scalar; /* a scalar of these and scalar inputs: 1 + its ops, at most 255; 0: it is not */
} Node;

typedef struct GraphInput {
    const char *name;
    NodeId node;
    Span span;
} GraphInput;

typedef struct GraphOutput {
    const char *name;
    NodeId node; /* has exactly the declared type and shape */
    Span span;
} GraphOutput;

typedef enum Precision { P_IEEE, P_TF32, P_BF16X3, P_BF16X6 } Precision;

typedef struct FnAttrs {
    int max_kernels; /* 0: no contract */
    bool strict;
    Dtype autocast; /* T_NONE: off */
    Precision precision;
    bool *constant; /* by input: its values never change between calls; NULL: they all may */
    Span max_kernels_span;
} FnAttrs;

typedef struct Graph {
    Arena *arena;
    Diag *diag;
    const Limits *limits;
    Dims *dims;
    const char *name;
    Span span;
    FnAttrs attrs;
    Node *node;
    int count, cap; /* nodes 1..count-1 */
    int32_t *table; /* interning */
    int table_size;
    Vec(GraphInput) inputs;
    Vec(GraphOutput) outputs;
} Graph;

/* ---- graph.c ------------------------------------------------------------------------------ */

Graph *graph_new(Arena *arena, Diag *diag, const Limits *limits, Dims *dims, const char *name);
/* The same name, dims, attributes and diag, no nodes: what a pass starts from. */
Graph *graph_like(const Graph *g);
/* The only way in: infers type and shape (infer.c), puts the sources of commutative ops in order,
 * returns the existing node when there is an equal one. 0 after a diag_error. */
NodeId graph_add(Graph *g, const Node *draft);
NodeId graph_find(const Graph *g,
                  const Node *n); /* the node that is equal to an inferred one, or 0 */
void graph_name(Graph *g, NodeId id, const char *name); /* where it has none */
void node_order_sources(Node *n); /* of a commutative op: by id */
NodeId graph_input(Graph *g, const char *name, Dtype type, int rank, const Dim *shape, Span span);
void graph_output(Graph *g, const char *name, NodeId node, Span span);
/* Drafts, spelt out. All pass 0 sources through: 0 in, 0 out, no further message. A view that
 * changes nothing is x itself. */
NodeId graph_const(Graph *g, Dtype type, double value, Span span); /* scalar (rank 0), strong */
NodeId graph_const_int(Graph *g, Dtype type, int64_t value, Span span);
NodeId graph_literal(Graph *g, bool is_int, double value, int64_t integer, Span span); /* weak */
NodeId graph_dim(Graph *g, Dim dim, Span span); /* scalar i64, weak */
NodeId graph_iota(Graph *g, Dim n, Span span);
NodeId graph_map(Graph *g, Op op, NodeId a, NodeId b, NodeId c, Span span); /* sources must agree */
NodeId graph_cast(Graph *g, NodeId x, Dtype type, Span span); /* x itself when it has the type */
NodeId graph_reshape(Graph *g, NodeId x, int rank, const Dim *shape, Span span);
NodeId graph_permute(Graph *g, NodeId x, const int *perm, Span span);
NodeId graph_broadcast(Graph *g, NodeId x, int rank, const Dim *shape, Span span); /* right-aligned:
                                                           adds leading axes by a RESHAPE first */
NodeId graph_slice(Graph *g, NodeId x, const Dim *start, const Dim *extent, Span span);
NodeId graph_pad(Graph *g, NodeId x, const Dim *before, const Dim *shape, NodeId value, Span span);
NodeId graph_reduce(Graph *g, Op op, NodeId x, uint32_t axes, Span span); /* keeps axes as 1 */
NodeId graph_dot(Graph *g, NodeId a, NodeId b, int batch, int summed, Span span);
bool node_is_const(const Node *n, double *value); /* a CONST; integers as double */
/* Is every element that number, by way of views or not? */
bool node_is_all(const Graph *g, NodeId id, double number);
Dim node_elements(const Graph *g, NodeId id);     /* product of the shape */
bool shape_equal(int rank_a, const Dim *a, int rank_b, const Dim *b);
void shape_print(const Dims *dims, Dtype type, int rank, const Dim *shape,
                 Text *out); /* bf16[N, D] */

/* ---- infer.c: type and shape of a draft, or a diag_error ---------------------------------- */

bool infer(Graph *g, Node *draft);

/* ---- verify.c: BUGs on anything that graph_add would not have made, or unreachable nodes --- */

void graph_verify(const Graph *g, const char *pass);

/* ---- print.c: --emit=graph; one node a line in a form a person can type -------------------- */

void graph_print(const Graph *g, Text *out);
void node_print(const Graph *g, NodeId id, Text *out); /* one line of it, without the newline */

/* ---- broadcast.c: what the language does silently before a node is added -------------------- */

/* Converts and broadcasts the sources as the language's rules say (numpy broadcasting; weak scalars
 * take the type of what they meet; narrow floats widen where the op computes), then adds the node.
 * Reports type and shape mismatches with both ranges. Also used by decompose. */
NodeId graph_op(Graph *g, Op op, NodeId a, NodeId b, NodeId c, Span span);

/* ---- rewrite.c: the walk that every pass shares --------------------------------------------- */

/* Rebuilds what the outputs need, sources first. For each old node, `rule` gets its id in `from`
 * and a copy whose sources are already new ids in `to`, and returns the id to use instead
 * (graph_add of the draft itself when nothing is to change); of the same type and shape. 0:
 * reported, and graph_rewrite gives NULL. Inputs are kept, in order, even when unused. NULL as rule
 * only drops dead nodes. */
typedef NodeId RewriteRule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                           void *context);
Graph *graph_rewrite(const Graph *from, RewriteRule *rule, void *context);
const bool *graph_needed(const Graph *g); /* by node: whether an output needs it */

/* ---- lower.c and friends: Ast to Graphs ------------------------------------------------------ */

typedef struct DimBinding { /* -D N=4096 */
    const char *name;
    int64_t value;
} DimBinding;

typedef struct LowerOptions {
    const char *fn; /* NULL: all functions that no other function calls */
    const DimBinding *bindings;
    int binding_count;
} LowerOptions;

typedef struct Model {
    const char *name; /* file name without folder and suffix */
    Vec(Graph *) functions;
} Model;

/* Checks the whole file and lowers the functions asked for. NULL after diag_errors. */
Model *lower(Arena *arena, Diag *diag, const Ast *file, const char *name, const Limits *limits,
             const LowerOptions *options);

/* ---- attention.c: a softmax between two contractions, found by structure ------------------- */

/* out = sum over n of weights[.. m n] * v[.. n c], where weights = exp2(log2(e) x - shift), rounded
 * or not, and x is pointwise in scores[.. m n], the result of a contraction: what defer.c makes. */
typedef struct Attention {
    NodeId scores;  /* the first contraction: [batch.. m.. n..] */
    NodeId x;       /* what the softmax is taken of; may be scores itself */
    NodeId max;     /* of x along n */
    NodeId shift;   /* ceil(log2(e) max), or 0 where that is -Inf */
    NodeId e;       /* exp2(log2(e) x - shift) */
    NodeId sum;     /* of e along n */
    NodeId weights; /* what the second contraction reads: e, rounded or not */
    NodeId out;     /* the second contraction: [batch.. m.. c..] */
    int64_t parts;  /* of the batch that differ in their masks alone: each sees other keys */
    bool *between;  /* node -> lies on a way from the scores to out or the sum; they too */
} Attention;

/* Is this contraction the second one, and does nothing but the rows' values leave the two? */
bool find_attention(const Graph *g, NodeId out, Attention *found);

/* ---- defer.c: the last step of lowering ---------------------------------------------------- */

#define LOG2_E 1.44269504088896340736

/* The division of a softmax by its sum, until after the contractions that read it. */
Graph *defer(const Graph *g);

/* ---- passes ---------------------------------------------------------------------------------- */

Graph *decompose(const Graph *g); /* no COMPOSITE nodes afterwards */
Graph *lift(const Graph *g);      /* pointwise work on contractions below rearrangements */
Graph *simplify(const Graph *g);  /* folds and cancels, only where bit-for-bit valid */
Graph *slices(const Graph *g);    /* parts of a contraction become contractions of parts */

/* ---- bind.c: dims from inputs ---------------------------------------------------------------- */

/* Values of the dims from the inputs' shapes (and from `bindings`, for dims in no shape). False
 * after diag_errors: a rank or size that does not fit, a guard that fails, a dim left unknown. */
bool bind_dims(const Graph *g, const Tensor *const *inputs, const DimBinding *bindings, int count,
               int64_t *symbols);

/* ---- eval.c and eval_*.c: the meaning of a graph ------------------------------------------- */

typedef enum EvalMode {
    EVAL_EXACT,    /* floats in double throughout, rounded only where the program says so */
    EVAL_DECLARED, /* every node rounded to its own type: the unfused program, for the tolerance */
    EVAL_NUDGED    /* as declared, but other roundings and another order of sums: a program that is
                      as honest. EVAL_NUDGED + 1, + 2 .. are more of them */
} EvalMode;

/* Allocates outputs[i] (to be freed with tensor_free). check_bounds: out-of-range indices of take
 * and labels are diag_errors instead of clamping. False after a diag_error or refusal (memory). */
bool eval(const Graph *g, const int64_t *symbols, const Tensor *const *inputs, EvalMode mode,
          bool check_bounds, Tensor **outputs);

/* ---- check.c: is a result right? ----------------------------------------------------------- */

/* The rule. c is the candidate, e the exact result, d that of the declared types (or several: the
 * largest error of any counts); all have the output's type T. With
 *     u      epsilon of T's compute type: 2^-23, or 2^-52 for f64
 *     k      2; 3 when T is narrower than f32 or there are fewer than 64 elements
 *     step   distance of neighbours in T at e, when T is narrower than f32, else 4 tiny
 *     tiny   least number above 0 in T
 *     E      largest |d - e| - step of all elements, at least 0
 *     M      largest |e| of all elements
 *
 *  integers, bool   c is e, or the d of that element (where rounding decides a comparison)
 *  NaN, Inf         c is NaN, Inf, -Inf or finite as e is, or as the d of that element is (where
 *                   the declared types overflow and exact numbers do not)
 *  every element    |c - e| <= k E + step + 4 u M
 *  all together     rms(c - e) <= k rms(d - e) + 4 u rms(e) + steps, from 64 elements up; steps is
 *                   4 tiny, or max(epsilon(T) rms(e), tiny) sqrt(max(4, n/256) / n) when narrower
 *
 * The bound of every element finds what is wrong in one place: index, mask, race. It must allow
 * one step, for a result next to a tie may round the other way. That hides a rounding left out
 * or added, which is why the mean error is bounded too, where only a few steps are allowed. */
typedef struct CheckReport {
    bool ok;
    const char *why; /* "ok", or the part of the rule that failed */
    Dtype type;
    int rank;
    int64_t index[TENSOR_RANK_MAX]; /* of the worst element: the one to look at */
    Scalar got, want;               /* there */
    double error, allowed;          /* there; 1 and 0 for what must be equal and is not */
    double rms, rms_allowed;        /* allowed 0: not bounded */
} CheckReport;

/* True when the candidate passes, beside `count` results of the declared types: tensors of one type
 * and shape, all of them. */
bool check_output(const Tensor *candidate, const Tensor *exact, const Tensor *const *declared,
                  int count, CheckReport *report);
/* Evaluates g and checks all its outputs. One declared result may be exact by luck, so what fails
 * is checked again among the results of four nudged programs, as the header of check.c explains.
 * False after a diag_error or refusal; whether the outputs are right is in reports[i].ok. */
bool check_outputs(const Graph *g, const int64_t *symbols, const Tensor *const *inputs,
                   bool check_bounds, const Tensor *const *candidates, CheckReport *reports);
/* "y: ok, largest error 1.2e-07 of 4.8e-07 allowed, at [3, 17]: got 1.5, want 1.5000001" */
void check_print(const char *name, const CheckReport *report, Text *out);

#endif
