/* dim.c: symbolic sizes. Every Dim is made here: brought into normal form, then interned, so that
 * equal sizes are the same index. The arithmetic of the normal form is in poly.c, facts about
 * symbols in facts.c, values in value.c, text in print.c.
 * In: symbols, constants, + - * / %. Out: Dims; 0 if a size does not fit (see dim_private.h). */
#include "graph/dims/dim_private.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_MIN = 64 };
static const int64_t SYMBOL_MAX = (int64_t)1 << 40;

/* ---- interning ---------------------------------------------------------------------------- */

Dims *dims_new(Arena *arena, const Limits *limits) {
    Dims *d = arena_new_of(arena, Dims);
    d->arena = arena;
    d->term_limit = limits->dim_terms;
    d->node_cap = TABLE_MIN / 2;
    d->node = arena_array(arena, DimNode, d->node_cap);
    d->node_count = 1; /* Dim 0 is not a Dim */
    d->table_size = TABLE_MIN;
    d->table = arena_array(arena, int32_t, d->table_size);
    return d;
}

static uint64_t node_hash(const DimNode *n) {
    int32_t head[3] = {(int32_t)n->kind, n->a, n->b};
    uint64_t hash = hash_bytes(head, sizeof head, 0);
    return n->kind == DIM_SUM ? hash_bytes(n->term, sizeof *n->term * (size_t)n->count, hash)
                              : hash;
}

/* Atoms are compared by kind, a and b; their term (themselves) exists only after they have an
 * index. */
static bool node_same(const DimNode *x, const DimNode *y) {
    if (x->hash != y->hash || x->kind != y->kind || x->a != y->a || x->b != y->b) return false;
    if (x->kind != DIM_SUM) return true;
    return x->count == y->count && !memcmp(x->term, y->term, sizeof *x->term * (size_t)x->count);
}

/* The slot of an equal node, or the empty slot where it belongs. */
static int32_t *table_slot(const Dims *d, const DimNode *n) {
    uint32_t mask = (uint32_t)d->table_size - 1, i = (uint32_t)n->hash & mask;
    while (d->table[i] && !node_same(&d->node[d->table[i]], n)) i = (i + 1) & mask;
    return &d->table[i];
}

static void table_grow(Dims *d) {
    d->node = arena_grow(d->arena, d->node, sizeof *d->node * (size_t)d->node_cap,
                         sizeof *d->node * 2 * (size_t)d->node_cap);
    d->node_cap *= 2;
    d->table_size *= 2;
    d->table = arena_array(d->arena, int32_t, d->table_size);
    for (Dim i = 1; i < d->node_count; i++) *table_slot(d, &d->node[i]) = i;
}

static Dim intern(Dims *d, DimNode n) {
    n.hash = node_hash(&n);
    int32_t *slot = table_slot(d, &n);
    if (*slot) return *slot;
    if (d->node_count == d->node_cap) {
        table_grow(d);
        slot = table_slot(d, &n);
    }
    Dim id = d->node_count;
    DimTerm *term = arena_array(d->arena, DimTerm, n.count);
    if (n.kind == DIM_SUM && n.count) memcpy(term, n.term, sizeof *term * (size_t)n.count);
    if (n.kind != DIM_SUM) *term = term_power(id, 1);
    n.term = term;
    d->node[id] = n;
    d->node_count++;
    return *slot = id;
}

const DimTerm *dim_single(const Dims *d, Dim a) {
    return d->node[a].count == 1 ? d->node[a].term : NULL;
}

/* The atom that equals a term, or 0. */
static Dim term_atom(const Dims *d, const DimTerm *t) {
    bool is_atom = t->num == 1 && t->den == 1 && t->count == 1 && t->factor[0].exponent == 1;
    return is_atom && d->node[t->factor[0].atom].kind != DIM_SUM ? t->factor[0].atom : 0;
}

