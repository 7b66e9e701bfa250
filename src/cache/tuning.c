/* tuning.c: what was measured of the tiles of a kernel, and which was chosen.
 * In: a key, trials, a choice. Out: the same, later and in other processes. */
#include "cache/cache_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const outcomes[] = {"ok",     "compile", "resource", "runtime",
                                       "sticky", "timeout", "incorrect"};

const char *outcome_name(CacheOutcome outcome) { return TABLE_ROW(outcomes, outcome, "outcome"); }

CacheOutcome outcome_parse(const char *name) {
    int row = 0;
    while (row < OUTCOME_COUNT && strcmp(outcomes[row], name)) row++;
    return (CacheOutcome)row;
}

typedef struct Record {
    Arena *arena;
    KeyFields fields;
    const char *key;  /* as text */
    int64_t hash, id; /* id 0: there is none yet */
    CacheChoice *choice;
    const CacheTrial *trial;
    const char *tile, *reason;
    Vec(CacheTrial) trials;
    bool found;
} Record;

static Record record_of(Arena *arena, const KeyFields *key) {
    Record r = {.arena = arena, .fields = *key, .key = key_print(arena, key)};
    r.hash = key_hash(r.key);
    return r;
}

/* ---- checksums ------------------------------------------------------------------------------ */

static Checksum text_checksum(const char *key, const char *text) {
    const FilePart parts[] = {{key, strlen(key)}, {text, strlen(text)}};
    return checksum_of(parts, 2);
}

static Checksum choice_checksum(Arena *arena, const char *key, const CacheChoice *c) {
    return text_checksum(key, arena_printf(arena, "%s|%a|%a|%a|%d|%d|%" PRId64, c->tile,
                                           c->median_ns, c->default_ns, c->roofline_ns,
                                           c->is_pinned, c->is_imported, c->date));
}

static Checksum trial_checksum(Arena *arena, const char *key, const CacheTrial *t) {
    return text_checksum(
        key, arena_printf(arena, "%s|%s|%a|%a|%d|%d|%d|%" PRId64 "|%a|%s|%" PRId64 "|%s", t->tile,
                          outcome_name(t->outcome), t->median_ns, t->spread, t->rounds,
                          t->registers, t->spills, t->shared_bytes, t->error,
                          t->note ? t->note : "", t->date, t->ban ? t->ban : ""));
}

/* ---- the row of a key ----------------------------------------------------------------------- */

static sqlite3_stmt *find_row(Turn *turn, Record *r) {
    sqlite3_stmt *query = turn_query(
        turn, "SELECT id, key, " CHOICE_COLUMNS " FROM tuning WHERE hash = ?", "i", r->hash);
    while (turn_row(turn, query)) {
        if (strcmp(column_text(query, 1), r->key)) continue;
        r->id = sqlite3_column_int64(query, 0);
        return query;
    }
    return NULL;
}

static void make_row(Turn *turn, Record *r, const KeyFields *about) {
    const int64_t now = date_now();
    if (!find_row(turn, r) && !turn->status) {
        turn_do(turn, "INSERT INTO tuning(hash, key, function, date, used) VALUES(?, ?, ?, ?, ?)",
                "ittii", r->hash, r->key, key_value(&r->fields, "function"), now, now);
        r->id = sqlite3_last_insert_rowid(turn->cache->db);
    }
    if (about)
        turn_do(turn, "UPDATE tuning SET about = ?, model = ? WHERE id = ?", "tti",
                about_print(turn->cache, r->arena, about), key_value(about, "model"), r->id);
}

/* ---- choices -------------------------------------------------------------------------------- */

bool choice_read(Arena *arena, const char *key, sqlite3_stmt *query, int first,
                 CacheChoice *choice) {
    if (sqlite3_column_type(query, first) == SQLITE_NULL) return false;
    const char *driver = (const char *)sqlite3_column_text(query, first + 6);
    *choice = (CacheChoice){.tile = arena_strdup(arena, column_text(query, first)),
                            .median_ns = sqlite3_column_double(query, first + 1),
                            .default_ns = sqlite3_column_double(query, first + 2),
                            .roofline_ns = sqlite3_column_double(query, first + 3),
                            .is_pinned = sqlite3_column_int(query, first + 4),
                            .is_imported = sqlite3_column_int(query, first + 5),
                            .driver = driver ? arena_strdup(arena, driver) : NULL,
                            .date = sqlite3_column_int64(query, first + 7)};
    const Checksum checksum = choice_checksum(arena, key, choice);
    return checksum_is(&checksum, query, first + 8);
}

