/* nearest.c: why is there no entry? Because of the first field that differs from the nearest one.
 * In: a key that is not there. Out: that field, and both values. */
#include "cache/cache_private.h"

#include <string.h>

/* Names that only one of the two has count, too. The file that a model is in does not. */
static void compare(const KeyFields *wanted, const KeyFields *found, CacheDifference *d) {
    for (int i = 0; i < wanted->count; i++) {
        const KeyField *f = &wanted->at[i];
        const char *other = key_value(found, f->name);
        if (!strcmp(f->name, "model") || (other && !strcmp(f->value, other))) continue;
        if (!d->count++) *d = (CacheDifference){false, f->name, f->value, other, d->count};
    }
    for (int i = 0; i < found->count; i++) {
        const KeyField *f = &found->at[i];
        if (!key_value(wanted, f->name) && !d->count++)
            *d = (CacheDifference){false, f->name, NULL, f->value, d->count};
    }
}

/* Where the source is the same, the model's text, dims and options do not matter; where it is not,
 * they are the reason, and come first. */
static CacheDifference differ(const KeyFields *key, const KeyFields *about,
                              const KeyFields *other_key, const KeyFields *other_about) {
    const char *source = key_value(key, "source"), *other = key_value(other_key, "source");
    const bool is_other = !source || !other || strcmp(source, other);
    CacheDifference d = {0};
    if (is_other) compare(about, other_about, &d);
    const bool is_told = d.count > 0; /* and is why the source differs */
    compare(key, other_key, &d);
    d.count -= is_told && is_other;
    return d;
}

void nearest_find(Turn *turn, Nearest *n) {
    Arena *arena = turn->diag->arena;
    const KeyFields key = key_parse(arena, n->key), about = key_parse(arena, n->about);
    CacheDifference least = {.field = "new", .count = INT32_MAX};
    sqlite3_stmt *query =
        turn_query(turn,
                   "SELECT key, about FROM binary WHERE model = ? OR function = ? "
                   "ORDER BY used DESC, id DESC LIMIT 64",
                   "tt", n->model, n->function);
    while (turn_row(turn, query)) {
        const char *text = arena_strdup(arena, column_text(query, 0));
        const KeyFields other = key_parse(arena, text);
        const KeyFields other_about = key_parse(arena, column_text(query, 1));
        const CacheDifference d = differ(&key, &about, &other, &other_about);
        if (d.count < least.count) least = d;
    }
    n->difference = least;
}

typedef struct Question {
    Nearest nearest;
    int64_t hash;
} Question;

static void ask(Turn *turn, void *of) {
    Question *q = of;
    CacheDifference *d = &q->nearest.difference;
    sqlite3_stmt *query = turn_query(turn, "SELECT 1 FROM binary WHERE hash = ? AND key = ?", "it",
                                     q->hash, q->nearest.key);
    d->is_found = turn_row(turn, query);
    if (!d->is_found) nearest_find(turn, &q->nearest);
}

bool cache_why(Cache *cache, Diag *diag, Arena *arena, const KeyFields *key, const KeyFields *about,
               CacheDifference *difference) {
    if (!cache) return false;
    Question q = {.nearest = {.key = key_print(arena, key),
                              .about = about_print(cache, arena, about),
                              .model = key_value(about, "model"),
                              .function = key_value(about, "function")}};
    q.hash = key_hash(q.nearest.key);
    const bool done = turn_take(cache, diag, false, ask, &q);
    *difference = q.nearest.difference;
    return done;
}
