/* sizes.c: default sizes for the open dims of a self-test.
 * In: a Plan and the cost of its reference. Out: sizes that satisfy the guards and take about a
 * second: first by rule, then, if guards relate dims to each other, by trial. */
#include "emit/selftest/selftest.h"

enum {
    MOST_STEPS = 12 << 20, /* of the reference, for one pass */
    MOST_BYTES = 64 << 20,
    TRIALS = 20000
};

typedef struct Search {
    const Dims *d;
    Dim steps, bytes;
    int64_t *sizes;
    uint64_t random;
} Search;

static bool fits(const Dims *d, Dim size, const int64_t *sizes, int64_t most) {
    int64_t value;
    return !size || (dim_value(d, size, sizes, &value) && value <= most);
}

static bool small_enough(const Search *s) {
    return fits(s->d, s->steps, s->sizes, MOST_STEPS) && fits(s->d, s->bytes, s->sizes, MOST_BYTES);
}

static bool allowed(const Search *s) {
    const DimGuard *failed;
    return dims_check(s->d, s->sizes, &failed);
}

/* The nearest size that the facts about the symbol allow. */
static int64_t settle(const DimSymbol *symbol, int64_t size) {
    int64_t multiple = symbol->multiple > 0 ? symbol->multiple : 1;
    if (size > symbol->hi) size = symbol->hi;
    if (size < symbol->lo) size = symbol->lo;
    if (size < 1) size = 1;
    return (size + multiple - 1) / multiple * multiple;
}

/* ---- by rule --------------------------------------------------------------------------------- */

/* Leading dims are usually batches and heads, the last is the width of a row. */
static int64_t wish(int dims, int number) {
    int from_end = dims - 1 - number;
    if (dims == 1) return 1 << 20;
    if (dims == 2) return 1024;
    if (dims == 3) return 128;
    return from_end == 0 ? 64 : from_end == 1 ? 256 : 8;
}

/* Halves the largest size that can be halved; false if there is none. */
static bool shrink(Search *s) {
    int largest = -1;
    for (int i = 0; i < s->d->symbols.count; i++) {
        bool can = settle(&s->d->symbols.at[i], s->sizes[i] / 2) < s->sizes[i];
        if (can && (largest < 0 || s->sizes[i] > s->sizes[largest])) largest = i;
    }
    if (largest < 0) return false;
    s->sizes[largest] = settle(&s->d->symbols.at[largest], s->sizes[largest] / 2);
    return true;
}

static bool by_rule(Search *s) {
    int count = s->d->symbols.count;
    for (int i = 0; i < count; i++) s->sizes[i] = settle(&s->d->symbols.at[i], wish(count, i));
    while (allowed(s) && !small_enough(s))
        if (!shrink(s)) return true; /* the model's fixed sizes are large */
    return allowed(s);
}

/* ---- by trial -------------------------------------------------------------------------------- */

static uint64_t next(Search *s) {
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return s->random >> 33;
}

/* A power of 2, a small number, or one near a fact's bound. */
static int64_t guess(Search *s, const DimSymbol *symbol) {
    switch (next(s) % 4) {
    case 0: return 1 + (int64_t)(next(s) % 12);
    case 1: return symbol->lo + (int64_t)(next(s) % 4) * symbol->multiple;
    default: return (int64_t)1 << next(s) % 11;
    }
}

/* Solves equations with one unknown symbol. */
static void solve(Search *s) {
    const Dims *d = s->d;
    bool known[64];
    if (d->symbols.count > 64) return;
    for (int i = 0; i < d->guards.count; i++) {
        const DimGuard *g = &d->guards.at[i];
        int64_t value;
        int open = (int)(next(s) % (uint64_t)d->symbols.count);
        if (g->compare != DIM_EQ || dim_uses(d, g->b, open) || !dim_uses(d, g->a, open)) continue;
        if (!dim_value(d, g->b, s->sizes, &value)) continue;
        for (int j = 0; j < d->symbols.count; j++) known[j] = j != open;
        dim_solve(d, g->a, value, s->sizes, known);
    }
}

static bool at_least_one(const Search *s) {
    for (int i = 0; i < s->d->symbols.count; i++)
        if (s->sizes[i] < 1) return false;
    return true;
}

/* The best of many guesses: the one with the most work. */
static bool by_trial(Search *s, int64_t *best) {
    int count = s->d->symbols.count;
    int64_t most = -1;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int i = 0; i < count; i++)
            s->sizes[i] = settle(&s->d->symbols.at[i], guess(s, &s->d->symbols.at[i]));
        solve(s);
        if (!at_least_one(s) || !allowed(s) || !small_enough(s)) continue;
        int64_t steps = 0;
        if (s->steps) dim_value(s->d, s->steps, s->sizes, &steps);
        if (steps <= most) continue;
        most = steps;
        for (int i = 0; i < count; i++) best[i] = s->sizes[i];
    }
    return most >= 0;
}

bool test_sizes(const Plan *plan, Dim steps, int64_t *sizes) {
    const Dims *d = plan->g->dims;
    Search s = {.d = d, .steps = steps, .bytes = plan_peak(plan), .sizes = sizes, .random = 1};
    if (by_rule(&s)) return true;
    s.sizes = arena_array(plan->g->arena, int64_t, d->symbols.count);
    return by_trial(&s, sizes);
}
