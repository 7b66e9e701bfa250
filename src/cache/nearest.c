/* nearest.c: why is there no entry? Because of the first field that differs from the nearest one.
 * In: a key that is not there. Out: that field, and both values. */
#include "cache/cache_private.h"

#include <string.h>

typedef struct Difference {
    const char *field, *wanted, *found;
    int count;
} Difference;

/* Names that only one of the two has count, too. The file that a model is in does not. */
static void compare(const KeyFields *wanted, const KeyFields *found, Difference *d) {
    for (int i = 0; i < wanted->count; i++) {
        const KeyField *f = &wanted->at[i];
        const char *other = key_value(found, f->name);
        if (!strcmp(f->name, "model") || (other && !strcmp(f->value, other))) continue;
        if (!d->count++) *d = (Difference){f->name, f->value, other, d->count};
    }
    for (int i = 0; i < found->count; i++) {
        const KeyField *f = &found->at[i];
        if (!key_value(wanted, f->name) && !d->count++)
            *d = (Difference){f->name, NULL, f->value, d->count};
    }
}

/* Where the source is the same, the model's text, dims and options do not matter; where it is not, they
 * are the reason, and come first. */
static Difference differ(const KeyFields *key, const KeyFields *about, const KeyFields *other_key,
                         const KeyFields *other_about) {
    const char *source = key_value(key, "source"), *other = key_value(other_key, "source");
    Difference d = {0};
    if (!source || !other || strcmp(source, other)) compare(about, other_about, &d);
    compare(key, other_key, &d);
    return d;
}

void nearest_find(Turn *turn, Nearest *n) {
    Arena *arena = turn->diag->arena;
    const KeyFields key = key_parse(arena, n->key), about = key_parse(arena, n->about);
    Difference least = {.field = "new", .count = INT32_MAX};
    sqlite3_stmt *query =
        turn_query(turn,
                   "SELECT key, about FROM binary WHERE model = ? OR function = ? "
                   "ORDER BY used DESC, id DESC LIMIT 64",
                   "tt", n->model, n->function);
    while (turn_row(turn, query)) {
        const char *text = arena_strdup(arena, column_text(query, 0));
        const KeyFields other = key_parse(arena, text);
        const KeyFields other_about = key_parse(arena, column_text(query, 1));
        const Difference d = differ(&key, &about, &other, &other_about);
        if (d.count < least.count) least = d;
    }
    n->field = least.field;
    n->wanted = least.wanted;
    n->found = least.found;
    n->differences = least.count;
}