static bool read_choice(Record *r, sqlite3_stmt *query, CacheChoice *choice) {
    return choice_read(r->arena, r->key, query, 2, choice);
}

static void find_choice(Turn *turn, void *of) {
    Record *r = of;
    sqlite3_stmt *query = find_row(turn, r);
    r->found = query && read_choice(r, query, r->choice);
}

bool cache_choice_find(Cache *cache, Diag *diag, Arena *arena, const KeyFields *key,
                       CacheChoice *choice) {
    if (!cache) return false;
    Record r = record_of(arena, key);
    r.choice = choice;
    return turn_take(cache, diag, false, find_choice, &r) && r.found;
}

/* Is "m=128" one of the values? */
static bool has_value(const char *tile, const char *value, size_t size) {
    for (; *tile; tile += strcspn(tile, ","), tile += *tile == ',')
        if (!strncmp(tile, value, size) && (!tile[size] || tile[size] == ',')) return true;
    return false;
}

bool cache_tile_has(const char *tile, const char *values) {
    for (; *values; values += *values == ',') {
        const size_t size = strcspn(values, ",");
        if (!has_value(tile, values, size)) return false;
        values += size;
    }
    return true;
}

static bool is_banned(Turn *turn, const Record *r, const char *tile) {
    bool found = false;
    sqlite3_stmt *query =
        turn_query(turn, "SELECT tile FROM trial WHERE tuning = ? AND ban NOT NULL", "i", r->id);
    while (turn_row(turn, query)) found |= cache_tile_has(tile, column_text(query, 0));
    return found;
}

static void write_choice(Turn *turn, const Record *r, const CacheChoice *c) {
    const Checksum checksum = choice_checksum(r->arena, r->key, c);
    turn_do(turn,
            "UPDATE tuning SET tile = ?, median = ?, standard = ?, roofline = ?, pinned = ?, "
            "imported = ?, "
            "driver = ?, date = ?, used = ?, checksum = ? WHERE id = ?",
            "tdddiitiibi", c->tile, c->median_ns, c->default_ns, c->roofline_ns,
            (int64_t)c->is_pinned, (int64_t)c->is_imported, c->driver, c->date, date_now(),
            checksum.bytes, (size_t)CHECKSUM_SIZE, r->id);
}

static void set_choice(Turn *turn, void *of) {
    Record *r = of;
    CacheChoice before;
    make_row(turn, r, r->choice->about);
    sqlite3_stmt *query = find_row(turn, r);
    r->found = false;
    if (is_banned(turn, r, r->choice->tile)) return;
    const bool stays =
        query && read_choice(r, query, &before) && before.is_pinned && !before.is_imported;
    if (!stays || r->choice->is_pinned) write_choice(turn, r, r->choice);
    bound_keep(turn);
    r->found = true;
}

bool cache_choice_set(Cache *cache, Diag *diag, const KeyFields *key, const CacheChoice *choice) {
    if (!cache) return false;
    Record r = record_of(diag->arena, key);
    CacheChoice own = *choice;
    if (!own.date) own.date = date_now();
    r.choice = &own;
    return turn_take(cache, diag, true, set_choice, &r) && r.found;
}

static void unpin(Turn *turn, void *of) {
    Record *r = of;
    CacheChoice choice;
    sqlite3_stmt *query = find_row(turn, r);
    r->found = query && read_choice(r, query, &choice);
    choice.is_pinned = false;
    if (r->found) write_choice(turn, r, &choice);
}

bool cache_unpin(Cache *cache, Diag *diag, const KeyFields *key) {
    if (!cache) return false;
    Record r = record_of(diag->arena, key);
    return turn_take(cache, diag, true, unpin, &r) && r.found;
}

/* ---- trials --------------------------------------------------------------------------------- */

static void write_trial(Turn *turn, const Record *r, const CacheTrial *t) {
    const Checksum checksum = trial_checksum(r->arena, r->key, t);
    turn_do(
        turn,
        "INSERT OR REPLACE INTO trial(tuning, tile, outcome, median, spread, rounds, registers, "
        "spills, shared, error, note, date, ban, checksum) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "ittddiiiidtitb", r->id, t->tile, outcome_name(t->outcome), t->median_ns, t->spread,
        (int64_t)t->rounds, (int64_t)t->registers, (int64_t)t->spills, t->shared_bytes, t->error,
        t->note, t->date, t->ban, checksum.bytes, (size_t)CHECKSUM_SIZE);
}

