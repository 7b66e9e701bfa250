/* policy.c: which variants to compile.
 * In: the dims that a function is prepared for and called with. Out: what to compile next. A dim is
 * fixed until a second value is seen; then it is an argument of the code, which may assume a common
 * divisor of all values so far. No size is special: 1 is a size like any other, and two dims of
 * equal size are not assumed to be equal. */
#include "api/api.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- what to compile ---------------------------------------------------------------------- */

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What code is better for: whole vectors, whole tiles. */
static int64_t useful_multiple(int64_t divisor) {
    return divisor % 128 == 0 ? 128 : divisor % 16 == 0 ? 16 : divisor % 8 == 0 ? 8 : 0;
}

Specialisation specialise_exactly(const FusecFunction *f, const int64_t *dims) {
    Specialisation of = {.any_alignment = false};
    memcpy(of.fixed, dims, sizeof *dims * (size_t)f->dim_count);
    return of;
}

static Specialisation specialise_automatically(FusecFunction *f, const int64_t *dims) {
    Specialisation of = {.any_alignment = false};
    for (int s = 0; s < f->dim_count; s++) {
        if (!f->first[s]) f->first[s] = dims[s];
        if (f->multiple[s] || f->first[s] != dims[s])
            f->multiple[s] = common_divisor(f->multiple[s] ? f->multiple[s] : f->first[s], dims[s]);
        if (f->multiple[s])
            of.multiple[s] = useful_multiple(f->multiple[s]);
        else
            of.fixed[s] = dims[s];
    }
    return of;
}

Specialisation policy_choose(FusecFunction *f, const int64_t *dims) {
    if (f->options.policy == FUSEC_EXACT) return specialise_exactly(f, dims);
    if (f->options.policy == FUSEC_GENERAL) return (Specialisation){.any_alignment = false};
    return specialise_automatically(f, dims);
}

/* ---- what calls came with ----------------------------------------------------------------- */

/* Calls do not wait: a sample of them is enough. */
static bool take_seen(Seen *seen) {
    int unused = 0;
    return atomic_compare_exchange_strong_explicit(&seen->is_busy, &unused, 1, memory_order_acquire,
                                                   memory_order_relaxed);
}

static void return_seen(Seen *seen) {
    atomic_store_explicit(&seen->is_busy, 0, memory_order_release);
}

static int place_of(const Seen *seen, const int64_t *dims, size_t size) {
    for (int i = 0; i < SEEN_MOST; i++)
        if (seen->at[i].count && !memcmp(seen->at[i].dims, dims, size)) return i;
    return -1;
}

/* Where these dims are counted, in place of the oldest ones if need be. */
static int place_for(Seen *seen, const int64_t *dims, size_t size) {
    int i = place_of(seen, dims, size);
    if (i >= 0) return i;
    i = seen->next;
    seen->next = (i + 1) % SEEN_MOST;
    memcpy(seen->at[i].dims, dims, size);
    seen->at[i].count = 0;
    return i;
}

static size_t dims_size(const FusecFunction *f) { return sizeof(int64_t) * (size_t)f->dim_count; }

bool policy_note_hit(FusecFunction *f, const int64_t *dims) {
    Seen *seen = &f->seen;
    if (!take_seen(seen)) return false;
    int i = place_for(seen, dims, dims_size(f));
    bool enough = seen->at[i].count < ASKED && ++seen->at[i].count == f->options.exact_hits;
    return_seen(seen);
    return enough;
}

void policy_want(FusecFunction *f, const int64_t *dims) {
    Seen *seen = &f->seen;
    while (!take_seen(seen)) sched_yield();
    seen->at[place_for(seen, dims, dims_size(f))].count = f->options.exact_hits;
    return_seen(seen);
}

bool policy_take_wanted(FusecFunction *f, int64_t *dims) {
    Seen *seen = &f->seen;
    bool found = false;
    while (!take_seen(seen)) sched_yield();
    for (int i = 0; !found && i < SEEN_MOST; i++) {
        if (seen->at[i].count < f->options.exact_hits || seen->at[i].count == ASKED) continue;
        memcpy(dims, seen->at[i].dims, dims_size(f));
        seen->at[i].count = ASKED;
        found = true;
    }
    return_seen(seen);
    return found;
}

void policy_note_miss(FusecFunction *f, const int64_t *dims) {
    if (!take_seen(&f->seen)) return;
    memcpy(f->seen.miss, dims, dims_size(f));
    f->seen.missed = true;
    return_seen(&f->seen);
}

bool policy_last_miss(FusecFunction *f, int64_t *dims) {
    while (!take_seen(&f->seen)) sched_yield();
    bool missed = f->seen.missed;
    memcpy(dims, f->seen.miss, dims_size(f));
    return_seen(&f->seen);
    return missed;
}

/* ---- words -------------------------------------------------------------------------------- */

static void append(char *text, size_t size, const char *format, ...) PRINTF_LIKE(3, 4);
static void append(char *text, size_t size, const char *format, ...) {
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

/* The variant that takes the most sizes is the one that is named. */
void policy_print_miss(const FusecFunction *f, const int64_t *dims, char *text, size_t size,
                       Span *span) {
    const VariantTable *table = atomic_load_explicit(&f->table, memory_order_acquire);
    const DimSymbol *symbols = f->g->dims->symbols.at;
    *span = f->g->span;
    text[0] = '\0';
    for (int s = 0; s < f->dim_count; s++)
        append(text, size, "%s%s = %" PRId64, s ? ", " : "", symbols[s].name, dims[s]);
    if (!table->count) append(text, size, "%sthere is no variant yet", f->dim_count ? ": " : "");
    if (!table->count) return;
    const Variant *v = table->at[table->count - 1];
    int s = variant_refuses(v, dims, f->dim_count);
    if (s < 0) return;
    *span = symbols[s].span;
    if (v->of.fixed[s])
        append(text, size, ": %s == %" PRId64 " fails", symbols[s].name, v->of.fixed[s]);
    else
        append(text, size, ": %s %% %" PRId64 " == 0 fails", symbols[s].name, v->of.multiple[s]);
}
