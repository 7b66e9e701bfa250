/* value.c: sizes with known symbols.
 * In: a Dim and the symbols' values. Out: its value, or one missing symbol from the value (the
 * shapes of inputs give the dims their values). */
#include "graph/dims/dim_private.h"

/* ---- values ------------------------------------------------------------------------------- */

static bool mod_value(const Dims *d, const DimNode *n, const int64_t *symbols, int64_t *value) {
    int64_t p, q;
    if (!dim_value(d, n->a, symbols, &p) || !dim_value(d, n->b, symbols, &q) || !q) return false;
    *value = q == -1 ? 0 : p % q;
    return true;
}

/* A term without negative exponents and with a whole coefficient. */
static bool term_value(const Dims *d, const DimTerm *t, const int64_t *symbols, Int128 *value) {
    Int128 product = t->num;
    for (int i = 0; i < t->count; i++) {
        int64_t atom;
        if (!dim_value(d, t->factor[i].atom, symbols, &atom)) return false;
        for (int e = t->factor[i].exponent; e > 0; e--)
            if (__builtin_mul_overflow(product, (Int128)atom, &product)) return false;
    }
    *value = product;
    return true;
}

static bool sum_value(const Dims *d, const DimTerm *terms, int count, const int64_t *symbols,
                      Int128 *sum) {
    *sum = 0;
    for (int i = 0; i < count; i++) {
        Int128 term;
        if (!term_value(d, &terms[i], symbols, &term)) return false;
        if (__builtin_add_overflow(*sum, term, sum)) return false;
    }
    return true;
}

static bool has_division(const DimNode *n) {
    for (int i = 0; i < n->count; i++) {
        if (n->term[i].den != 1) return true;
        for (int f = 0; f < n->term[i].count; f++)
            if (n->term[i].factor[f].exponent < 0) return true;
    }
    return false;
}

static bool quotient_value(const Dims *d, const DimNode *n, const int64_t *symbols, Int128 *value) {
    DimPoly above;
    DimTerm under;
    Int128 sum, below;
    if (!poly_over(&above, &under, n->term, n->count)) return false;
    if (!term_value(d, &under, symbols, &below) || !below) return false;
    if (!sum_value(d, above.term, above.count, symbols, &sum) || sum % below) return false;
    *value = sum / below;
    return true;
}

/* Calls of a library ask this often: most sizes are a symbol or a sum without division. */
bool dim_value(const Dims *d, Dim a, const int64_t *symbols, int64_t *value) {
    const DimNode *n = &d->node[a];
    Int128 sum;
    if (!a) return false;
    if (n->kind == DIM_SYMBOL) return *value = symbols[n->a], true;
    if (n->kind == DIM_MOD) return mod_value(d, n, symbols, value);
    if (!(has_division(n) ? quotient_value(d, n, symbols, &sum)
                          : sum_value(d, n->term, n->count, symbols, &sum)))
        return false;
    *value = (int64_t)sum;
    return sum == *value;
}

bool dims_check(const Dims *d, const int64_t *symbols, const DimGuard **failed) {
    for (int i = 0; i < d->guards.count; i++) {
        const DimGuard *g = &d->guards.at[i];
        int64_t a, b;
        bool known = dim_value(d, g->a, symbols, &a) && dim_value(d, g->b, symbols, &b);
        bool holds = known && (g->compare == DIM_EQ   ? a == b
                               : g->compare == DIM_NE ? a != b
                               : g->compare == DIM_LT ? a < b
                                                      : a <= b);
        if (holds) continue;
        *failed = g;
        return false;
    }
    return true;
}

int dim_symbol_number(const Dims *d, Dim a) {
    return d->node[a].kind == DIM_SYMBOL ? d->node[a].a : -1;
}

/* ---- solving ------------------------------------------------------------------------------ */

bool dim_uses(const Dims *d, Dim a, int symbol) {
    const DimNode *n = &d->node[a];
    if (n->kind == DIM_SYMBOL) return n->a == symbol;
    if (n->kind == DIM_MOD) return dim_uses(d, n->a, symbol) || dim_uses(d, n->b, symbol);
    for (int i = 0; i < n->count; i++)
        for (int j = 0; j < n->term[i].count; j++)
            if (dim_uses(d, n->term[i].factor[j].atom, symbol)) return true;
    return false;
}

static bool term_uses(const Dims *d, const DimTerm *t, int symbol) {
    for (int i = 0; i < t->count; i++)
        if (dim_uses(d, t->factor[i].atom, symbol)) return true;
    return false;
}

/* t without its factor `symbol`, if that is the only occurrence of the symbol in it. */
static bool strip_symbol(const Dims *d, DimTerm *t, int symbol) {
    for (int i = 0; i < t->count; i++) {
        const DimNode *atom = &d->node[t->factor[i].atom];
        if (atom->kind != DIM_SYMBOL || atom->a != symbol || t->factor[i].exponent != 1) continue;
        DimTerm inverse = term_power(t->factor[i].atom, -1);
        return term_mul(t, &inverse, t) && !term_uses(d, t, symbol);
    }
    return false;
}

