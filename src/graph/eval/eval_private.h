/* eval_private.h: shared by the files of the evaluator only. eval.c walks the graph; map.c, view.c,
 * reduce.c, dot.c and composite.c define the ops; round.c defines the rounding of floats and the
 * order of sums. */
#ifndef FUSEC_EVAL_PRIVATE_H
#define FUSEC_EVAL_PRIVATE_H

#include "graph/eval/eval.h"

/* The elements of a node, row-major: floats in .f, integers and bool in .i. */
typedef struct Value {
    Scalar *at; /* NULL: not computed, or no longer needed */
    int64_t count;
    int64_t shape[RANK_MAX];
    int32_t readers; /* still to be computed */
} Value;

typedef enum FailureKind {
    FAIL_NONE,
    FAIL_MEMORY, /* size bytes */
    FAIL_SIZE,   /* of the node: not a number, or too many elements */
    FAIL_INDEX,  /* index is not below size; element: its position in src[1] */
    FAIL_INPUT,  /* a tensor that does not match the dims */
    FAIL_GUARD   /* a guard of the dims does not hold */
} FailureKind;

/* Why the evaluation stopped. Reported after all memory is freed, because a report may jump out
 * (see Arena). */
typedef struct Failure {
    FailureKind kind;
    const Node *n;
    int64_t index, size, element;
    const DimGuard *guard;
} Failure;

/* What a node is in elements that a mask sets. (masked.c) */
typedef enum Masked {
    MASKED_NEVER,
    MASKED_INFINITE, /* -Inf, which a sum keeps */
    MASKED_ZERO      /* 0, which a product keeps */
} Masked;

typedef struct Eval {
    const Graph *g;
    const int64_t *symbols;
    const Tensor *const *inputs;
    Tensor **outputs;
    EvalMode mode;
    bool check_bounds;
    Value *value;   /* by node */
    Masked *masked; /* by node */
    Dtype type;     /* of the current node: eval_round rounds to it */
    uint64_t random;
    Failure failure;
} Eval;

static inline const Value *eval_source(const Eval *e, const Node *n, int i) {
    return &e->value[n->src[i]];
}

/* malloc of `count` elements; NULL after recording the failure. */
void *eval_alloc(Eval *e, const Node *n, int64_t count, size_t size);

/* The elements of x as rows: element j of row r is x->at[base[r] + within[j]]. A row runs along the
 * axes of a bit mask, in row-major order, and so do the rows. */
typedef struct Rows {
    int64_t count, size;
    int64_t *base, *within;
    Scalar *row; /* the current row */
} Rows;

/* ---- reduce.c ---- */

bool rows_open(Eval *e, const Node *n, const Value *x, int rank, uint32_t axes, Rows *rows);
void rows_read(Rows *rows, const Value *x, int64_t r);
void rows_write(const Rows *rows, Value *out, int64_t r);
void rows_close(Rows *rows); /* also after rows_open has failed */
double eval_row_max(const Scalar *x, int64_t count);

/* ---- round.c ---- */

double eval_round(Eval *e, double value);
double eval_unrounded(Eval *e, double value); /* a product, nudged by its own rounding */
double eval_before_cast(Eval *e, Dtype from, Dtype to, double value); /* value, or nudged */
double eval_sum(const Eval *e, const Scalar *x, int64_t count);
int eval_lanes(const Eval *e);                   /* interleaved partial sums of a sum, */
int64_t eval_turn(const Eval *e, int64_t count); /* and its first term */
/* EVAL_UNDECIDED: the result of a sum of finite terms whose positive terms sum to `above` and whose
 * negative ones to `below`. */
double eval_overflow(const Eval *e, double sum, double above, double below);
int64_t eval_wrap(Dtype type, uint64_t value); /* an integer result in its own type */
double eval_max(double a, double b);           /* NaN if either is, 0 of 0 and -0 */
double eval_min(double a, double b);           /* NaN if either is, -0 of 0 and -0 */

/* ---- masked.c ---- */

bool eval_masked_open(Eval *e);                                 /* false: no memory */
void eval_masked_map(const Eval *e, const Node *n, Value *out); /* what masked sources hide */

/* ---- one function per class of ops: fills out->at; false after noting a failure ---- */

/* Compiles the functions of imported headers that g calls; false after a refusal. (call.c) */
bool eval_calls_open(const Graph *g);
void eval_call(Eval *e, const Node *n, Value *out);
void eval_map(Eval *e, const Node *n, Value *out);
/* The block of random words of a counter, in its place. */
void eval_philox(uint32_t *counter, uint64_t seed);
void eval_view(Eval *e, const Node *n, Value *out);
bool eval_scatter(Eval *e, const Node *n, Value *out); /* view.c */
bool eval_segments(Eval *e, const Node *n, Value *out);
void eval_combine(Eval *e, const Node *n, Value *out);
bool eval_gather(Eval *e, const Node *n, Value *out);
bool eval_reduce(Eval *e, const Node *n, Value *out);
bool eval_partial_sum(Eval *e, const Node *n, Value *out);
bool eval_scan(Eval *e, const Node *n, Value *out);
bool eval_matmul(Eval *e, const Node *n, Value *out);
bool eval_composite(Eval *e, const Node *n, Value *out);

/* `index` into `size` elements: clamped, or a failure when bounds are checked. */
bool eval_index(Eval *e, const Node *n, int64_t size, int64_t element, int64_t *index);

#endif
