/* terms.c: the terms of a size one by one, for arithmetic with real coefficients: rates and times.
 * In: a Dim. Out: coefficients and monomials, powers of a symbol, values at real sizes. */
#include "graph/dims/dim_private.h"

#include <math.h>
#include <stdlib.h>

int dim_term_count(const Dims *d, Dim a) {
    return a && d->node[a].kind == DIM_SUM ? d->node[a].count : a ? 1 : 0;
}

double dim_term(Dims *d, Dim a, int i, Dim *monomial) {
    const DimNode *n = &d->node[a];
    *monomial = a;
    if (n->kind != DIM_SUM) return 1;
    const DimTerm t = n->term[i]; /* a copy: nodes move as others are made */
    Dim product = dim_const(d, 1);
    for (int f = 0; f < t.count && product; f++)
        for (int e = 0; e < abs(t.factor[f].exponent) && product; e++)
            product = t.factor[f].exponent > 0 ? dim_mul(d, product, t.factor[f].atom)
                                               : dim_quotient(d, product, t.factor[f].atom);
    *monomial = product;
    return (double)t.num / (double)t.den;
}

int dim_power(const Dims *d, Dim monomial, int symbol) {
    const DimTerm *t = dim_single(d, monomial);
    int power = 0;
    if (d->node[monomial].kind == DIM_SYMBOL) return d->node[monomial].a == symbol;
    if (!t) return dim_uses(d, monomial, symbol) ? DIM_NO_POWER : 0;
    for (int i = 0; i < t->count; i++) {
        const Dim atom = t->factor[i].atom;
        if (d->node[atom].kind == DIM_SYMBOL && d->node[atom].a == symbol)
            power = t->factor[i].exponent;
        else if (dim_uses(d, atom, symbol))
            return DIM_NO_POWER;
    }
    return power;
}

static double term_real(const Dims *d, const DimTerm *t, const double *symbols) {
    double product = (double)t->num / (double)t->den;
    for (int i = 0; i < t->count; i++)
        product *= pow(dim_real(d, t->factor[i].atom, symbols), t->factor[i].exponent);
    return product;
}

double dim_real(const Dims *d, Dim a, const double *symbols) {
    const DimNode *n = &d->node[a];
    double sum = 0;
    if (n->kind == DIM_SYMBOL) return symbols[n->a];
    if (n->kind == DIM_MOD)
        return fmod(dim_real(d, n->a, symbols), fmax(1, dim_real(d, n->b, symbols)));
    for (int i = 0; i < n->count; i++) sum += term_real(d, &n->term[i], symbols);
    return sum;
}
