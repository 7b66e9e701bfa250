/* binary.c: compiled code by what it was compiled from.
 * In: a key, code. Out: code whose key is the same to the last byte, and whose checksum is
 * right. */
#include "cache/cache_private.h"

#include <stdlib.h>
#include <string.h>

/* Seconds: the date of the last use is no more exact. A program has many parts, and each is a
 * write.
 */
enum { TOUCH_AFTER = 3600, TOUCH_PART_AFTER = 24 * TOUCH_AFTER };

typedef struct Lookup {
    const char *key, *about;
    int64_t hash, id, used;
    bool is_damaged;
    void *bytes; /* of the code; NULL: not found */
    size_t size;
    double seconds; /* that compiling it took */
    const char *model, *function;
} Lookup;

Checksum code_checksum(const char *key, const void *code, size_t size) {
    const FilePart parts[] = {{key, strlen(key)}, {code, size}};
    return checksum_of(parts, 2);
}

/* With the version of fusec, since other versions may write other code for the same model. */
const char *about_print(const Cache *cache, Arena *arena, const KeyFields *about) {
    return arena_printf(arena, "%sfusec=%s\n", key_print(arena, about), cache->build);
}

/* ---- finding -------------------------------------------------------------------------------- */

static void take(Turn *turn, sqlite3_stmt *query, Lookup *l) {
    const void *code = sqlite3_column_blob(query, 3);
    const size_t size = (size_t)sqlite3_column_bytes(query, 3);
    const Checksum checksum = code_checksum(l->key, code, size);
    l->id = sqlite3_column_int64(query, 0);
    l->used = sqlite3_column_int64(query, 4);
    l->seconds = sqlite3_column_double(query, 5);
    l->is_damaged = !checksum_is(&checksum, query, 2);
    if (l->is_damaged) return;
    l->bytes = malloc(size + 1);
    l->size = size;
    if (l->bytes)
        memcpy(l->bytes, code, size);
    else
        turn->status = SQLITE_NOMEM;
}

static void look_up(Turn *turn, void *of) {
    Lookup *l = of;
    sqlite3_stmt *query =
        turn_query(turn, "SELECT id, key, checksum, code, used, seconds FROM binary WHERE hash = ?",
                   "i", l->hash);
    while (!l->bytes && !l->is_damaged && turn_row(turn, query))
        if (!strcmp(column_text(query, 1), l->key)) take(turn, query, l);
    if (!l->about && !l->is_damaged) return;
    if (l->bytes) {
        turn->cache->counts.hits++;
        turn->cache->counts.saved += l->seconds;
        return;
    }
    Nearest nearest = {.kind = CACHE_CODE,
                       .key = l->key,
                       .about = l->about,
                       .model = l->model,
                       .function = l->function};
    if (!l->is_damaged) nearest_find(turn, &nearest);
    counts_miss(&turn->cache->counts, l->is_damaged ? "damaged" : nearest.difference.field);
    turn->cache->counts.damaged += l->is_damaged;
}

static void touch(Turn *turn, void *of) {
    const Lookup *l = of;
    turn_do(turn, "UPDATE binary SET used = ? WHERE id = ?", "ii", date_now(), l->id);
}

static void drop(Turn *turn, void *of) {
    const Lookup *l = of;
    turn_do(turn, "DELETE FROM binary WHERE id = ?", "i", l->id);
    cache_tell(turn->cache, "an entry of the cache %s was damaged, and is made again",
               turn->cache->path);
}

static bool find(CodeStore *store, Diag *diag, const KeyFields *key, const KeyFields *about,
                 void **bytes, size_t *size) {
    Cache *cache = (Cache *)store;
    Lookup l = {.key = key_print(diag->arena, key),
                .about = about ? about_print(cache, diag->arena, about) : NULL,
                .model = about ? key_value(about, "model") : NULL,
                .function = about ? key_value(about, "function") : NULL};
    l.hash = key_hash(l.key);
    turn_take(cache, diag, false, look_up, &l);
    if (l.is_damaged) turn_take(cache, diag, true, drop, &l);
    const int64_t after = about ? TOUCH_AFTER : TOUCH_PART_AFTER;
    if (l.bytes && date_now() - l.used > after && !cache->is_read_only)
        turn_take(cache, diag, true, touch, &l);
    *bytes = l.bytes;
    *size = l.size;
    return l.bytes;
}

/* ---- adding --------------------------------------------------------------------------------- */

typedef struct Additions {
    const CodeEntry *entries;
    int count;
} Additions;

static void insert(Turn *turn, const CodeEntry *e) {
    Cache *cache = turn->cache;
    const char *key = key_print(turn->diag->arena, &e->key);
    const Checksum checksum = code_checksum(key, e->bytes, e->size);
    const int64_t now = date_now(), hash = key_hash(key);
    turn_do(turn, "DELETE FROM binary WHERE hash = ? AND key = ?", "it", hash, key);
    turn_do(turn,
            "INSERT INTO binary(hash, key, about, model, function, size, seconds, created, used, "
            "checksum, code) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            "itttt"
            "idiibb",
            hash, key, about_print(cache, turn->diag->arena, &e->about),
            key_value(&e->about, "model"), key_value(&e->about, "function"), (int64_t)e->size,
            e->seconds, now, now, checksum.bytes, (size_t)CHECKSUM_SIZE, e->bytes, e->size);
}

static void insert_all(Turn *turn, void *of) {
    const Additions *all = of;
    for (int i = 0; i < all->count; i++)
        if ((int64_t)all->entries[i].size <= turn->cache->most_bytes / 2)
            insert(turn, &all->entries[i]);
    bound_keep(turn);
}

static void add(CodeStore *store, Diag *diag, const CodeEntry *entries, int count) {
    Cache *cache = (Cache *)store;
    Additions all = {entries, count};
    if (!cache->is_read_only) turn_take(cache, diag, true, insert_all, &all);
}

/* ---- notes ---------------------------------------------------------------------------------- */

typedef struct Note {
    const char *name, *text;
    char *found; /* to be freed */
} Note;

static Checksum note_checksum(const char *name, const char *text) {
    const FilePart parts[] = {{name, strlen(name)}, {text, strlen(text)}};
    return checksum_of(parts, 2);
}

static void read_note(Turn *turn, void *of) {
    Note *note = of;
    sqlite3_stmt *query =
        turn_query(turn, "SELECT text, checksum FROM note WHERE name = ?", "t", note->name);
    if (!turn_row(turn, query)) return;
    const char *text = column_text(query, 0);
    const Checksum checksum = note_checksum(note->name, text);
    if (checksum_is(&checksum, query, 1)) note->found = strdup(text);
}

static void write_note(Turn *turn, void *of) {
    const Note *note = of;
    const Checksum checksum = note_checksum(note->name, note->text);
    turn_do(turn, "INSERT OR REPLACE INTO note VALUES(?, ?, ?)", "ttb", note->name, note->text,
            checksum.bytes, (size_t)CHECKSUM_SIZE);
}

static const char *recall(CodeStore *store, Diag *diag, const char *name) {
    Note note = {.name = name};
    turn_take((Cache *)store, diag, false, read_note, &note);
    if (note.found) arena_owns(diag->arena, free, note.found);
    return note.found;
}

static void remember(CodeStore *store, Diag *diag, const char *name, const char *text) {
    Note note = {.name = name, .text = text};
    turn_take((Cache *)store, diag, true, write_note, &note);
}

CodeStore *cache_code_store(Cache *cache) {
    if (!cache) return NULL;
    cache->store = (CodeStore){find, add, recall, remember};
    return &cache->store;
}
