/* nearest.c: why is there no entry? Because of the first field that differs from the nearest one.
 * In: the key of code or of a choice that is not there. Out: that field, and both values. */
#include "cache/cache_private.h"

#include <string.h>

/* What follows from the rest: where that differs, it is the reason. */
static bool is_derived(const char *field) {
    static const char *const names[] = {"source", "kernel text", "shape", "numeric", "choices"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], field)) return true;
    return false;
}

/* Names that only one of the two has count, too. The file that a model is in does not. */
static void compare(const KeyFields *wanted, const KeyFields *found, bool with_derived,
                    CacheDifference *d) {
    for (int i = 0; i < wanted->count; i++) {
        const KeyField *f = &wanted->at[i];
        const char *other = key_value(found, f->name);
        if (!strcmp(f->name, "model") || (other && !strcmp(f->value, other))) continue;
        if (!with_derived && is_derived(f->name)) continue;
        if (!d->count++) *d = (CacheDifference){false, f->name, f->value, other, d->count};
    }
    for (int i = 0; i < found->count; i++) {
        const KeyField *f = &found->at[i];
        if (key_value(wanted, f->name) || (!with_derived && is_derived(f->name))) continue;
        if (!d->count++) *d = (CacheDifference){false, f->name, NULL, f->value, d->count};
    }
}

static bool any_derived_differs(const KeyFields *key, const KeyFields *other) {
    for (int i = 0; i < key->count; i++) {
        const char *value = key_value(other, key->at[i].name);
        if (is_derived(key->at[i].name) && (!value || strcmp(key->at[i].value, value))) return true;
    }
    return false;
}

/* Where what is derived is the same, the model's text, dims and options do not matter. Nothing is
 * known of those of an imported choice. */
static CacheDifference differ(const KeyFields *key, const KeyFields *about,
                              const KeyFields *other_key, const KeyFields *other_about) {
    const bool is_other = other_about->count && any_derived_differs(key, other_key);
    CacheDifference d = {0};
    if (is_other) compare(about, other_about, false, &d);
    compare(key, other_key, false, &d);
    if (is_other && !d.count) compare(about, other_about, true, &d);
    if (!d.count) compare(key, other_key, true, &d);
    return d;
}

/* One that differs in nothing is no reason: another process has added it meanwhile. */
static bool is_nearer(const CacheDifference *d, const CacheDifference *least) {
    return d->count && d->count < least->count;
}

/* Of choices, those of kernels of another family have other tiles. Code has no family. */
static bool may_be_near(const KeyFields *key, const KeyFields *other) {
    const char *family = key_value(key, "family"), *its = key_value(other, "family");
    return !family || !its || !strcmp(family, its);
}

void nearest_find(Turn *turn, Nearest *n) {
    Arena *arena = turn->diag->arena;
    const KeyFields key = key_parse(arena, n->key), about = key_parse(arena, n->about);
    CacheDifference least = {.field = "new", .count = INT32_MAX};
    const char *sql = n->kind == CACHE_CODE
                          ? "SELECT key, about FROM binary WHERE model = ? OR function = ? "
                            "ORDER BY used DESC, id DESC LIMIT 64"
                          : "SELECT key, about FROM tuning WHERE (model = ? OR function = ?) "
                            "AND tile NOT NULL ORDER BY used DESC, id DESC LIMIT 256";
    sqlite3_stmt *query = turn_query(turn, sql, "tt", n->model, n->function);
    while (turn_row(turn, query)) {
        const char *text = arena_strdup(arena, column_text(query, 0));
        const KeyFields other = key_parse(arena, text);
        const KeyFields other_about = key_parse(arena, column_text(query, 1));
        if (!may_be_near(&key, &other)) continue;
        const CacheDifference d = differ(&key, &about, &other, &other_about);
        if (is_nearer(&d, &least)) least = d;
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
    const char *sql = q->nearest.kind == CACHE_CODE
                          ? "SELECT 1 FROM binary WHERE hash = ? AND key = ?"
                          : "SELECT 1 FROM tuning WHERE hash = ? AND key = ? AND tile NOT NULL";
    sqlite3_stmt *query = turn_query(turn, sql, "it", q->hash, q->nearest.key);
    d->is_found = turn_row(turn, query);
    if (!d->is_found) nearest_find(turn, &q->nearest);
}

bool cache_why(Cache *cache, Diag *diag, Arena *arena, CacheKind kind, const KeyFields *key,
               const KeyFields *about, CacheDifference *difference) {
    if (!cache) return false;
    Question q = {.nearest = {.kind = kind,
                              .key = key_print(arena, key),
                              .about = about_print(cache, arena, about),
                              .model = key_value(about, "model"),
                              .function = key_value(about, "function")}};
    q.hash = key_hash(q.nearest.key);
    const bool done = turn_take(cache, diag, false, ask, &q);
    *difference = q.nearest.difference;
    return done;
}
