/* cache_fill.c: puts a tuning with its evidence into the cache in a folder, for tests/cache.py. */
#include "cache/cache.h"

#include <stdio.h>

int main(int count, char **arguments) {
    static const KeyField fields[] = {
        {"device", "cpu"}, {"function", "f"}, {"family", "row"}, {"kernel", "f_0"}};
    static const KeyField model = {"model", "small"};
    static const KeyFields about = {&model, 1};
    static const CacheTrial trials[] = {
        {"rows=1", OUTCOME_TIMEOUT, 0, 0, 0, -1, -1, -1, -1, NULL, 0, NULL, &about},
        {"rows=2", OUTCOME_OK, 1000, 0.01, 20, 40, 0, 1024, 0.5, NULL, 0, NULL, &about},
        {"rows=4", OUTCOME_OK, 900, 0.02, 20, 80, 0, 2048, 0.5, NULL, 0, NULL, &about},
        {"rows=8", OUTCOME_INCORRECT, 0, 0, 0, -1, -1, -1, 7.5, "element 3", 0, NULL, &about}};
    static const CacheChoice choice = {
        .tile = "rows=4", .median_ns = 900, .default_ns = 1200, .roofline_ns = 600};
    const KeyFields key = {fields, sizeof fields / sizeof *fields};
    Arena *arena = arena_new(0);
    Diag *diag = diag_new(arena, 1);
    const CacheOptions options = {.folder = count > 1 ? arguments[1] : "cache"};
    Cache *cache = cache_open(diag, &options);
    bool done = cache;
    for (size_t i = 0; done && i < sizeof trials / sizeof *trials; i++)
        done = cache_trial_add(cache, diag, &key, &trials[i]);
    done = done && cache_choice_set(cache, diag, &key, &choice);
    cache_close(cache);
    arena_free(arena);
    return !done;
}
