/* facts.c: what is known of a size before its symbols are.
 * In: the facts of each symbol (range, divisor) and what the program assumes. Out: ranges and
 * divisibility that hold for all values the facts allow, new facts, and guards to check when the
 * values are known. */
#include "graph/dims/dim_private.h"

/* ---- intervals ---------------------------------------------------------------------------- */

/* All numbers from lo to hi. lo == INT64_MIN and hi == INT64_MAX mean unbounded, and stay so. */
typedef struct Interval {
    int64_t lo, hi;
} Interval;

static const Interval EVERYTHING = {INT64_MIN, INT64_MAX};

static int64_t clamp_lo(Int128 x) {
    return x <= INT64_MIN ? INT64_MIN : x >= INT64_MAX ? INT64_MAX - 1 : (int64_t)x;
}

static int64_t clamp_hi(Int128 x) {
    return x >= INT64_MAX ? INT64_MAX : x <= INT64_MIN ? INT64_MIN + 1 : (int64_t)x;
}

static bool is_unbounded(int64_t end) { return end == INT64_MIN || end == INT64_MAX; }

static Int128 end_mul(int64_t x, int64_t y) {
    Int128 product = (Int128)x * y;
    if (!product || !(is_unbounded(x) || is_unbounded(y))) return product;
    return product > 0 ? (Int128)INT64_MAX * 2 : (Int128)INT64_MIN * 2;
}

static Interval interval_mul(Interval a, Interval b) {
    Int128 ends[4] = {end_mul(a.lo, b.lo), end_mul(a.lo, b.hi), end_mul(a.hi, b.lo),
                      end_mul(a.hi, b.hi)};
    Int128 lo = ends[0], hi = ends[0];
    for (int i = 1; i < 4; i++) {
        if (ends[i] < lo) lo = ends[i];
        if (ends[i] > hi) hi = ends[i];
    }
    return (Interval){clamp_lo(lo), clamp_hi(hi)};
}

static Interval interval_add(Interval a, Interval b) {
    bool no_lo = a.lo == INT64_MIN || b.lo == INT64_MIN;
    bool no_hi = a.hi == INT64_MAX || b.hi == INT64_MAX;
    return (Interval){no_lo ? INT64_MIN : clamp_lo((Int128)a.lo + b.lo),
                      no_hi ? INT64_MAX : clamp_hi((Int128)a.hi + b.hi)};
}

