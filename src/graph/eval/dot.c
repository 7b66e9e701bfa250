/* dot.c: the matrix product, out[m, n] = sum over k of a[m, k] * b[n, k] for each batch. It
 * computes four elements of a row at a time, each summed from first to last: four independent sums
 * are nearly four times as fast as one. Threads have rows of their own, so results do not depend on
 * their number. */
#include "graph/eval/eval_private.h"
#include "runtime/runtime.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 4 };

/* A row of a and COLUMNS rows of b. */
typedef struct Rows4 {
    const Scalar *a, *b[COLUMNS];
    int64_t count, turn;
    int lanes;
    bool is_f8; /* @precision(f8) holds for them */
} Rows4;

/* The term at position i of the sum. */
static int64_t term(const Rows4 *r, int64_t i) {
    return i + r->turn - (i + r->turn < r->count ? 0 : r->count);
}

/* ---- COLUMNS elements of the result -------------------------------------------------------- */

static void dots_f32(const Rows4 *r, Scalar *out) {
    float total[COLUMNS] = {0};
    for (int lane = 0; lane < r->lanes; lane++) {
        float partial[COLUMNS] = {0};
        for (int64_t i = lane; i < r->count; i += r->lanes) {
            const int64_t k = term(r, i);
            for (int j = 0; j < COLUMNS; j++) partial[j] += (float)r->a[k].f * (float)r->b[j][k].f;
        }
        for (int j = 0; j < COLUMNS; j++) total[j] += partial[j];
    }
    for (int j = 0; j < COLUMNS; j++) out[j].f = total[j];
}

/* Terms of which only so many bits below the largest one's count. */
static double short_sum(const double *at, int count, int bits) {
    double largest = 0, sum = 0;
    int exponent;
    for (int i = 0; i < count; i++)
        if (!(fabs(at[i]) <= largest)) largest = fabs(at[i]);
    frexp(isinf(largest) ? 1 : largest, &exponent);
    for (int i = 0; i < count; i++)
        sum += ldexp(trunc(ldexp(at[i], bits - exponent)), exponent - bits);
    return sum;
}

/* As tensor cores add up products of f8: see F8_TERMS. */
static double dot_f8(const Rows4 *r, const Scalar *b) {
    float total = 0, partial = 0;
    double at[F8_TERMS + 1];
    int count = 0;
    for (int64_t i = 0; i < r->count; i++) {
        const int64_t k = term(r, i);
        at[count++] = r->a[k].f * b[k].f;
        const bool is_last = i + 1 == r->count;
        if (count < F8_TERMS && !is_last) continue;
        at[count] = partial;
        partial = (float)short_sum(at, count + 1, F8_BITS);
        count = 0;
        if ((i + 1) % F8_DEPTH && !is_last) continue;
        total += partial;
        partial = 0;
    }
    return total;
}

static void dots_f8(const Rows4 *r, Scalar *out) {
    for (int j = 0; j < COLUMNS; j++) out[j].f = dot_f8(r, r->b[j]);
}

static void dots_f64(const Rows4 *r, Scalar *out) {
    double total[COLUMNS] = {0};
    for (int lane = 0; lane < r->lanes; lane++) {
        double partial[COLUMNS] = {0};
        for (int64_t i = lane; i < r->count; i += r->lanes) {
            const int64_t k = term(r, i);
            for (int j = 0; j < COLUMNS; j++) partial[j] += r->a[k].f * r->b[j][k].f;
        }
        for (int j = 0; j < COLUMNS; j++) total[j] += partial[j];
    }
    for (int j = 0; j < COLUMNS; j++) out[j].f = total[j];
}

static void dots_exact_f64(const Rows4 *r, Scalar *out) {
    for (int j = 0; j < COLUMNS; j++) {
        long double total = 0;
        for (int64_t i = 0; i < r->count; i++) total += (long double)r->a[i].f * r->b[j][i].f;
        out[j].f = (double)total;
    }
}

static void dots_int(Dtype type, const Rows4 *r, Scalar *out) {
    uint64_t total[COLUMNS] = {0};
    for (int64_t i = 0; i < r->count; i++)
        for (int j = 0; j < COLUMNS; j++) total[j] += (uint64_t)r->a[i].i * (uint64_t)r->b[j][i].i;
    for (int j = 0; j < COLUMNS; j++) out[j].i = eval_wrap(type, total[j]);
}

static void dots_overflow(const Eval *e, const Rows4 *r, Scalar *out) {
    for (int j = 0; j < COLUMNS; j++) {
        double above = 0, below = 0;
        bool is_finite = true;
        for (int64_t i = 0; i < r->count; i++) {
            is_finite = is_finite && isfinite(r->a[i].f) && isfinite(r->b[j][i].f);
            const double x = r->a[i].f * r->b[j][i].f;
            *(x > 0 ? &above : &below) += x;
        }
        if (is_finite) out[j].f = eval_overflow(e, out[j].f, above, below);
    }
}

/* Exact sums of f32 are in double, where the products of f32 are exact. */
static void dots(const Eval *e, const Rows4 *r, Scalar *out) {
    if (!dtype_is_float(e->type))
        dots_int(e->type, r, out);
    else if (e->mode == EVAL_EXACT && e->type == T_F64)
        dots_exact_f64(r, out);
    else if (e->mode == EVAL_EXACT || e->type == T_F64)
        dots_f64(r, out);
    else if (r->is_f8)
        dots_f8(r, out);
    else
        dots_f32(r, out);
    if (e->mode == EVAL_UNDECIDED && dtype_is_float(e->type)) dots_overflow(e, r, out);
}

