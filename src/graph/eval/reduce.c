/* reduce.c: reductions and scans. Each row of the source (see Rows) is copied and then
 * processed by a plain loop. */
#include "graph/eval/eval_private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- rows ------------------------------------------------------------------------------- */

/* The offsets of all positions along the axes of the mask, in row-major order. */
static int64_t *offsets(Eval *e, const Node *n, const Value *x, int rank, uint32_t axes,
                        int64_t *count) {
    *count = 1;
    for (int axis = 0; axis < rank; axis++)
        if (axes >> axis & 1) *count *= x->shape[axis];
    int64_t *offset = eval_alloc(e, n, *count, sizeof *offset);
    if (!offset) return NULL;
    /* From the last axis to the first: repeats the offsets so far at each position of the axis. */
    int64_t done = 1, step = 1;
    offset[0] = 0;
    for (int axis = rank - 1; axis >= 0; axis--) {
        if (axes >> axis & 1) {
            for (int64_t i = 1; i < x->shape[axis]; i++)
                for (int64_t j = 0; j < done; j++) offset[i * done + j] = offset[j] + i * step;
            done *= x->shape[axis];
        }
        step *= x->shape[axis];
    }
    return offset;
}

bool rows_open(Eval *e, const Node *n, const Value *x, int rank, uint32_t axes, Rows *rows) {
    *rows = (Rows){0};
    rows->base = offsets(e, n, x, rank, ~axes, &rows->count);
    if (rows->base) rows->within = offsets(e, n, x, rank, axes, &rows->size);
    if (rows->within) rows->row = eval_alloc(e, n, rows->size, sizeof *rows->row);
    return rows->row != NULL;
}

void rows_read(Rows *rows, const Value *x, int64_t r) {
    for (int64_t j = 0; j < rows->size; j++) rows->row[j] = x->at[rows->base[r] + rows->within[j]];
}

void rows_write(const Rows *rows, Value *out, int64_t r) {
    for (int64_t j = 0; j < rows->size; j++)
        out->at[rows->base[r] + rows->within[j]] = rows->row[j];
}

void rows_close(Rows *rows) {
    free(rows->base);
    free(rows->within);
    free(rows->row);
}

/* ---- reductions ------------------------------------------------------------------------- */

/* A product so far, and those of its factors above 1 and of the others. */
typedef struct Product {
    long double exact, above, below;
    double rounded;
} Product;

static const Product no_factors = {1, 1, 1, 1};

/* Does the order of the factors decide whether a product on the way is infinite, or so small that
 * it loses digits, and the result is not? */
static bool is_order_seen(const Eval *e, const Product *p) {
    const double most = e->type == T_F64 ? DBL_MAX : FLT_MAX;
    const double least = e->type == T_F64 ? DBL_MIN : FLT_MIN;
    const double exact = fabs((double)p->exact);
    const bool is_large = fabsl(p->above) > most, is_small = fabsl(p->below) < least;
    return (is_large && (is_small || exact <= most)) || (is_small && exact >= least);
}

static void multiply(const Eval *e, Product *p, double x) {
    p->exact *= x;
    *(fabs(x) > 1 ? &p->above : &p->below) *= x;
    p->rounded = dtype_round(e->type, p->rounded * x);
}

static double product_value(const Eval *e, const Product *p) {
    if (e->mode == EVAL_UNDECIDED && is_order_seen(e, p)) return NAN;
    return e->mode == EVAL_EXACT ? (double)p->exact : p->rounded;
}

static double float_prod(const Eval *e, const Scalar *x, int64_t count) {
    Product p = no_factors;
    for (int64_t i = 0; i < count; i++) multiply(e, &p, x[i].f);
    return product_value(e, &p);
}

double eval_row_max(const Scalar *x, int64_t count) {
    double result = x[0].f;
    for (int64_t i = 1; i < count; i++) result = eval_max(result, x[i].f);
    return result;
}

static double row_min(const Scalar *x, int64_t count) {
    double result = x[0].f;
    for (int64_t i = 1; i < count; i++) result = eval_min(result, x[i].f);
    return result;
}

static int64_t float_argmax(const Scalar *x, int64_t count) {
    int64_t best = 0;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(x[i].f)) return i;
        if (x[i].f > x[best].f) best = i;
    }
    return best;
}

static Scalar float_reduce(Eval *e, Op op, const Scalar *x, int64_t count) {
    switch (op) {
    case OP_SUM: return (Scalar){.f = eval_round(e, eval_sum(e, x, count))};
    case OP_PROD: return (Scalar){.f = eval_round(e, float_prod(e, x, count))};
    case OP_RMAX: return (Scalar){.f = eval_row_max(x, count)};
    case OP_RMIN: return (Scalar){.f = row_min(x, count)};
    case OP_ARGMAX: return (Scalar){.i = float_argmax(x, count)};
    default: BUG("no meaning for %s of floats", op_info[op].name);
    }
}