/* a == (slope * symbol + rest) / below, with all but the symbol known. */
static bool linear_in(const Dims *d, Dim a, int symbol, const int64_t *symbols, Int128 *slope,
                      Int128 *rest, Int128 *below) {
    DimPoly above;
    DimTerm under;
    *slope = *rest = 0;
    if (!poly_over(&above, &under, d->node[a].term, d->node[a].count)) return false;
    if (term_uses(d, &under, symbol) || !term_value(d, &under, symbols, below)) return false;
    for (int i = 0; i < above.count; i++) {
        DimTerm t = above.term[i];
        Int128 value, *sum = term_uses(d, &t, symbol) ? slope : rest;
        if (sum == slope && !strip_symbol(d, &t, symbol)) return false;
        if (!term_value(d, &t, symbols, &value)) return false;
        if (__builtin_add_overflow(*sum, value, sum)) return false;
    }
    return *slope != 0;
}

/* The symbol is a factor of t, to any power, and t grows with it. */
static bool grows_with(const Dims *d, const DimTerm *t, int symbol) {
    for (int i = 0; i < t->count; i++) {
        const DimNode *atom = &d->node[t->factor[i].atom];
        if (atom->kind != DIM_SYMBOL && dim_uses(d, t->factor[i].atom, symbol)) return false;
    }
    return t->num > 0;
}

/* How a depends on the symbol, and how it is solved for it. */
typedef enum Dependence { DEPENDS_OTHERWISE, DEPENDS_LINEARLY, GROWS } Dependence;

static Dependence dependence(const Dims *d, Dim a, int symbol) {
    DimPoly above;
    DimTerm under;
    bool is_linear = dim_uses(d, a, symbol), grows = is_linear;
    if (!poly_over(&above, &under, d->node[a].term, d->node[a].count) ||
        term_uses(d, &under, symbol))
        return DEPENDS_OTHERWISE;
    for (int i = 0; i < above.count; i++) {
        DimTerm t = above.term[i];
        if (!term_uses(d, &t, symbol)) continue;
        grows = grows && grows_with(d, &t, symbol);
        is_linear = is_linear && strip_symbol(d, &t, symbol);
    }
    return is_linear ? DEPENDS_LINEARLY : grows ? GROWS : DEPENDS_OTHERWISE;
}

bool dim_determines(const Dims *d, Dim a, int symbol) {
    return dependence(d, a, symbol) != DEPENDS_OTHERWISE;
}

/* *root: that of a == value, rounded: the caller's check finds what is none. */
static bool linear_root(const Dims *d, Dim a, int64_t value, int symbol, int64_t *symbols,
                        int64_t *root) {
    Int128 slope, rest, below, right;
    if (!linear_in(d, a, symbol, symbols, &slope, &rest, &below)) return false;
    if (__builtin_mul_overflow(below, (Int128)value, &right)) return false;
    if (__builtin_sub_overflow(right, rest, &right)) return false;
    right /= slope;
    *root = (int64_t)right;
    return right == *root;
}

/* The same of N*N, (N*N + N)/2 and so on, by bisection. Where a sum overflows, the symbol is too
 * large. */
static bool root_of_growing(const Dims *d, Dim a, int64_t value, int symbol, int64_t *symbols,
                            int64_t *root) {
    DimPoly above;
    DimTerm under;
    Int128 below, right, sum;
    int64_t low = 0, high = INT64_MAX;
    if (!poly_over(&above, &under, d->node[a].term, d->node[a].count) ||
        !term_value(d, &under, symbols, &below) ||
        __builtin_mul_overflow(below, (Int128)value, &right))
        return false;
    const int64_t before = symbols[symbol];
    while (low < high) {
        symbols[symbol] = low + (high - low) / 2;
        if (sum_value(d, above.term, above.count, symbols, &sum) && sum < right)
            low = symbols[symbol] + 1;
        else
            high = symbols[symbol];
    }
    symbols[symbol] = before;
    *root = low;
    return low < INT64_MAX;
}

bool dim_solve(const Dims *d, Dim a, int64_t value, int64_t *symbols, bool *known) {
    int unknown = -1;
    int64_t root;
    for (int i = 0; i < d->symbols.count; i++)
        if (!known[i] && dim_uses(d, a, i)) {
            if (unknown >= 0) return false;
            unknown = i;
        }
    if (unknown < 0) return true;
    const Dependence how = dependence(d, a, unknown);
    if (how == DEPENDS_OTHERWISE) return false;
    if (!(how == GROWS ? root_of_growing : linear_root)(d, a, value, unknown, symbols, &root))
        return false;
    symbols[unknown] = root;
    known[unknown] = true;
    return true;
}
