/* composite.c: the composite ops by their definitions, not through decompose, which is tested
 * against this. Each step is rounded as in the unfused program; EVAL_EXACT, which does not round,
 * uses forms without cancellation. */
#include "graph/eval/eval_private.h"

#include <math.h>
#include <string.h>

/* ---- element by element ----------------------------------------------------------------- */

static double sigmoid(Eval *e, double x) {
    double bottom = eval_round(e, 1 + eval_round(e, exp(-x)));
    return eval_round(e, 1 / bottom);
}

static double silu(Eval *e, double x) {
    double bottom = eval_round(e, 1 + eval_round(e, exp(-x)));
    return eval_round(e, x / bottom);
}

/* x * (1 + y) / 2 where y is erf(..) or tanh(..) */
static double half_of(Eval *e, double x, double y) {
    double half = eval_round(e, x / 2);
    return eval_round(e, half + eval_round(e, half * y));
}

static double gelu(Eval *e, double x) {
    const double sqrt_half = 0.70710678118654752440;
    if (e->mode == EVAL_EXACT) return x * erfc(-x * sqrt_half) / 2;
    double inner = eval_round(e, x * eval_round(e, sqrt_half));
    return half_of(e, x, eval_round(e, erf(inner)));
}

static double gelu_tanh(Eval *e, double x) {
    const double sqrt_2_pi = 0.79788456080286535588;
    double square = eval_round(e, x * x), cube = eval_round(e, square * x);
    double sum = eval_round(e, x + eval_round(e, eval_round(e, 0.044715) * cube));
    double inner = eval_round(e, eval_round(e, sqrt_2_pi) * sum);
    if (e->mode == EVAL_EXACT) return x / (1 + exp(-2 * inner)); /* 1 + tanh(t) = 2/(1 + e**-2t) */
    return half_of(e, x, eval_round(e, tanh(inner)));
}

static double softplus(Eval *e, double x) {
    double tail = eval_round(e, log1p(eval_round(e, exp(-fabs(x)))));
    return eval_round(e, eval_max(x, 0) + tail);
}

static Scalar clamp(Dtype type, Scalar x, Scalar lo, Scalar hi) {
    if (dtype_is_float(type)) return (Scalar){.f = eval_min(eval_max(x.f, lo.f), hi.f)};
    int64_t raised = x.i > lo.i ? x.i : lo.i;
    return (Scalar){.i = raised < hi.i ? raised : hi.i};
}

static Scalar relu(Dtype type, Scalar x) {
    if (dtype_is_float(type)) return (Scalar){.f = eval_max(x.f, 0)};
    return (Scalar){.i = x.i > 0 ? x.i : 0};
}

static Scalar element(Eval *e, const Node *n, Scalar x) {
    switch (n->op) {
    case OP_RELU: return relu(n->type, x);
    case OP_SIGMOID: return (Scalar){.f = sigmoid(e, x.f)};
    case OP_SILU: return (Scalar){.f = silu(e, x.f)};
    case OP_GELU: return (Scalar){.f = gelu(e, x.f)};
    case OP_GELU_TANH: return (Scalar){.f = gelu_tanh(e, x.f)};
    case OP_SOFTPLUS: return (Scalar){.f = softplus(e, x.f)};
    default: BUG("no meaning for %s", op_info[n->op].name);
    }
}

/* An operand whose shape is a suffix of x's: a scalar, one row of gains, or all of x's shape. */
static Scalar trailing(const Value *operand, int64_t i) { return operand->at[i % operand->count]; }

static void map_clamp(const Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0), *lo = eval_source(e, n, 1), *hi = eval_source(e, n, 2);
    for (int64_t i = 0; i < out->count; i++)
        out->at[i] = clamp(n->type, x->at[i], trailing(lo, i), trailing(hi, i));
}

/* ---- row by row: what they share -------------------------------------------------------- */

static double row_mean(Eval *e, const Scalar *x, int64_t count) {
    return eval_round(e, eval_round(e, eval_sum(e, x, count)) / (double)count);
}

