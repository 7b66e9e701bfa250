/* turns.c: at which value of an open dim a kernel stops being bound by memory, or by links.
 * In: Counts of a kernel. Out: Turns: from formulas where both times are sums of products of dims,
 * else by bisection with the nominal sizes of the other dims.
 *
 *     small    what the dim adds to the bytes is left out: B in B*D + D*F + B*F beside D and F
 *     from     exact, by bisection;  exact    the same as a formula, where the times are linear */
#include "roofline/roofline.h"

#include <math.h>

enum { DOUBLINGS = 40 };
static const double nearly = 1e-12; /* of a number: equal */

/* Seconds: a sum of weighted products of dims. */
typedef struct Term {
    double weight;
    Dim monomial; /* without the symbol in question */
    int power;    /* of it */
} Term;

typedef struct Formula {
    Vec(Term) terms;
    bool failed; /* not such a sum */
} Formula;

typedef struct Question {
    const Rooflines *r;
    const Counts *counts; /* NULL: all kernels */
    int symbol;
    Limit against;
} Question;

/* ---- formulas ------------------------------------------------------------------------------- */

static void formula_add(const Question *q, Formula *f, Dim count, double seconds) {
    Dims *d = q->r->plan->g->dims;
    if (!count) f->failed = true;
    for (int i = 0, n = count ? dim_term_count(d, count) : 0; i < n; i++) {
        Dim monomial;
        double weight = dim_term(d, count, i, &monomial) * seconds;
        const int power = monomial ? dim_power(d, monomial, q->symbol) : DIM_NO_POWER;
        const int shard = q->r->shard_symbol;
        const int parts = monomial && shard >= 0 ? dim_power(d, monomial, shard) : 0;
        if (power == DIM_NO_POWER || power < 0 || parts == DIM_NO_POWER) {
            f->failed = true;
            return;
        }
        Dim symbol = dim_symbol(d, d->symbols.at[q->symbol].name, NOWHERE);
        for (int p = 0; p < power && monomial; p++)
            monomial = dim_div(d, monomial, symbol, NOWHERE);
        weight *= pow(q->r->shard.devices, -parts);
        vec_push(d->arena, &f->terms, ((Term){weight, monomial, power}));
    }
}

static Formula unit_formula(const Question *q, Unit unit) {
    Formula f = {0};
    const double rate = machine_rate(q->r->machine, unit);
    if (rate > 0) formula_add(q, &f, q->counts->ops[unit], 1 / rate);
    return f;
}

static Formula other_formula(const Question *q) {
    Formula f = {0};
    const Rooflines *r = q->r;
    if (q->against == LIMIT_LINK) {
        formula_add(q, &f, q->counts->exchanged,
                    allreduce_factor(r->shard.devices) / machine_link(r->machine));
        return f;
    }
    formula_add(q, &f, q->counts->read, 1 / machine_bandwidth(r->machine));
    formula_add(q, &f, q->counts->written, 1 / machine_bandwidth(r->machine));
    return f;
}

/* Its terms with this power, equal monomials merged; -1: all of them. */
static Formula of_power(const Question *q, const Formula *f, int power) {
    Formula some = {.failed = f->failed};
    for (int i = 0; i < f->terms.count; i++) {
        const Term *t = &f->terms.at[i];
        int same = 0;
        if (power >= 0 && t->power != power) continue;
        while (same < some.terms.count && (some.terms.at[same].monomial != t->monomial ||
                                           some.terms.at[same].power != t->power))
            same++;
        if (same < some.terms.count)
            some.terms.at[same].weight += t->weight;
        else
            vec_push(q->r->plan->g->arena, &some.terms, *t);
    }
    return some;
}

static Formula minus(const Question *q, const Formula *a, const Formula *b) {
    Formula all = {.failed = a->failed || b->failed};
    for (int i = 0; i < a->terms.count; i++)
        vec_push(q->r->plan->g->arena, &all.terms, a->terms.at[i]);
    for (int i = 0; i < b->terms.count; i++) {
        Term t = b->terms.at[i];
        t.weight = -t.weight;
        vec_push(q->r->plan->g->arena, &all.terms, t);
    }
    return of_power(q, &all, -1);
}

/* -1: no term is positive, 1: none is negative; 0: there are both. Every dim is at least 1. */
static int sign_of(const Formula *f) {
    bool above = false, below = false;
    for (int i = 0; i < f->terms.count; i++) {
        above = above || f->terms.at[i].weight > 0;
        below = below || f->terms.at[i].weight < 0;
    }
    return above && below ? 0 : above ? 1 : -1;
}

