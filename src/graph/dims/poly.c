/* poly.c: arithmetic of sums of terms, the values behind a Dim.
 * In: terms in normal form (dim_private.h). Out: terms in normal form, or "does not fit". Every
 * coefficient is a fraction of int64s in lowest terms; products are formed in 128 bits. */
#include "graph/dims/dim_private.h"

#include <string.h>

/* ---- fractions ---------------------------------------------------------------------------- */

static Int128 gcd128(Int128 a, Int128 b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b) {
        Int128 rest = a % b;
        a = b, b = rest;
    }
    return a;
}

int64_t gcd64(int64_t a, int64_t b) {
    if (a == 1 || b == 1) return 1;
    Int128 g = gcd128(a, b);
    return g > INT64_MAX ? 1 : (int64_t)g;
}

/* num/den in lowest terms with den > 0; false if either overflows int64. */
static bool fraction(Int128 num, Int128 den, int64_t *out_num, int64_t *out_den) {
    if (den != 1) {
        Int128 g = gcd128(num, den);
        if (den < 0) g = -g;
        num /= g, den /= g;
    }
    if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX) return false;
    *out_num = (int64_t)num;
    *out_den = (int64_t)den;
    return true;
}

/* ---- terms -------------------------------------------------------------------------------- */

DimTerm term_const(int64_t num, int64_t den) {
    DimTerm t = {.num = num, .den = den};
    return t;
}

DimTerm term_power(Dim atom, int exponent) {
    DimTerm t = {.num = 1, .den = 1, .count = exponent != 0, .degree = exponent};
    if (exponent) t.factor[0] = (DimFactor){atom, exponent};
    return t;
}

static bool term_push(DimTerm *t, Dim atom, int exponent) {
    if (!exponent) return true;
    if (t->count == FACTOR_MAX || exponent > DEGREE_MAX || exponent < -DEGREE_MAX) return false;
    t->factor[t->count++] = (DimFactor){atom, exponent};
    t->degree += exponent;
    return true;
}

bool term_mul(const DimTerm *a, const DimTerm *b, DimTerm *product) {
    DimTerm t = {0};
    if (!fraction((Int128)a->num * b->num, (Int128)a->den * b->den, &t.num, &t.den)) return false;
    for (int i = 0, j = 0; i < a->count || j < b->count;) {
        Dim x = i < a->count ? a->factor[i].atom : INT32_MAX;
        Dim y = j < b->count ? b->factor[j].atom : INT32_MAX;
        int exponent = 0;
        if (x <= y) exponent += a->factor[i++].exponent;
        if (y <= x) exponent += b->factor[j++].exponent;
        if (!term_push(&t, x < y ? x : y, exponent)) return false;
    }
    *product = t;
    return true;
}

bool term_inverse(const DimTerm *a, DimTerm *inverse) {
    DimTerm t = *a;
    if (!fraction(a->den, a->num, &t.num, &t.den)) return false;
    for (int i = 0; i < t.count; i++) t.factor[i].exponent = -t.factor[i].exponent;
    t.degree = -t.degree;
    *inverse = t;
    return true;
}

int term_exponent(const DimTerm *t, Dim atom) {
    for (int i = 0; i < t->count; i++)
        if (t->factor[i].atom == atom) return t->factor[i].exponent;
    return 0;
}

/* Negative if a comes before b: higher degree first, then more of the earlier atoms. Multiplying
 * both sides by a term keeps the order, which division by leading terms needs. */
static int term_order(const DimTerm *a, const DimTerm *b) {
    if (a->degree != b->degree) return a->degree > b->degree ? -1 : 1;
    for (int i = 0; i < a->count && i < b->count; i++) {
        const DimFactor *x = &a->factor[i], *y = &b->factor[i];
        if (x->atom < y->atom) return x->exponent > 0 ? -1 : 1;
        if (x->atom > y->atom) return y->exponent > 0 ? 1 : -1;
        if (x->exponent != y->exponent) return x->exponent > y->exponent ? -1 : 1;
    }
    if (a->count > b->count) return a->factor[b->count].exponent > 0 ? -1 : 1;
    if (a->count < b->count) return b->factor[a->count].exponent > 0 ? 1 : -1;
    return 0;
}

/* ---- sums --------------------------------------------------------------------------------- */