static Int128 floor_div(Int128 a, Int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static Int128 ceil_div(Int128 a, Int128 b) { return -floor_div(-a, b); }

/* a / b for b > 0: the whole numbers in the range if the quotient is `whole`, else those around
 * it. */
static Interval interval_div(Interval a, Interval b, bool whole) {
    Interval q = EVERYTHING;
    if (b.lo <= 0) return q;
    Int128 least = a.lo < 0 ? b.lo : b.hi, most = a.hi < 0 ? b.hi : b.lo;
    if (a.lo != INT64_MIN) q.lo = clamp_lo(whole ? ceil_div(a.lo, least) : floor_div(a.lo, least));
    if (a.hi != INT64_MAX) q.hi = clamp_hi(whole ? floor_div(a.hi, most) : ceil_div(a.hi, most));
    if (b.hi == INT64_MAX && a.lo >= 0) q.lo = whole && a.lo > 0;
    if (b.hi == INT64_MAX && a.hi < 0) q.hi = -whole;
    return q;
}

/* ---- ranges ------------------------------------------------------------------------------- */

static Interval range_of(const Dims *d, Dim a);

/* p % q has the sign of p, is less than |q| in size, and at most |p|. */
static Interval range_of_mod(const Dims *d, const DimNode *n) {
    Interval p = range_of(d, n->a), q = range_of(d, n->b);
    int64_t most = q.hi > 0 ? q.hi : 0;
    if (q.lo < -INT64_MAX)
        most = INT64_MAX;
    else if (-q.lo > most)
        most = -q.lo;
    if (most != INT64_MAX && most > 0) most--;
    int64_t least = most == INT64_MAX ? INT64_MIN : -most;
    if (p.lo > least) least = p.lo < 0 ? p.lo : 0;
    if (p.hi < most) most = p.hi > 0 ? p.hi : 0;
    return (Interval){least, most};
}

static Interval range_of_atom(const Dims *d, Dim atom) {
    const DimNode *n = &d->node[atom];
    if (n->kind == DIM_SUM) return range_of(d, atom);
    if (n->kind == DIM_MOD) return range_of_mod(d, n);
    const DimSymbol *symbol = &d->symbols.at[n->a];
    return (Interval){symbol->lo, symbol->hi};
}

/* scale * t, where scale is a multiple of t->den; `whole`: the result is a whole number. */
static Interval range_of_term(const Dims *d, const DimTerm *t, int64_t scale, bool whole) {
    Interval above = {t->num, t->num}, below = {1, 1};
    above = interval_mul(above, (Interval){scale / t->den, scale / t->den});
    for (int i = 0; i < t->count; i++) {
        Interval atom = range_of_atom(d, t->factor[i].atom);
        int exponent = t->factor[i].exponent;
        for (; exponent > 0; exponent--) above = interval_mul(above, atom);
        for (; exponent < 0; exponent++) below = interval_mul(below, atom);
    }
    return interval_div(above, below, whole);
}

/* A whole number, summed over the terms' common denominator. */
static Interval range_of_terms(const Dims *d, const DimTerm *terms, int count) {
    Interval sum = {0, 0};
    int64_t scale = 1;
    for (int i = 0; i < count; i++) {
        int64_t missing = terms[i].den / gcd64(scale, terms[i].den);
        if (__builtin_mul_overflow(scale, missing, &scale)) return EVERYTHING;
    }
    for (int i = 0; i < count; i++)
        sum = interval_add(sum, range_of_term(d, &terms[i], scale, count == 1));
    if (sum.lo != INT64_MIN) sum.lo = clamp_lo(ceil_div(sum.lo, scale));
    if (sum.hi != INT64_MAX) sum.hi = clamp_hi(floor_div(sum.hi, scale));
    return sum;
}

/* N*M - N as N * (M - 1): the common factor of all terms, times the rest. */
static Interval range_factored(const Dims *d, const DimNode *n) {
    DimTerm content, inverse;
    DimPoly rest;
    poly_init(&rest, d);
    if (!poly_content(n->term, n->count, &content) || !content.count) return EVERYTHING;
    if (!term_inverse(&content, &inverse)) return EVERYTHING;
    poly_add(&rest, n->term, n->count, &inverse);
    if (rest.failed) return EVERYTHING;
    int64_t den = content.den;
    content.den = 1;
    Interval whole = interval_mul(range_of_term(d, &content, 1, false),
                                  range_of_terms(d, rest.term, rest.count));
    if (whole.lo != INT64_MIN) whole.lo = clamp_lo(ceil_div(whole.lo, den));
    if (whole.hi != INT64_MAX) whole.hi = clamp_hi(floor_div(whole.hi, den));
    return whole;
}

static Interval range_of(const Dims *d, Dim a) {
    const DimNode *n = &d->node[a];
    if (n->kind != DIM_SUM) return range_of_atom(d, a);
    Interval range = range_of_terms(d, n->term, n->count);
    if (n->count > 1) {
        Interval other = range_factored(d, n);
        if (other.lo > range.lo) range.lo = other.lo;
        if (other.hi < range.hi) range.hi = other.hi;
    }
    return range;
}

void dim_range(const Dims *d, Dim a, int64_t *lo, int64_t *hi) {
    Interval range = a ? range_of(d, a) : EVERYTHING;
    *lo = range.lo;
    *hi = range.hi;
}

bool dim_le(Dims *d, Dim a, Dim b) {
    Dim room = dim_sub(d, b, a);
    return room && range_of(d, room).lo >= 0;
}

/* ---- divisors ----------------------------------------------------------------------------- */

static int64_t multiple_of(const Dims *d, Dim a);

static int64_t multiple_of_atom(const Dims *d, Dim atom) {
    const DimNode *n = &d->node[atom];
    if (n->kind == DIM_SYMBOL) return d->symbols.at[n->a].multiple;
    if (n->kind == DIM_MOD) return gcd64(multiple_of(d, n->a), multiple_of(d, n->b));
    return 1;
}

/* A number that provably divides t. */
static int64_t multiple_of_term(const Dims *d, const DimTerm *t) {
    int64_t multiple = t->num < 0 ? -t->num : t->num, wider;
    for (int i = 0; i < t->count; i++)
        if (t->factor[i].exponent < 0) return 1;
    if (t->den != 1) return 1;
    for (int i = 0; i < t->count; i++)
        if (!__builtin_mul_overflow(multiple, multiple_of_atom(d, t->factor[i].atom), &wider))
            multiple = wider;
    return multiple;
}

static int64_t multiple_of(const Dims *d, Dim a) {
    int64_t multiple = 0;
    for (int i = 0; i < d->node[a].count; i++)
        multiple = gcd64(multiple, multiple_of_term(d, &d->node[a].term[i]));
    return multiple;
}

/* Is t provably whole? Its denominator divides known factors of its numerator. */
static bool term_is_whole(const Dims *d, const DimTerm *t) {
    int64_t below = t->den;
    for (int i = 0; i < t->count; i++) {
        if (t->factor[i].exponent < 0) return false;
        int64_t multiple = multiple_of_atom(d, t->factor[i].atom);
        for (int e = t->factor[i].exponent; e > 0 && below > 1; e--)
            below /= gcd64(below, multiple);
    }
    return below == 1;
}

bool dim_divides(Dims *d, Dim a, Dim b) {
    if (!a || !b || dim_is(d, a, 0)) return false;
    Dim quotient = dim_quotient(d, b, a);
    for (int i = 0; i < d->node[quotient].count; i++)
        if (!term_is_whole(d, &d->node[quotient].term[i])) return false;
    return quotient != 0;
}

/* ---- assumptions -------------------------------------------------------------------------- */

/* Narrows a symbol to lo..hi and its multiples; false if nothing is left. */
static bool narrow(DimSymbol *s, Int128 lo, Int128 hi) {
    if (lo > s->lo) s->lo = clamp_lo(lo);
    if (hi < s->hi) s->hi = clamp_hi(hi);
    s->lo = clamp_lo(ceil_div(s->lo, s->multiple) * s->multiple);
    s->hi = clamp_hi(floor_div(s->hi, s->multiple) * s->multiple);
    return s->lo <= s->hi;
}

/* The symbol of a term c * symbol, or NULL. */
static DimSymbol *linear_symbol(Dims *d, const DimTerm *t) {
    if (t->count != 1 || t->factor[0].exponent != 1) return NULL;
    const DimNode *atom = &d->node[t->factor[0].atom];
    return atom->kind == DIM_SYMBOL ? &d->symbols.at[atom->a] : NULL;
}

/* If `a` is c * symbol + rest: learns from a >= 0 (a == 0 if `equal`). */
static bool learn_bound(Dims *d, Dim a, bool equal) {
    const DimNode *n = &d->node[a];
    DimSymbol *symbol = n->count ? linear_symbol(d, &n->term[0]) : NULL;
    if (!symbol || n->count > 2 || (n->count == 2 && n->term[1].count)) return true;
    DimTerm c = n->term[0], rest = n->count == 2 ? n->term[1] : term_const(0, 1);
    Int128 above, below = (Int128)rest.den * c.num; /* symbol >= above / below */
    if (__builtin_mul_overflow(-(Int128)rest.num, (Int128)c.den, &above)) return true;
    if (below < 0) above = -above, below = -below;
    if (equal && above % below) return false;
    bool grows = c.num > 0;
    return narrow(symbol, grows || equal ? ceil_div(above, below) : INT64_MIN,
                  !grows || equal ? floor_div(above, below) : INT64_MAX);
}

/* The remainder in c * (p % q), if that is all of a: 0 exactly if a is; else 0. */
static Dim lone_mod(const Dims *d, Dim a) {
    const DimTerm *t = dim_single(d, a);
    bool is_mod = t && t->count == 1 && d->node[t->factor[0].atom].kind == DIM_MOD;
    return is_mod ? t->factor[0].atom : 0;
}

/* If mod is c * symbol % m: learns from mod == 0. */
static bool learn_multiple(Dims *d, Dim mod) {
    const DimTerm *t = dim_single(d, d->node[mod].a);
    DimSymbol *symbol = t ? linear_symbol(d, t) : NULL;
    int64_t m, shared, multiple;
    if (!symbol || !dim_is_const(d, d->node[mod].b, &m)) return true;
    if (m < 0) m = -m;
    if (__builtin_mul_overflow(m, t->den, &m)) return true;
    m /= gcd64(m, t->num);
    shared = gcd64(symbol->multiple, m);
    if (__builtin_mul_overflow(symbol->multiple / shared, m, &multiple)) return true;
    symbol->multiple = multiple;
    return narrow(symbol, INT64_MIN, INT64_MAX);
}

static void guard_add(Dims *d, DimGuard guard) {
    for (int i = 0; i < d->guards.count; i++) { /* there are few */
        const DimGuard *g = &d->guards.at[i];
        if (g->a == guard.a && g->b == guard.b && g->compare == guard.compare) return;
    }
    vec_push(d->arena, &d->guards, guard);
}

bool dim_equal(Dims *d, Dim a, Dim b) {
    if (!a || !b) return false;
    for (int i = 0; i < d->guards.count && a != b; i++) {
        const DimGuard *g = &d->guards.at[i];
        if (g->compare != DIM_EQ) continue;
        if ((g->a == a && g->b == b) || (g->a == b && g->b == a)) return true;
    }
    return a == b;
}

/* EQ and NE compare b - a with 0, LE and LT compare b - a - least with at least 0. */
bool dim_assume(Dims *d, DimCompare compare, Dim a, Dim b, Span span, const char *why) {
    if (!a || !b) return false;
    Dim room = dim_sub(d, b, a);
    if (room && compare == DIM_LT) room = dim_sub(d, room, dim_const(d, 1));
    if (room) {
        Interval range = range_of(d, room);
        bool never_zero = range.lo > 0 || range.hi < 0;
        bool is_zero = range.lo == 0 && range.hi == 0;
        if (compare == DIM_EQ && (never_zero || is_zero)) return is_zero;
        if (compare == DIM_NE && (never_zero || is_zero)) return never_zero;
        if (compare >= DIM_LT && (range.lo >= 0 || range.hi < 0)) return range.lo >= 0;
        Dim mod = compare == DIM_EQ ? lone_mod(d, room) : 0;
        if (mod) a = mod, b = dim_const(d, 0);
        if (mod && !learn_multiple(d, mod)) return false;
        if (!mod && compare != DIM_NE && !learn_bound(d, room, compare == DIM_EQ)) return false;
    }
    guard_add(d, (DimGuard){a, b, compare, span, why});
    return true;
}