static const char *copy_column(Arena *arena, sqlite3_stmt *query, int column) {
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? arena_strdup(arena, text) : NULL;
}

bool trial_read(Arena *arena, const char *key, sqlite3_stmt *query, int first, CacheTrial *t) {
    *t = (CacheTrial){.tile = arena_strdup(arena, column_text(query, first)),
                      .outcome = outcome_parse(column_text(query, first + 1)),
                      .median_ns = sqlite3_column_double(query, first + 2),
                      .spread = sqlite3_column_double(query, first + 3),
                      .rounds = sqlite3_column_int(query, first + 4),
                      .registers = sqlite3_column_int(query, first + 5),
                      .spills = sqlite3_column_int(query, first + 6),
                      .shared_bytes = sqlite3_column_int64(query, first + 7),
                      .error = sqlite3_column_double(query, first + 8),
                      .note = copy_column(arena, query, first + 9),
                      .date = sqlite3_column_int64(query, first + 10),
                      .ban = copy_column(arena, query, first + 11)};
    if (t->outcome == OUTCOME_COUNT) return false;
    const Checksum checksum = trial_checksum(arena, key, t);
    return checksum_is(&checksum, query, first + 12);
}

static void read_trials(Turn *turn, Record *r, const char *tile) {
    CacheTrial trial;
    sqlite3_stmt *query =
        turn_query(turn,
                   "SELECT " TRIAL_COLUMNS
                   " FROM trial WHERE tuning = ? AND tile = ifnull(?, tile) ORDER BY id",
                   "it", r->id, tile);
    while (turn_row(turn, query))
        if (trial_read(r->arena, r->key, query, 0, &trial))
            vec_push(r->arena, &r->trials, trial);
        else
            turn->cache->counts.damaged++;
}

/* A ban outlives a new trial. */
static void add_trial(Turn *turn, void *of) {
    Record *r = of;
    CacheTrial trial = *r->trial;
    make_row(turn, r, trial.about);
    read_trials(turn, r, trial.tile);
    trial.ban = r->trials.count ? r->trials.at[0].ban : NULL;
    write_trial(turn, r, &trial);
    bound_keep(turn);
}

bool cache_trial_add(Cache *cache, Diag *diag, const KeyFields *key, const CacheTrial *trial) {
    if (!cache) return false;
    Record r = record_of(diag->arena, key);
    CacheTrial own = *trial;
    if (!own.date) own.date = date_now();
    r.trial = &own;
    return turn_take(cache, diag, true, add_trial, &r);
}

static void list_trials(Turn *turn, void *of) {
    Record *r = of;
    if (find_row(turn, r)) read_trials(turn, r, NULL);
}

CacheTrials cache_trials(Cache *cache, Diag *diag, Arena *arena, const KeyFields *key) {
    if (!cache) return (CacheTrials){0};
    Record r = record_of(arena, key);
    if (!turn_take(cache, diag, false, list_trials, &r)) return (CacheTrials){0};
    return (CacheTrials){r.trials.at, r.trials.count};
}

/* ---- bans ----------------------------------------------------------------------------------- */

/* A tile that was never tried gets a trial that says so. */
static void ban(Turn *turn, void *of) {
    Record *r = of;
    CacheTrial trial = {.tile = r->tile,
                        .registers = -1,
                        .spills = -1,
                        .shared_bytes = -1,
                        .error = -1,
                        .date = date_now()};
    make_row(turn, r, NULL);
    read_trials(turn, r, r->tile);
    if (r->trials.count) trial = r->trials.at[0];
    if (!r->trials.count && !r->reason) return;
    trial.ban = r->reason;
    write_trial(turn, r, &trial);
    CacheChoice choice;
    sqlite3_stmt *query = r->reason ? find_row(turn, r) : NULL;
    if (query && read_choice(r, query, &choice) && cache_tile_has(choice.tile, r->tile))
        turn_do(turn, "UPDATE tuning SET tile = NULL, pinned = 0, checksum = NULL WHERE id = ?",
                "i", r->id);
}

bool cache_ban(Cache *cache, Diag *diag, const KeyFields *key, const char *tile,
               const char *reason) {
    if (!cache) return false;
    Record r = record_of(diag->arena, key);
    r.tile = tile;
    r.reason = reason;
    return turn_take(cache, diag, true, ban, &r);
}