void poly_init(DimPoly *p, const Dims *d) {
    p->count = 0;
    p->limit = d->term_limit < TERM_MAX ? (int)d->term_limit : TERM_MAX;
    p->failed = false;
}

void poly_remove(DimPoly *p, int i) {
    p->count--;
    memmove(&p->term[i], &p->term[i + 1], sizeof p->term[0] * (size_t)(p->count - i));
}

void poly_add_term(DimPoly *p, const DimTerm *t) {
    int i = 0, order = 1;
    if (p->failed || !t->num) return;
    while (i < p->count && (order = term_order(&p->term[i], t)) < 0) i++;
    if (i < p->count && order == 0) {
        DimTerm *at = &p->term[i];
        Int128 num = (Int128)at->num * t->den + (Int128)t->num * at->den;
        if (!num)
            poly_remove(p, i);
        else if (!fraction(num, (Int128)at->den * t->den, &at->num, &at->den))
            p->failed = true;
        return;
    }
    if (p->count >= p->limit) {
        p->failed = true;
        return;
    }
    memmove(&p->term[i + 1], &p->term[i], sizeof p->term[0] * (size_t)(p->count - i));
    p->term[i] = *t;
    p->count++;
}

void poly_add(DimPoly *p, const DimTerm *terms, int count, const DimTerm *factor) {
    for (int i = 0; i < count && !p->failed; i++) {
        DimTerm product;
        if (term_mul(&terms[i], factor, &product))
            poly_add_term(p, &product);
        else
            p->failed = true;
    }
}

/* Long division by leading terms. With negative exponents it need not end if there is a remainder,
 * so it stops when the quotient has more terms than the limit. */
bool poly_divide(DimPoly *quotient, const DimTerm *a, int a_count, const DimTerm *b, int b_count) {
    DimPoly rest;
    DimTerm one = term_const(1, 1), lead;
    rest.count = 0, rest.limit = TERM_MAX, rest.failed = false;
    poly_add(&rest, a, a_count, &one);
    quotient->count = 0;
    if (!term_inverse(&b[0], &lead)) return false;
    while (rest.count && !rest.failed && !quotient->failed) {
        DimTerm part;
        if (!term_mul(&rest.term[0], &lead, &part)) return false;
        poly_add_term(quotient, &part);
        part.num = -part.num;
        poly_add(&rest, b, b_count, &part);
    }
    return !rest.failed && !quotient->failed;
}

/* Sets the exponents in `low` to the lower of both; an absent atom has exponent 0. */
static bool lower_exponents(DimTerm *low, const DimTerm *t) {
    DimTerm out = {.num = low->num, .den = low->den};
    for (int i = 0, j = 0; i < low->count || j < t->count;) {
        Dim x = i < low->count ? low->factor[i].atom : INT32_MAX;
        Dim y = j < t->count ? t->factor[j].atom : INT32_MAX;
        int p = x <= y ? low->factor[i++].exponent : 0;
        int q = y <= x ? t->factor[j++].exponent : 0;
        if (!term_push(&out, x < y ? x : y, p < q ? p : q)) return false;
    }
    *low = out;
    return true;
}

bool poly_content(const DimTerm *terms, int count, DimTerm *content) {
    DimTerm low = terms[0];
    for (int i = 1; i < count; i++) {
        int64_t shared = gcd64(low.den, terms[i].den);
        low.num = gcd64(low.num, terms[i].num);
        if (__builtin_mul_overflow(low.den / shared, terms[i].den, &low.den)) return false;
        if (!lower_exponents(&low, &terms[i])) return false;
    }
    if ((low.num < 0) != (terms[0].num < 0)) low.num = -low.num;
    *content = low;
    return true;
}

bool poly_over(DimPoly *above, DimTerm *below, const DimTerm *terms, int count) {
    DimTerm content, under = term_const(1, 1);
    above->count = 0, above->limit = TERM_MAX, above->failed = false;
    if (count) {
        if (!poly_content(terms, count, &content)) return false;
        under.num = content.den;
        for (int i = 0; i < content.count; i++) {
            DimFactor f = content.factor[i];
            if (f.exponent < 0) (void)term_push(&under, f.atom, -f.exponent);
        }
        poly_add(above, terms, count, &under);
    }
    *below = under;
    return !above->failed;
}
