/* graph.h: The Graph: typed nodes with symbolic shapes, and how one is built and walked.
 *
 *     Ast --lower/--> Graph --pass/--> Graph        eval/ defines the meaning of a graph
 *
 * Nodes live in an array and are named by index. Sources have smaller ids than their readers.
 * Equal nodes are one node. Node 0 means "none". */
#ifndef FUSEC_GRAPH_H
#define FUSEC_GRAPH_H

#include "graph/dims/dims.h"

/* ---- nodes -------------------------------------------------------------------------------- */

enum { RANK_MAX = 8, SRC_MAX = 8 }; /* only calls and COMBINE have more than 3 sources */
enum { JOIN_AXIS = 1 };             /* see attr of WHERE */

typedef int32_t NodeId;

typedef enum Op {
    OP_NULL,
#define OP(id, name, signature, class_, rule, commutes, cost, texts, meaning) OP_##id,
#include "graph/ops.def"
#undef OP
    OP_COUNT
} Op;

typedef enum OpClass {
    LEAF,      /* no sources */
    MAP,       /* element by element; sources have the node's shape */
    VIEW,      /* moves elements; free: an index map of its reader */
    REDUCE,    /* along the axes of attr[0]'s bit mask; the axes stay, with size 1 */
    PARTIAL,   /* sums of chunks along leading axes: see OP_PARTIAL_SUM below */
    SCAN,      /* reduces what there is up to each element, along axis attr[0]: running sums .. */
    DOT,       /* see OP_DOT below */
    GATHER,    /* take */
    SEGMENTS,  /* what scatter becomes: a sort of the indices, .. */
    COMBINE,   /* .. and what combines rows in that order */
    COMPOSITE, /* defined in terms of the others by decompose.c */
    SUGAR      /* in the language only: lowering replaces it by the others */
} OpClass;

/* How the type follows from the sources' types. Lowering inserts the conversions that make the
 * sources of a MAP node equal in type; narrow means f8e4m3 f8e5m2 bf16 f16. */
typedef enum TypeRule {
    R_GIVEN,       /* by the node itself */
    R_SAME,        /* the type of the source */
    R_EXACT,       /* the type of the source, also if narrow: the op does not round. Not bool */
    R_FLOAT_EXACT, /* the same, floats only */
    R_ARITH,       /* compute type: narrow floats widen to f32, i8 u8 to i32. Not bool */
    R_FLOAT,       /* the same, floats only */
    R_COMPARE,     /* any, but both alike; gives bool */
    R_LOGIC,       /* bool; gives bool */
    R_ISNAN,       /* floats; gives bool */
    R_WHERE,       /* bool, T, T; gives T */
    R_SUM,         /* R_ARITH, and bool counts as i32 */
    R_MEAN,        /* R_FLOAT, on the reduced axes */
    R_ARGMAX,      /* any but bool; gives i32 */
    R_DOT,         /* both the same; gives f32 of floats up to f32, f64, i32 of i8 u8 i32, i64 */
    R_GATHER,      /* T, integer; gives T */
    R_CALL,        /* as the function declares */
    R_CROSS,       /* float, integer; gives the compute type */
    R_PHILOX,      /* i64; gives i32 */
    R_UNIT,        /* i32; gives f32 */
    R_SEGMENTS,    /* i32; gives i32 */
    R_SCATTER      /* T, integers, T; gives T */
} TypeRule;

typedef enum Language { IN_C, IN_CUDA, IN_HOST, IN_REFERENCE, LANGUAGE_COUNT } Language;

typedef struct OpText {
    /* text for floats; text for all other types, NULL if it is the same */
    const char *real, *whole;
} OpText;

typedef struct OpInfo {
    const char *name, *signature;
    OpClass class;
    TypeRule rule;
    bool commutes, costly;
    OpText text[LANGUAGE_COUNT]; /* read through op_text */
    const char *meaning;
} OpInfo;