static int lowest_power(const Formula *f) {
    int least = f->terms.count ? f->terms.at[0].power : 0;
    for (int i = 1; i < f->terms.count; i++)
        if (f->terms.at[i].power < least) least = f->terms.at[i].power;
    return least;
}

static int highest_power(const Formula *f) {
    int most = 0;
    for (int i = 0; i < f->terms.count; i++)
        if (f->terms.at[i].power > most) most = f->terms.at[i].power;
    return most;
}

/* ---- formulas as text ------------------------------------------------------------------------ */

/* Its terms over `unit`; "2*D*F - 0.00411*D". */
static const char *formula_text(const Question *q, const Formula *f, double unit) {
    const Dims *d = q->r->plan->g->dims;
    Text out = text_new(d->arena);
    for (int i = 0; i < f->terms.count; i++) {
        const double weight = f->terms.at[i].weight / unit;
        const bool is_one = fabs(fabs(weight) - 1) < nearly,
                   is_number = dim_is(d, f->terms.at[i].monomial, 1);
        text_str(&out, weight < 0 ? i ? " - " : "-" : i ? " + " : "");
        if (!is_one || is_number) text_printf(&out, "%.4g", fabs(weight));
        if (!is_one && !is_number) text_char(&out, '*');
        if (!is_number) text_str(&out, dim_text(d, f->terms.at[i].monomial, d->arena));
    }
    return text_get(&out);
}

static bool is_number(const Question *q, const Formula *f, double *value) {
    *value = f->terms.count ? f->terms.at[0].weight : 0;
    return f->terms.count == 1 && dim_is(q->r->plan->g->dims, f->terms.at[0].monomial, 1);
}

/* Over the first term of the denominator, which becomes simple. */
static const char *ratio_text(const Question *q, const Formula *above, const Formula *below) {
    double number;
    const double unit = fabs(above->terms.at[0].weight);
    const char *top = formula_text(q, above, unit), *bottom = formula_text(q, below, unit);
    if (is_number(q, below, &number)) return formula_text(q, above, number);
    return arena_printf(q->r->plan->g->arena, above->terms.count > 1 ? "(%s) / (%s)" : "%s / (%s)",
                        top, bottom);
}

/* above / below as a number, where the dims cancel. */
static bool ratio_value(const Formula *above, const Formula *below, double *value) {
    double ratio = 0;
    if (!above->terms.count || above->terms.count != below->terms.count) return false;
    for (int i = 0; i < above->terms.count; i++) {
        int same = 0;
        while (same < below->terms.count &&
               below->terms.at[same].monomial != above->terms.at[i].monomial)
            same++;
        if (same == below->terms.count) return false;
        const double each = above->terms.at[i].weight / below->terms.at[same].weight;
        if (i && fabs(each - ratio) > nearly * fabs(ratio)) return false;
        ratio = each;
    }
    *value = ratio;
    return true;
}

/* ---- one dim ------------------------------------------------------------------------------- */

/* The first whole value that is not below x; x itself if it is whole but for rounding. */
static double whole(double x) { return ceil(x * (1 - nearly)); }

/* The part of the bytes that does not grow with the dim, against operations that do. */
static void solve_small(const Question *q, const Formula *math, const Formula *other, Turn *turn) {
    const int low = lowest_power(other), grows = lowest_power(math);
    if (grows <= low) return;
    const Formula above = of_power(q, other, low), below = of_power(q, math, grows);
    double ratio;
    if (ratio_value(&above, &below, &ratio)) {
        turn->small = whole(pow(ratio, 1.0 / (grows - low)));
    } else if (grows == low + 1) {
        turn->small_text = ratio_text(q, &above, &below);
    }
}

/* math1 x = other0 + other1 x */
static void solve_linear(const Question *q, const Formula *math, const Formula *other, Turn *turn) {
    const Formula f = minus(q, math, other);
    double number;
    if (highest_power(&f) != 1) return;
    Formula above = of_power(q, &f, 0), below = of_power(q, &f, 1);
    if (ratio_value(&above, &below, &number)) return;
    for (int i = 0; i < above.terms.count; i++) above.terms.at[i].weight *= -1;
    if (above.terms.count && below.terms.count && sign_of(&above) > 0 && sign_of(&below) >= 0)
        turn->exact = ratio_text(q, &above, &below);
}