/* The nesting depth of atoms and the length of the text, which bound the walks below n. */
static bool measure(const Dims *d, DimNode *n) {
    int64_t weight = n->count;
    for (int i = 0; i < n->count; i++)
        for (int j = 0; j < n->term[i].count; j++) {
            const DimFactor *f = &n->term[i].factor[j];
            const DimNode *atom = &d->node[f->atom];
            int depth = atom->depth + (atom->kind == DIM_SUM);
            if (depth > n->depth) n->depth = depth;
            weight += (int64_t)atom->weight * abs(f->exponent);
        }
    n->weight = weight < WEIGHT_MAX ? (int32_t)weight : WEIGHT_MAX;
    return n->depth <= DEPTH_MAX && weight < WEIGHT_MAX;
}

static Dim dim_of_terms(Dims *d, const DimTerm *terms, int count) {
    Dim atom = count == 1 ? term_atom(d, terms) : 0;
    DimNode n = {.kind = DIM_SUM, .count = count, .term = terms};
    if (atom) return atom;
    return measure(d, &n) ? intern(d, n) : 0;
}

static Dim mod_atom(Dims *d, Dim a, Dim b) {
    const DimNode *p = &d->node[a], *q = &d->node[b];
    DimNode n = {.kind = DIM_MOD, .a = a, .b = b, .count = 1};
    n.depth = 1 + (p->depth > q->depth ? p->depth : q->depth);
    n.weight = p->weight + q->weight;
    return n.depth <= DEPTH_MAX && n.weight < WEIGHT_MAX ? intern(d, n) : 0;
}

static Dim dim_of_term(Dims *d, const DimTerm *t) { return dim_of_terms(d, t, t->num != 0); }

/* ---- sums as factors ---------------------------------------------------------------------- */

/* A sum that is a factor of some term of p; the term goes to *at. 0: none. `from` counts the
 * factors already looked at. */
static Dim next_sum_factor(const Dims *d, const DimPoly *p, int *from, int *at) {
    int seen = 0;
    for (*at = 0; *at < p->count; ++*at)
        for (int j = 0; j < p->term[*at].count; j++) {
            Dim atom = p->term[*at].factor[j].atom;
            if (seen++ < *from || d->node[atom].kind != DIM_SUM) continue;
            *from = seen;
            return atom;
        }
    return 0;
}

/* 2 * (M + 1)  becomes  2*M + 2. */
static void expand_sum(const Dims *d, DimPoly *p, int at, Dim sum) {
    DimTerm less = term_power(sum, -1), t = p->term[at];
    poly_remove(p, at);
    if (!term_mul(&t, &less, &t))
        p->failed = true;
    else
        poly_add(p, d->node[sum].term, d->node[sum].count, &t);
}

/* (M*x + x) * (M + 1)^-1 becomes x: takes the terms with the most negative power of sum, and
 * divides their numerators by the sum. True if there is no remainder; p is then rewritten. */
static bool cancel_sum(const Dims *d, DimPoly *p, Dim sum) {
    DimPoly above, rest, quotient;
    DimTerm lift;
    int most = 0;
    poly_init(&above, d), poly_init(&rest, d), poly_init(&quotient, d);
    for (int i = 0; i < p->count; i++) {
        int exponent = term_exponent(&p->term[i], sum);
        if (exponent < most) most = exponent;
    }
    lift = term_power(sum, -most);
    for (int i = 0; i < p->count; i++)
        if (term_exponent(&p->term[i], sum) == most)
            poly_add(&above, &p->term[i], 1, &lift);
        else
            poly_add_term(&rest, &p->term[i]);
    if (above.failed ||
        !poly_divide(&quotient, above.term, above.count, d->node[sum].term, d->node[sum].count))
        return false;
    lift = term_power(sum, most + 1);
    poly_add(&rest, quotient.term, quotient.count, &lift);
    *p = rest;
    return true;
}

static void settle_sums(const Dims *d, DimPoly *p) {
    int from = 0, at;
    for (Dim sum; !p->failed && (sum = next_sum_factor(d, p, &from, &at));) {
        bool is_above = term_exponent(&p->term[at], sum) > 0;
        if (is_above) expand_sum(d, p, at, sum);
        if (is_above || cancel_sum(d, p, sum)) from = 0;
    }
}

/* 0 if the polynomial failed. */
static Dim dim_of_poly(Dims *d, DimPoly *p) {
    settle_sums(d, p);
    return p->failed ? 0 : dim_of_terms(d, p->term, p->count);
}

