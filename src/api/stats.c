/* stats.c: which variants there are, and how often calls used them.
 * In: a function. Out: its variants with their guards, and counts of calls. */
#include "api/api.h"

#include <stdio.h>
#include <string.h>

/* "N = 5, D = 4: D == 8 fails (scale.fx:2:13)" */
static void print_miss(const FusecFunction *f, const int64_t *dims, char *to, size_t room) {
    int line, column;
    char text[1024];
    Span span;
    policy_print_miss(f, dims, text, sizeof text, &span);
    if (span.file < (uint32_t)f->g->diag->sources.count) {
        const Source *source = &f->g->diag->sources.at[span.file];
        size_t used = strlen(text);
        source_place(source, span.lo, &line, &column);
        snprintf(text + used, sizeof text - used, " (%s:%d:%d)", source->name, line, column);
    }
    utf8_copy(to, room, text);
}

FusecStatus fusec_function_stats(FusecFunction *f, FusecStats *stats) {
    if (!handle_is(f, HANDLE_FUNCTION, "function")) return FUSEC_WRONG_ARGUMENT;
    int64_t dims[DIMS_MOST];
    FusecStats own = {.hits = atomic_load(&f->hits),
                      .misses = atomic_load(&f->misses),
                      .compilations = atomic_load(&f->compilations),
                      .evictions = atomic_load(&f->evictions),
                      .compile_seconds = atomic_load(&f->compile_seconds),
                      .variant_count = (size_t)atomic_load(&f->table)->count};
    if (policy_last_miss(f, dims)) print_miss(f, dims, own.last_miss, sizeof own.last_miss);
    return options_give(&own, sizeof own, stats, "stats") ? FUSEC_OK : FUSEC_WRONG_ARGUMENT;
}

FusecStatus fusec_function_variant(FusecFunction *f, size_t index, FusecVariant *variant) {
    if (!handle_is(f, HANDLE_FUNCTION, "function")) return FUSEC_WRONG_ARGUMENT;
    const VariantTable *table = atomic_load(&f->table);
    if (index >= (size_t)table->count)
        return api_fail_argument("index", "index is %zu, of %d variants", index, table->count);
    const Variant *v = table->at[index];
    const FusecVariant own = {.guards = v->guards,
                              .is_exact = v->is_exact,
                              .hits = atomic_load(&v->hits),
                              .compile_seconds = v->seconds};
    return options_give(&own, sizeof own, variant, "variant") ? FUSEC_OK : FUSEC_WRONG_ARGUMENT;
}