/* How elements are combined: of SUM, PROD, RMAX, RMIN, ANY, ALL and ARGMAX, and of scans. */
typedef struct Reduction {
    Op op, scan;           /* scan: has the result up to each element; OP_NULL: there is none */
    Op pair;               /* the pointwise op that combines two elements */
    double identity;       /* -Inf and Inf stand for the least and the largest of a type */
    const char *functions; /* name of its struct in the CUDA prelude */
} Reduction;

/* ---- ops.c */

extern const OpInfo op_info[OP_COUNT];
int op_sources(Op op);  /* number of sources of its nodes; for calls see node_function */
bool op_is_call(Op op); /* a call of a function of an imported header */
bool op_has_text(Op op, Language language);
/* The text with $a $b $c $t; a BUG if there is none. is_real: the operands are floats. */
const char *op_text(Op op, Language language, bool is_real);
/* The text with operands and the name of a type inserted. */
const char *pattern_text(Arena *arena, const char *pattern, const char *const *operands,
                         const char *type);
const Reduction *reduction_of(Op op); /* of a reduction or a scan: a BUG for other ops */
Scalar reduction_identity(const Reduction *r, Dtype type);

/* attr by op (unused entries are 0):
 *   INPUT      [0] number of the input
 *   DIM        [0] the Dim
 *   IOTA       shape and type, i32 or i64, say it all
 *   PERMUTE    result axis i is source axis attr[i]
 *   SLICE      [i] first index on axis i (a Dim); the shape is the extent
 *   PAD        [i] elements before on axis i (a Dim); src[1] is the value, a scalar of the type
 *   FLIP       [0] bit mask of axes
 *   reductions and composites over axes   [0] bit mask of axes
 *   PARTIAL_SUM [0] bit mask of axes, the leading ones, [1] number of chunks: of the R positions
 *              along them, chunk c has those from c * ceil(R / chunks) on, as many. The last of the
 *              axes has the chunks, the others have size 1
 *   scans      [0] axis, [1] 1: from the last element to the first
 *   GATHER     [0] axis
 *   SCATTER, COMBINE   [0] axis, [1] how two elements are combined: ADD, MAX, MIN, or NULL: the
 *              later one
 *   SEGMENTS   [0] number of rows (a Dim), which N indices are below. A vector: rows + 1 starts of
 *              segments, from 0 to N, then N positions, in the order of their segments. COMBINE:
 *              row r of base with the rows of x at positions[starts[r]..ends[r]), in order
 *   TALLY, GROUPS, GROUPED   [0] number of rows (a Dim), [1] of groups. Each group has 2^s rows,
 *              with the least s for which they are enough; the last groups may have none.
 *   TALLY      [2] number of parts: i32[parts, groups]. Of N indices part p has those from
 *              p ceil(N / parts) on, as many. GROUPS: SEGMENTS of groups, GROUPED: of rows
 *   BINNED     [0] number of rows (a Dim), [1] a reduction: SUM, RMAX or RMIN, [2] number of parts,
 *              [3] the axis of x that indices are along. Of the R rows behind that axis part p has
 *              those from p ceil(R / parts) on, as many: what a scatter of these would make of the
 *              identity. The elements of x are of a type that they are computed in
 *   CALL       [0] number of the function in Graph.imported
 *   WHERE      [1] JOIN_AXIS and an axis: of parts of one element side by side along it, the first
 *              one, and the rest; a kernel over the other axes stores each (sched/split/scalars.c)
 *   other MAPs [0] 1: has the same bits wherever it is computed (pass/compared.c)
 *   DOT        [0] leading batch axes B, [1] trailing summed axes K:
 *              a[batch.. m.. k..] . b[batch.. n.. k..] -> [batch.. m.. n..]
 *              [2] 1: for a backward pass, which computes it again instead of reading an equal one
 *   LAYER_NORM, RMS_NORM   bits of eps in `bits`; src x, gain, bias
 *   CONST      value in `bits`: of a double for floats, an int64 otherwise
 * RESHAPE and BROADCAST are told by the shape (broadcast: same rank, source axis equal or 1).
 * CROSS_ENTROPY logits[.., C], labels[..]. REDUCE keeps reduced axes as 1; dropping is a
 * RESHAPE. */