/* > 0: bound by arithmetic. */
static double excess(const Question *q, double value) {
    const Dims *d = q->r->plan->g->dims;
    double *sizes = arena_array(d->arena, double, d->symbols.count);
    for (int i = 0; i < d->symbols.count; i++) sizes[i] = q->r->sizes[i];
    sizes[q->symbol] = value;
    const Times t = q->counts ? times_of(q->r, q->counts, sizes) : times_whole(q->r, sizes);
    const double other = q->against == LIMIT_LINK ? t.link : t.memory;
    return t.math - other * (1 - nearly);
}

/* The first change between two values, whose bounds differ. */
static double bisect(const Question *q, double low, double high, bool is_compute) {
    while (high - low > 1) {
        const double middle = floor((low + high) / 2);
        if ((excess(q, middle) >= 0) == is_compute)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void solve_exact(const Question *q, Turn *turn) {
    const DimSymbol *s = &q->r->plan->g->dims->symbols.at[q->symbol];
    double low = s->lo < 1 ? 1 : (double)s->lo;
    const bool starts = excess(q, low) >= 0;
    turn->kind = starts ? TURN_ALWAYS : TURN_NEVER;
    for (int i = 0; i < DOUBLINGS && low < (double)s->hi; i++, low *= 2) {
        const double high = fmin(2 * low, (double)s->hi);
        if ((excess(q, high) >= 0) == starts) continue;
        turn->kind = starts ? TURN_MEMORY : TURN_COMPUTE;
        turn->from = bisect(q, low, high, !starts);
        return;
    }
}

/* Signs of all terms decide, whatever the other dims are. */
static void solve_signs(const Question *q, const Formula *other, Turn *turn) {
    int never = 0, always = 0, units = 0;
    for (int u = 0; u < UNIT_COUNT; u++) {
        const Formula math = unit_formula(q, u), f = minus(q, &math, other);
        if (!math.terms.count) continue;
        units++;
        never += !f.failed && sign_of(&f) < 0;
        always += !f.failed && sign_of(&f) > 0;
    }
    turn->is_proven =
        (turn->kind == TURN_NEVER && never == units) || (turn->kind == TURN_ALWAYS && always);
}

static Turn turn_of(const Question *q) {
    Turn turn = {.symbol = q->symbol, .against = q->against};
    solve_exact(q, &turn);
    if (!q->counts) return turn;
    const Formula other = other_formula(q);
    solve_signs(q, &other, &turn);
    if (turn.kind != TURN_COMPUTE && !(turn.kind == TURN_NEVER && !turn.is_proven)) return turn;
    const Formula math = unit_formula(q, times_of(q->r, q->counts, q->r->sizes).busiest);
    if (!math.terms.count || math.failed || other.failed) return turn;
    solve_small(q, &math, &other, &turn);
    solve_linear(q, &math, &other, &turn);
    if (turn.kind == TURN_NEVER && !(turn.small > 0)) turn.small_text = turn.exact = NULL;
    return turn;
}

static bool depends(const Rooflines *r, const Counts *c, int symbol) {
    const Dims *d = r->plan->g->dims;
    bool found = false;
    for (int i = 0; !c && i < r->kernels.count; i++)
        found = found || depends(r, &r->kernels.at[i].counts, symbol);
    if (!c) return found;
    for (int u = 0; u < UNIT_COUNT; u++)
        found = found || (c->ops[u] && dim_uses(d, c->ops[u], symbol));
    return found || (c->read && dim_uses(d, c->read, symbol)) ||
           (c->written && dim_uses(d, c->written, symbol));
}

static bool has_math(const Rooflines *r, const Counts *c) {
    const Times t = c ? times_of(r, c, r->sizes) : times_whole(r, r->sizes);
    return t.math > 0;
}

Turns turns_of(const Rooflines *r, const Counts *counts) {
    Turns turns = {0};
    for (int s = 0; s < r->plan->g->dims->symbols.count; s++) {
        Question q = {r, counts, s, LIMIT_MEMORY};
        if (!depends(r, counts, s) || !has_math(r, counts)) continue;
        vec_push(r->plan->g->arena, &turns, turn_of(&q));
        const Times t = counts ? times_of(r, counts, r->sizes) : times_whole(r, r->sizes);
        q.against = LIMIT_LINK;
        if (t.link > 0) vec_push(r->plan->g->arena, &turns, turn_of(&q));
    }
    return turns;
}