/* ---- leaves ------------------------------------------------------------------------------- */

Dim dim_const(Dims *d, int64_t value) {
    if (value == INT64_MIN) return 0; /* its negation would overflow */
    DimTerm t = term_const(value, 1);
    return dim_of_term(d, &t);
}

int dim_symbol_find(const Dims *d, const char *name) {
    for (int i = 0; i < d->symbols.count; i++)
        if (!strcmp(d->symbols.at[i].name, name)) return i;
    return -1;
}

Dim dim_symbol(Dims *d, const char *name, Span span) {
    int number = dim_symbol_find(d, name);
    if (number < 0) {
        DimSymbol symbol = {arena_strdup(d->arena, name), 1, SYMBOL_MAX, 1, span};
        number = d->symbols.count;
        vec_push(d->arena, &d->symbols, symbol);
    }
    return intern(d, (DimNode){.kind = DIM_SYMBOL, .a = number, .weight = 1, .count = 1});
}

bool dim_is_const(const Dims *d, Dim a, int64_t *value) {
    const DimNode *n = &d->node[a];
    if (!a || n->count > 1) return false;
    if (n->count && (n->term->count || n->term->den != 1)) return false;
    *value = n->count ? n->term->num : 0;
    return true;
}

bool dim_is(const Dims *d, Dim a, int64_t value) {
    int64_t is;
    return dim_is_const(d, a, &is) && is == value;
}

/* ---- arithmetic --------------------------------------------------------------------------- */

static Dim add_scaled(Dims *d, Dim a, Dim b, int sign) {
    DimTerm one = term_const(1, 1), scale = term_const(sign, 1);
    DimPoly p;
    if (!a || !b) return 0;
    poly_init(&p, d);
    poly_add(&p, d->node[a].term, d->node[a].count, &one);
    poly_add(&p, d->node[b].term, d->node[b].count, &scale);
    return dim_of_poly(d, &p);
}

/* The first lines of each are fast paths. */
Dim dim_add(Dims *d, Dim a, Dim b) {
    if (dim_is(d, b, 0)) return a;
    return dim_is(d, a, 0) ? b : add_scaled(d, a, b, 1);
}

Dim dim_sub(Dims *d, Dim a, Dim b) {
    if (dim_is(d, b, 0)) return a;
    return a && a == b ? dim_const(d, 0) : add_scaled(d, a, b, -1);
}

Dim dim_mul(Dims *d, Dim a, Dim b) {
    DimPoly p;
    if (!a || !b) return 0;
    if (dim_is(d, a, 1)) return b;
    if (dim_is(d, b, 1)) return a;
    poly_init(&p, d);
    for (int i = 0; i < d->node[b].count && !p.failed; i++)
        poly_add(&p, d->node[a].term, d->node[a].count, &d->node[b].term[i]);
    return dim_of_poly(d, &p);
}

static Dim scaled(Dims *d, Dim a, const DimTerm *factor) {
    DimPoly p;
    poly_init(&p, d);
    poly_add(&p, d->node[a].term, d->node[a].count, factor);
    return dim_of_poly(d, &p);
}

Dim dim_quotient(Dims *d, Dim a, Dim b) {
    const DimNode *x = &d->node[a], *y = &d->node[b];
    DimTerm content, factor;
    DimPoly p;
    poly_init(&p, d);
    if (y->count > 1 && poly_divide(&p, x->term, x->count, y->term, y->count))
        return dim_of_poly(d, &p);
    if (!poly_content(y->term, y->count, &content) || !term_inverse(&content, &factor)) return 0;
    if (y->count > 1) {
        Dim sum = scaled(d, b, &factor); /* b without the common factor of its terms */
        DimTerm below = term_power(sum, -1);
        if (!sum || !term_mul(&factor, &below, &factor)) return 0;
    }
    return scaled(d, a, &factor);
}