typedef struct Node {
    Op op;
    Dtype type;
    int32_t rank;
    /* a scalar of literals and dims (i64 or f64) that takes the type of the operand it meets; a MAP
     * of weak sources is weak, a CAST of one only if the draft says so */
    bool weak;
    int32_t src_count;
    NodeId src[SRC_MAX];
    Dim shape[RANK_MAX];
    int32_t attr[RANK_MAX];
    uint64_t bits;
    int32_t twin; /* tells nodes apart that several kernels compute (sched/fuse/again.c); else 0 */
    bool stored;  /* a view that a kernel writes to memory (sched/fuse/padded.c) */
    Span span;    /* in the model; this and the next two do not distinguish nodes */
    const char *name; /* name in the model, or NULL; used for names in emitted text */
    const char *hint; /* what the formula of a composite calls it, or NULL: used without a name */
    bool uniform;     /* a scalar of literals and dims only (set by graph_add, as is the next) */
    uint8_t scalar; /* a scalar of these and scalar inputs: 1 + its ops, at most 255; 0: not one */
} Node;

/* A function of an imported header (graph/import) whose arguments and result are elements. */
typedef struct ImportFunction {
    const char *name;
    Span span; /* of its name in the header */
    Dtype type;
    int count;
    Dtype type_of[SRC_MAX];
    const char *parameter[SRC_MAX];
    bool costly;
    int declaration; /* of Imports: its text */
} ImportFunction;

typedef struct Imports Imports; /* import/import.h */

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

typedef enum Precision {
    P_IEEE,
    P_TF32,
    P_TF32X3,
    P_BF16X3,
    P_BF16X6,
    P_F8 /* of f8 operands, as below */
} Precision;

enum { PRECISION_COUNT = P_F8 + 1 };

const char *precision_name(Precision precision); /* as @precision has it */
/* Significant bits of an f32 operand that its terms have; 0: all. */
int precision_bits(Precision precision);

/* Under P_F8, of products of f8 operands: F8_TERMS are added to a sum at a time, in F8_BITS of the
 * largest of them and the sum; sums of F8_DEPTH products are added in f32. Hopper's tensor cores
 * compute so (DeepSeek-V3 Technical Report, 3.3.2, "Increasing Accumulation Precision"). */
enum { F8_TERMS = 32, F8_BITS = 14, F8_DEPTH = 128 };

typedef struct FnAttrs {
    int max_kernels; /* 0: no contract */
    bool strict;
    bool nondeterministic; /* sums may be added up by atomics */
    Dtype autocast;        /* T_NONE: off */
    Precision precision;
    double memory_budget; /* of train; 0: none */
    bool *constant;       /* by input: its values never change between calls; NULL: all may */
    bool *consumed;       /* by input: the function may overwrite it; NULL: none */
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
    Imports *imports; /* NULL: the model has none */
    const char *kept; /* made by train: what is kept, lines for fusec explain; else NULL */
    List(ImportFunction) imported;
} Graph;

/* ---- graph.c ------------------------------------------------------------------------------ */

Graph *graph_new(Arena *arena, Diag *diag, const Limits *limits, Dims *dims, const char *name);
/* The same name, dims, attributes and diag, no nodes: the start of a pass. */
Graph *graph_like(const Graph *g);
/* The only way to add a node: infers type and shape (infer.c), orders the sources of commutative
 * ops, returns the existing node if there is an equal one. 0 after a diag_error. */
NodeId graph_add(Graph *g, const Node *draft);
NodeId graph_find(const Graph *g,
                  const Node *n); /* the node that is equal to an inferred one, or 0 */
void graph_name(Graph *g, NodeId id, const char *name);   /* unless it has a name */
NodeId graph_hint(Graph *g, NodeId id, const char *hint); /* unless it has a hint; returns id */
void node_order_sources(Node *n);                         /* of a commutative op: by id */
NodeId graph_input(Graph *g, const char *name, Dtype type, int rank, const Dim *shape, Span span);
void graph_output(Graph *g, const char *name, NodeId node, Span span);
/* Common drafts. A source of 0 gives 0, without a further message. A view that changes nothing
 * returns x. */