/* Products with zeros of an operand that a mask sets are 0. */
typedef struct Hidden {
    bool by[2];     /* the operand */
    Scalar *row[2]; /* memory for a row of each */
} Hidden;

/* The results that are NaN, without what is hidden. */
static void dots_hidden(const Eval *e, const Rows4 *r, const Hidden *h, Scalar *out) {
    Rows4 seen = *r;
    Scalar result[COLUMNS];
    seen.a = h->row[0];
    for (int j = 0; j < COLUMNS; j++) seen.b[j] = h->row[1];
    for (int j = 0; j < COLUMNS; j++) {
        if (!isnan(out[j].f)) continue;
        for (int64_t i = 0; i < r->count; i++) {
            const bool is_hidden = (h->by[0] && r->a[i].f == 0) || (h->by[1] && r->b[j][i].f == 0);
            h->row[0][i].f = is_hidden ? 0 : r->a[i].f;
            h->row[1][i].f = is_hidden ? 0 : r->b[j][i].f;
        }
        dots(e, &seen, result);
        out[j] = result[0];
    }
}

/* A row of a with the n rows of a matrix b. If fewer than COLUMNS are left, the last is repeated
 * and its results are dropped. */
static void dot_row(const Eval *e, const Scalar *a, const Scalar *b, int64_t n, int64_t k,
                    bool is_f8, const Hidden *hidden, Scalar *out) {
    for (int64_t j = 0; j < n; j += COLUMNS) {
        Rows4 r = {
            .a = a, .count = k, .lanes = eval_lanes(e), .turn = eval_turn(e, k), .is_f8 = is_f8};
        Scalar result[COLUMNS];
        for (int c = 0; c < COLUMNS; c++) r.b[c] = b + (j + c < n ? j + c : n - 1) * k;
        dots(e, &r, result);
        if (hidden->by[0] || hidden->by[1]) dots_hidden(e, &r, hidden, result);
        for (int c = 0; c < COLUMNS && j + c < n; c++) out[j + c] = result[c];
    }
}

/* ---- operands --------------------------------------------------------------------------- */

/* Significant bits that the operands of a matmul keep under @precision; 0: all. */
static int operand_bits(const Eval *e) {
    if (e->mode == EVAL_EXACT || e->type != T_F32) return 0;
    return precision_bits(e->g->attrs.precision);
}

static double shorten(double x, int bits) {
    int exponent;
    if (!isfinite(x)) return x;
    double mantissa = frexp(x, &exponent);
    return ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}

/* A copy of source i as the product reads it. */
static Scalar *operand(Eval *e, const Node *n, int i) {
    const Value *x = eval_source(e, n, i);
    int bits = operand_bits(e);
    Scalar *copy = eval_alloc(e, n, x->count, sizeof *copy);
    for (int64_t j = 0; copy && j < x->count; j++) {
        copy[j] = x->at[j];
        if (bits) copy[j].f = shorten(copy[j].f, bits);
    }
    return copy;
}

static bool hidden_open(Eval *e, const Node *n, int64_t k, Hidden *h) {
    for (int i = 0; i < 2; i++) h->by[i] = e->masked[n->src[i]] == MASKED_ZERO;
    if (!h->by[0] && !h->by[1]) return true;
    h->row[0] = eval_alloc(e, n, 2 * k, sizeof *h->row[0]);
    h->row[1] = h->row[0] ? h->row[0] + k : NULL;
    return h->row[0] != NULL;
}

/* ---- rows of all batches ----------------------------------------------------------------- */

typedef struct Product {
    const Eval *e;
    const Scalar *a, *b;
    int64_t rows, columns, k;
    bool is_f8;
    const Hidden *hidden;
    Scalar *out;
} Product;

static void dot_rows(void *of, int64_t first, int64_t end) {
    const Product *p = of;
    for (int64_t i = first; i < end; i++)
        dot_row(p->e, p->a + i * p->k, p->b + i / p->rows * p->columns * p->k, p->columns, p->k,
                p->is_f8, p->hidden, p->out + i * p->columns);
}

/* Threads that multiply for longer than they take to start. One where an operand is masked: rows
 * without what the mask hides are made in memory that threads would share. */
static int threads_of(const Product *p, int64_t rows) {
    static const double products = 1 << 22, most = 1 << 10;
    if (p->hidden->by[0] || p->hidden->by[1]) return 1;
    return 1 + (int)fmin(most, (double)rows * (double)p->columns * (double)p->k / products);
}

/* ---- the node --------------------------------------------------------------------------- */

bool eval_matmul(Eval *e, const Node *n, Value *out) {
    const Value *a = eval_source(e, n, 0), *b = eval_source(e, n, 1);
    int rank = e->g->node[n->src[0]].rank;
    int64_t batch = 1, k = 1;
    for (int axis = 0; axis < n->attr[0]; axis++) batch *= a->shape[axis];
    for (int axis = rank - n->attr[1]; axis < rank; axis++) k *= a->shape[axis];
    int64_t rows = a->count / batch / k, columns = b->count / batch / k;
    Scalar *x = operand(e, n, 0), *y = x ? operand(e, n, 1) : NULL;
    Hidden hidden = {0};
    bool ok = y && hidden_open(e, n, k, &hidden), is_f8 = dot_sums_f8(e->g, n);
    Product p = {e, x, y, rows, columns, k, is_f8, &hidden, out->at};
    if (ok) share_range(batch * rows, threads_of(&p, batch * rows), dot_rows, &p);
    free(hidden.row[0]);
    free(x);
    free(y);
    return ok;
}