Dim dim_div(Dims *d, Dim a, Dim b, Span span) {
    int64_t x, y, lo, hi;
    if (!a || !b || dim_is(d, b, 0)) return 0;
    if (dim_is_const(d, a, &x) && dim_is_const(d, b, &y) && x % y) return 0;
    Dim quotient = dim_quotient(d, a, b);
    dim_range(d, b, &lo, &hi);
    if (lo <= 0 && hi >= 0 && !dim_assume(d, DIM_NE, b, dim_const(d, 0), span, "division by zero"))
        return 0;
    if (quotient && !dim_divides(d, b, a)) {
        Dim rest = dim_mod(d, a, b);
        if (!rest || !dim_assume(d, DIM_EQ, rest, dim_const(d, 0), span, "exact division"))
            return 0;
    }
    return quotient;
}

/* ---- remainders --------------------------------------------------------------------------- */

/* The whole multiple of b that takes the first term of p away, subtracted; false: there is none. */
static bool subtract_multiple(DimPoly *p, const DimNode *b) {
    DimTerm inverse, factor;
    if (!term_inverse(&b->term[0], &inverse) || !term_mul(&p->term[0], &inverse, &factor) ||
        factor.den != 1)
        return false;
    for (int i = 0; i < factor.count; i++)
        if (factor.factor[i].exponent < 0) return false;
    factor.num = -factor.num;
    poly_add(p, b->term, b->count, &factor);
    return !p->failed;
}

bool dim_leaves(const Dims *d, Dim a, Dim b, int64_t *rest) {
    const DimTerm one = term_const(1, 1);
    const DimNode *over = &d->node[a], *under = &d->node[b];
    DimPoly p;
    if (!under->count || !under->term[0].count) return false;
    poly_init(&p, d);
    poly_add(&p, over->term, over->count, &one);
    for (int i = 0; p.count && p.term[0].count; i++)
        if (i > DEGREE_MAX || !subtract_multiple(&p, under)) return false;
    if (p.count != 1 || p.term[0].den != 1) return false;
    *rest = p.term[0].num;
    return true;
}

/* a without the terms that are proven multiples of b. */
static Dim without_multiples(Dims *d, Dim a, Dim b) {
    DimPoly p;
    poly_init(&p, d);
    for (int i = 0; i < d->node[a].count; i++) {
        DimTerm t = d->node[a].term[i];
        if (!dim_divides(d, b, dim_of_term(d, &t))) poly_add_term(&p, &t);
    }
    return dim_of_poly(d, &p);
}

/* The common factor of a and b, both without negative exponents; else 1. */
static DimTerm common_factor(const Dims *d, Dim a, Dim b) {
    DimTerm both[2], common, one = term_const(1, 1);
    const DimNode *x = &d->node[a], *y = &d->node[b];
    if (!poly_content(x->term, x->count, &both[0]) || !poly_content(y->term, y->count, &both[1]))
        return one;
    for (int i = 0; i < 2; i++) {
        if (both[i].den != 1) return one;
        if (both[i].num < 0) both[i].num = -both[i].num;
        for (int j = 0; j < both[i].count; j++)
            if (both[i].factor[j].exponent < 0) return one;
    }
    return poly_content(both, 2, &common) ? common : one;
}

/* 8*D % (4*N)  is  4 * (2*D % N). */
static Dim mod_reduced(Dims *d, Dim a, Dim b) {
    DimTerm common = common_factor(d, a, b), inverse;
    bool is_one = common.num == 1 && !common.count;
    if (is_one || !term_inverse(&common, &inverse)) return mod_atom(d, a, b);
    Dim rest = dim_mod(d, scaled(d, a, &inverse), scaled(d, b, &inverse));
    return rest ? scaled(d, rest, &common) : 0;
}

Dim dim_mod(Dims *d, Dim a, Dim b) {
    int64_t x, y, lo, hi;
    if (!a || !b || dim_is(d, b, 0)) return 0;
    if (dim_is_const(d, a, &x) && dim_is_const(d, b, &y)) return dim_const(d, x % y);
    if (dim_divides(d, b, a)) return dim_const(d, 0);
    dim_range(d, a, &lo, &hi);
    if (lo >= 0) {
        Dim rest = without_multiples(d, a, b);
        dim_range(d, rest, &lo, &hi);
        if (rest && lo >= 0) a = rest;
        dim_range(d, dim_sub(d, b, a), &lo, &hi);
        if (lo > 0) return a;
    }
    return mod_reduced(d, a, b);
}