NodeId graph_const(Graph *g, Dtype type, double value, Span span); /* scalar (rank 0), strong */
NodeId graph_const_int(Graph *g, Dtype type, int64_t value, Span span);
NodeId graph_zero(Graph *g, Dtype type, Span span); /* 0 of any type, false of bool: the same */
NodeId graph_literal(Graph *g, bool is_int, double value, int64_t integer, Span span); /* weak */
NodeId graph_dim(Graph *g, Dim dim, Span span); /* scalar i64, weak */
NodeId graph_iota(Graph *g, Dim n, Span span);
NodeId graph_index(Graph *g, Dim n, Span span); /* the same; i64 if n is too large for i32 */
/* i64, in row-major order */
NodeId graph_positions(Graph *g, int rank, const Dim *shape, Span span);
NodeId graph_map(Graph *g, Op op, NodeId a, NodeId b, NodeId c, Span span); /* sources must agree */
NodeId graph_cast(Graph *g, NodeId x, Dtype type, Span span); /* x itself when it has the type */
NodeId graph_reshape(Graph *g, NodeId x, int rank, const Dim *shape, Span span);
NodeId graph_permute(Graph *g, NodeId x, const int *perm, Span span);
NodeId graph_broadcast(Graph *g, NodeId x, int rank, const Dim *shape, Span span); /* right-aligned:
                                                           adds leading axes by a RESHAPE first */
NodeId graph_slice(Graph *g, NodeId x, const Dim *start, const Dim *extent, Span span);
NodeId graph_pad(Graph *g, NodeId x, const Dim *before, const Dim *shape, NodeId value, Span span);
NodeId graph_flip(Graph *g, NodeId x, uint32_t axes, Span span);
NodeId graph_scatter(Graph *g, NodeId base, NodeId indices, NodeId x, int axis, Op with, Span span);
NodeId graph_reduce(Graph *g, Op op, NodeId x, uint32_t axes, Span span); /* keeps axes as 1 */
NodeId graph_scan(Graph *g, Op op, NodeId x, int axis, bool reverse, Span span);
NodeId graph_dot(Graph *g, NodeId a, NodeId b, int batch, int summed, Span span);
/* The function that a call calls, and the name of an op in reports: its own, or that function's. */
const ImportFunction *node_function(const Graph *g, const Node *n);
const char *node_op_name(const Graph *g, const Node *n);
bool node_is_const(const Node *n, double *value); /* a CONST; integers as double */
/* x ** n of an integer literal n from 0 to 64, which multiplies repeatedly: n; else -1. */
int node_literal_power(const Graph *g, const Node *n);
/* Is every element this number, through views or not? */
bool node_is_all(const Graph *g, NodeId id, double number);
Dim node_elements(const Graph *g, NodeId id); /* product of the shape */
/* Does @precision(f8) hold for this OP_DOT: are its operands f8, or casts of it? */
bool dot_sums_f8(const Graph *g, const Node *dot);
/* Are the axes the same, in order, beside those of size 1? */
bool node_has_same_axes(const Graph *g, const Node *a, const Node *b);
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

/* Converts and broadcasts the sources by the language's rules (NumPy broadcasting; weak scalars
 * take the type of the other operand; narrow floats widen where the op computes), then adds the
 * node. Reports type and shape mismatches with both ranges. Also used by decompose. */
NodeId graph_op(Graph *g, Op op, NodeId a, NodeId b, NodeId c, Span span);

/* ---- rewrite.c: the walk that every pass shares --------------------------------------------- */

/* Rebuilds what the outputs need, sources first. For each old node, `rule` gets its id in `from`
 * and a draft whose sources are new ids in `to`, and returns the id that replaces it (graph_add of
 * the draft itself if nothing changes), of the same type and shape. 0: an error was reported, and
 * graph_rewrite returns NULL. Inputs are kept, in order, even if unused. A NULL rule only drops
 * dead nodes. */
typedef NodeId RewriteRule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                           void *context);
Graph *graph_rewrite(const Graph *from, RewriteRule *rule, void *context);
const bool *graph_needed(const Graph *g); /* by node: whether an output needs it */

#endif
