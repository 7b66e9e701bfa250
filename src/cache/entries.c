/* entries.c: all entries of the database, for people.
 * In: the tables. Out: a list, without the bytes of code. */
#include "cache/cache_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct Listing {
    Arena *arena;
    Vec(CacheEntry) entries;
} Listing;

static const char *name_of(Arena *arena, char kind, int64_t hash) {
    return arena_printf(arena, "%c%08x", kind, (unsigned)((uint64_t)hash >> 32));
}

/* The source is most of a key, and its last field. */
static void list_code(Turn *turn, Listing *l) {
    sqlite3_stmt *query = turn_query(
        turn,
        "SELECT hash, substr(key, 1, instr(key, char(10) || 'source=')), about, size, seconds, "
        "created, used FROM binary",
        "");
    while (turn_row(turn, query)) {
        const CacheEntry e = {
            .kind = CACHE_CODE,
            .name = name_of(l->arena, 'c', sqlite3_column_int64(query, 0)),
            .key = key_parse(l->arena, arena_strdup(l->arena, column_text(query, 1))),
            .about = key_parse(l->arena, arena_strdup(l->arena, column_text(query, 2))),
            .size = sqlite3_column_int64(query, 3),
            .seconds = sqlite3_column_double(query, 4),
            .date = sqlite3_column_int64(query, 5),
            .used = sqlite3_column_int64(query, 6)};
        vec_push(l->arena, &l->entries, e);
    }
}

static void list_tunings(Turn *turn, Listing *l) {
    sqlite3_stmt *query = turn_query(
        turn,
        "SELECT hash, key, about, date, used, (SELECT count(*) FROM trial WHERE tuning = "
        "tuning.id), "
        "(SELECT count(*) FROM trial WHERE tuning = tuning.id AND outcome <> 'ok'), " CHOICE_COLUMNS
        " FROM tuning",
        "");
    while (turn_row(turn, query)) {
        const char *key = arena_strdup(l->arena, column_text(query, 1));
        CacheEntry e = {.kind = CACHE_TUNING,
                        .name = name_of(l->arena, 't', sqlite3_column_int64(query, 0)),
                        .key = key_parse(l->arena, key),
                        .date = sqlite3_column_int64(query, 3),
                        .used = sqlite3_column_int64(query, 4),
                        .trials = sqlite3_column_int(query, 5),
                        .failures = sqlite3_column_int(query, 6)};
        e.about = key_parse(l->arena, arena_strdup(l->arena, column_text(query, 2)));
        e.has_choice = choice_read(l->arena, key, query, 7, &e.choice);
        vec_push(l->arena, &l->entries, e);
    }
}

static void list_all(Turn *turn, void *of) {
    list_code(turn, of);
    list_tunings(turn, of);
}

static int later(const void *a, const void *b) {
    const CacheEntry *x = a, *y = b;
    if (x->used != y->used) return x->used < y->used ? 1 : -1;
    return strcmp(x->name, y->name);
}

CacheEntries cache_entries(Cache *cache, Diag *diag, Arena *arena) {
    Listing l = {.arena = arena};
    turn_take(cache, diag, false, list_all, &l);
    if (l.entries.count) qsort(l.entries.at, (size_t)l.entries.count, sizeof *l.entries.at, later);
    return (CacheEntries){l.entries.at, l.entries.count};
}

const char *entry_value(const CacheEntry *entry, const char *name) {
    const char *value = key_value(&entry->about, name);
    return value ? value : key_value(&entry->key, name);
}

/* ---- one of them ---------------------------------------------------------------------------- */

typedef struct Taking {
    Arena *arena;
    const CacheEntry *entry;
    KeyFields key;
    void *bytes; /* NULL: none */
    size_t size;
} Taking;

static void take_code(Turn *turn, void *of) {
    Taking *t = of;
    sqlite3_stmt *query = turn_query(turn,
                                     "SELECT key, code, checksum FROM binary "
                                     "WHERE printf('c%08x', (hash >> 32) & 4294967295) = ?",
                                     "t", t->entry->name);
    if (!turn_row(turn, query)) return;
    const char *key = arena_strdup(t->arena, column_text(query, 0));
    const void *code = sqlite3_column_blob(query, 1);
    t->size = (size_t)sqlite3_column_bytes(query, 1);
    const Checksum checksum = code_checksum(key, code, t->size);
    if (!checksum_is(&checksum, query, 2)) return;
    t->key = key_parse(t->arena, key);
    t->bytes = malloc(t->size + 1);
    if (t->bytes) memcpy(t->bytes, code, t->size);
}

bool cache_code(Cache *cache, Diag *diag, Arena *arena, const CacheEntry *entry, KeyFields *key,
                void **bytes, size_t *size) {
    Taking t = {.arena = arena, .entry = entry};
    turn_take(cache, diag, false, take_code, &t);
    *key = t.key;
    *bytes = t.bytes;
    *size = t.size;
    return t.bytes;
}

/* ---- removing ------------------------------------------------------------------------------- */

static void drop(Turn *turn, void *of) {
    const CacheEntry *e = of;
    const char *sql =
        e->kind == CACHE_CODE
            ? "DELETE FROM binary WHERE printf('c%08x', (hash >> 32) & 4294967295) = ?"
            : "DELETE FROM tuning WHERE printf('t%08x', (hash >> 32) & 4294967295) = ?";
    turn_do(turn, sql, "t", e->name);
}

bool cache_drop(Cache *cache, Diag *diag, const CacheEntry *entry) {
    CacheEntry own = *entry;
    return turn_take(cache, diag, true, drop, &own);
}