static int64_t int_argmax(const Scalar *x, int64_t count) {
    int64_t best = 0;
    for (int64_t i = 1; i < count; i++)
        if (x[i].i > x[best].i) best = i;
    return best;
}

static int64_t int_combine(Op op, int64_t a, int64_t b) {
    switch (op) {
    case OP_SUM: return (int64_t)((uint64_t)a + (uint64_t)b);
    case OP_PROD: return (int64_t)((uint64_t)a * (uint64_t)b);
    case OP_RMAX: return a > b ? a : b;
    case OP_RMIN: return a < b ? a : b;
    case OP_ANY: return a || b;
    case OP_ALL: return a && b;
    default: BUG("no meaning for %s of integers", op_info[op].name);
    }
}

static Scalar int_reduce(Op op, Dtype type, const Scalar *x, int64_t count) {
    if (op == OP_ARGMAX) return (Scalar){.i = int_argmax(x, count)};
    int64_t result = x[0].i;
    for (int64_t i = 1; i < count; i++) result = int_combine(op, result, x[i].i);
    return (Scalar){.i = eval_wrap(type, (uint64_t)result)};
}

bool eval_reduce(Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0);
    const Node *source = &e->g->node[n->src[0]];
    bool is_float = dtype_is_float(source->type);
    Rows rows;
    bool ok = rows_open(e, n, x, source->rank, (uint32_t)n->attr[0], &rows);
    for (int64_t r = 0; ok && r < rows.count; r++) {
        rows_read(&rows, x, r);
        out->at[r] = is_float ? float_reduce(e, n->op, rows.row, rows.size)
                              : int_reduce(n->op, n->type, rows.row, rows.size);
    }
    rows_close(&rows);
    return ok;
}

/* Of each column: the sum of each chunk, none of what no position is left for. */
bool eval_partial_sum(Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0);
    Rows rows;
    bool ok = rows_open(e, n, x, n->rank, (uint32_t)n->attr[0], &rows);
    const int64_t chunks = n->attr[1], length = (rows.size + chunks - 1) / chunks;
    for (int64_t r = 0; ok && r < rows.count; r++) {
        rows_read(&rows, x, r);
        for (int64_t c = 0; c < chunks; c++) {
            const int64_t from = c * length < rows.size ? c * length : rows.size,
                          left = rows.size - from, count = left < length ? left : length;
            Scalar *to = &out->at[c * rows.count + r];
            *to = count ? float_reduce(e, OP_SUM, rows.row + from, count) : (Scalar){0};
        }
    }
    rows_close(&rows);
    return ok;
}

/* ---- scans ------------------------------------------------------------------------------ */

static void float_sums(Eval *e, Scalar *row, int64_t count) {
    long double exact = 0;
    double rounded = 0, above = 0, below = 0;
    for (int64_t j = 0; j < count; j++) {
        exact += row[j].f;
        *(row[j].f > 0 ? &above : &below) += row[j].f;
        rounded = eval_round(e, rounded + row[j].f);
        row[j].f = e->mode == EVAL_EXACT       ? (double)exact
                   : e->mode == EVAL_UNDECIDED ? eval_overflow(e, rounded, above, below)
                                               : rounded;
    }
}

static void float_products(Eval *e, Scalar *row, int64_t count) {
    Product p = no_factors;
    for (int64_t j = 0; j < count; j++) {
        multiply(e, &p, row[j].f);
        row[j].f = eval_round(e, product_value(e, &p));
    }
}

static void float_scan(Eval *e, Op op, Scalar *row, int64_t count) {
    if (op == OP_SUM)
        float_sums(e, row, count);
    else if (op == OP_PROD)
        float_products(e, row, count);
    else
        for (int64_t j = 1; j < count; j++) row[j] = float_reduce(e, op, row + j - 1, 2);
}

static void int_scan(Op op, Dtype type, Scalar *row, int64_t count) {
    for (int64_t j = 1; j < count; j++) row[j] = int_reduce(op, type, row + j - 1, 2);
}

static void turn_round(Scalar *row, int64_t count) {
    for (int64_t i = 0, j = count - 1; i < j; i++, j--) {
        const Scalar first = row[i];
        row[i] = row[j];
        row[j] = first;
    }
}

bool eval_scan(Eval *e, const Node *n, Value *out) {
    const Value *x = eval_source(e, n, 0);
    Rows rows;
    const Op op = reduction_of(n->op)->op;
    bool ok = rows_open(e, n, x, n->rank, 1u << n->attr[0], &rows);
    for (int64_t r = 0; ok && r < rows.count; r++) {
        rows_read(&rows, x, r);
        if (n->attr[1]) turn_round(rows.row, rows.size);
        if (dtype_is_float(n->type))
            float_scan(e, op, rows.row, rows.size);
        else
            int_scan(op, n->type, rows.row, rows.size);
        if (n->attr[1]) turn_round(rows.row, rows.size);
        rows_write(&rows, out, r);
    }
    rows_close(&rows);
    return ok;
}