static double row_mean_of_squares(Eval *e, Scalar *x, int64_t count) {
    for (int64_t j = 0; j < count; j++) x[j].f = eval_round(e, x[j].f * x[j].f);
    return row_mean(e, x, count);
}

static void row_subtract(Eval *e, Scalar *x, int64_t count, double value) {
    for (int64_t j = 0; j < count; j++) x[j].f = eval_round(e, x[j].f - value);
}

static double row_var(Eval *e, Scalar *x, int64_t count) {
    row_subtract(e, x, count, row_mean(e, x, count));
    return row_mean_of_squares(e, x, count);
}

/* Overwrites x with exp(x - max) and returns the sum. */
static double row_exponentials(Eval *e, Scalar *x, int64_t count, double max) {
    row_subtract(e, x, count, max);
    for (int64_t j = 0; j < count; j++) x[j].f = eval_round(e, exp(x[j].f));
    return eval_round(e, eval_sum(e, x, count));
}

/* An infinite maximum, or NaN, is the result itself. */
static double row_logsumexp(Eval *e, Scalar *x, int64_t count) {
    double max = eval_row_max(x, count);
    if (!isfinite(max)) return max;
    double sum = row_exponentials(e, x, count, max);
    return eval_round(e, max + eval_round(e, log(sum)));
}

/* What logsumexp adds to the maximum, which is 0 for a row of -Inf; overwrites x. */
static double row_log_sum(Eval *e, Scalar *x, int64_t count, double shift) {
    return eval_round(e, log(row_exponentials(e, x, count, shift)));
}

static double row_shift(const Scalar *x, int64_t count) {
    double max = eval_row_max(x, count);
    return max == -INFINITY ? 0 : max;
}

static void row_softmax(Eval *e, Scalar *x, int64_t count) {
    double max = eval_row_max(x, count);
    if (max == -INFINITY) {
        for (int64_t j = 0; j < count; j++) x[j].f = 0;
        return;
    }
    double sum = row_exponentials(e, x, count, max);
    for (int64_t j = 0; j < count; j++) x[j].f = eval_round(e, x[j].f / sum);
}

static double inverse_root(Eval *e, double square, double eps) {
    double inside = eval_round(e, square + eval_round(e, eps));
    return eval_round(e, 1 / sqrt(inside));
}

static double node_eps(const Node *n) {
    union { /* the double with these bits */
        uint64_t bits;
        double value;
    } eps = {n->bits};
    return eps.value;
}

/* ---- rows to numbers -------------------------------------------------------------------- */

static double row_number(Eval *e, Op op, Scalar *x, int64_t count) {
    switch (op) {
    case OP_MEAN: return row_mean(e, x, count);
    case OP_VAR: return row_var(e, x, count);
    case OP_LOGSUMEXP: return row_logsumexp(e, x, count);
    default: BUG("no meaning for %s", op_info[op].name);
    }
}

static bool reduce_rows(Eval *e, const Node *n, Rows *rows, Value *out) {
    for (int64_t r = 0; r < rows->count; r++) {
        rows_read(rows, eval_source(e, n, 0), r);
        out->at[r].f = row_number(e, n->op, rows->row, rows->size);
    }
    return true;
}

/* The label of row r is at r: labels have no axis of classes. */
static bool cross_entropy(Eval *e, const Node *n, Rows *rows, Value *out) {
    const Value *labels = eval_source(e, n, 1);
    for (int64_t r = 0; r < rows->count; r++) {
        int64_t label = labels->at[r].i;
        if (!eval_index(e, n, rows->size, r, &label)) return false;
        rows_read(rows, eval_source(e, n, 0), r);
        double shift = row_shift(rows->row, rows->size);
        double below = eval_round(e, shift - rows->row[label].f);
        double rest = shift == INFINITY ? 0 : row_log_sum(e, rows->row, rows->size, shift);
        out->at[r].f = eval_round(e, below + rest);
    }
    return true;
}

/* ---- rows to rows ----------------------------------------------------------------------- */

static bool softmax_rows(Eval *e, const Node *n, Rows *rows, Value *out) {
    const Value *x = eval_source(e, n, 0);
    for (int64_t r = 0; r < rows->count; r++) {
        rows_read(rows, x, r);
        if (n->op == OP_SOFTMAX) {
            row_softmax(e, rows->row, rows->size);
        } else {
            double shift = row_shift(rows->row, rows->size);
            double rest = row_log_sum(e, rows->row, rows->size, shift);
            rows_read(rows, x, r);
            row_subtract(e, rows->row, rows->size, shift);
            row_subtract(e, rows->row, rows->size, rest);
        }
        rows_write(rows, out, r);
    }
    return true;
}

/* Rows are contiguous here: row r starts at r * size. */
static bool layer_norm(Eval *e, const Node *n, Rows *rows, Value *out) {
    const Value *x = eval_source(e, n, 0), *gain = eval_source(e, n, 1),
                *bias = eval_source(e, n, 2);
    for (int64_t r = 0; r < rows->count; r++) {
        rows_read(rows, x, r);
        double mean = row_mean(e, rows->row, rows->size);
        double scale = inverse_root(e, row_var(e, rows->row, rows->size), node_eps(n));
        for (int64_t j = 0, at = r * rows->size; j < rows->size; j++, at++) {
            double normal = eval_round(e, eval_round(e, x->at[at].f - mean) * scale);
            double scaled = eval_round(e, normal * trailing(gain, at).f);
            out->at[at].f = eval_round(e, scaled + trailing(bias, at).f);
        }
    }
    return true;
}

static bool rms_norm(Eval *e, const Node *n, Rows *rows, Value *out) {
    const Value *x = eval_source(e, n, 0), *gain = eval_source(e, n, 1);
    for (int64_t r = 0; r < rows->count; r++) {
        rows_read(rows, x, r);
        double square = row_mean_of_squares(e, rows->row, rows->size);
        double scale = inverse_root(e, square, node_eps(n));
        for (int64_t j = 0, at = r * rows->size; j < rows->size; j++, at++)
            out->at[at].f =
                eval_round(e, eval_round(e, x->at[at].f * scale) * trailing(gain, at).f);
    }
    return true;
}

/* ---- whole nodes ------------------------------------------------------------------------ */

static bool all_rows(Eval *e, const Node *n, Rows *rows, Value *out) {
    switch (n->op) {
    case OP_MEAN:
    case OP_VAR:
    case OP_LOGSUMEXP: return reduce_rows(e, n, rows, out);
    case OP_SOFTMAX:
    case OP_LOG_SOFTMAX: return softmax_rows(e, n, rows, out);
    case OP_LAYER_NORM: return layer_norm(e, n, rows, out);
    case OP_RMS_NORM: return rms_norm(e, n, rows, out);
    case OP_CROSS_ENTROPY: return cross_entropy(e, n, rows, out);
    default: BUG("no meaning for %s", op_info[n->op].name);
    }
}

static bool is_elementwise(Op op) {
    return op == OP_RELU || op == OP_SIGMOID || op == OP_SILU || op == OP_GELU ||
           op == OP_GELU_TANH || op == OP_SOFTPLUS;
}

static bool over_last_axis(Op op) {
    return op == OP_LAYER_NORM || op == OP_RMS_NORM || op == OP_CROSS_ENTROPY;
}

bool eval_composite(Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0);
    if (n->op == OP_CLAMP) {
        map_clamp(e, n, out);
        return true;
    }
    if (n->op == OP_SCATTER) return eval_scatter(e, n, out);
    if (n->op == OP_STOP_GRADIENT) {
        memcpy(out->at, x->at, sizeof *out->at * (size_t)out->count);
        return true;
    }
    if (is_elementwise(n->op)) {
        for (int64_t i = 0; i < out->count; i++) out->at[i] = element(e, n, x->at[i]);
        return true;
    }
    int rank = e->g->node[n->src[0]].rank;
    uint32_t axes = over_last_axis(n->op) ? 1u << (rank - 1) : (uint32_t)n->attr[0];
    Rows rows;
    bool ok = rows_open(e, n, x, rank, axes, &rows) && all_rows(e, n, &rows, out);
    rows_close(&rows);
    return ok;
}
