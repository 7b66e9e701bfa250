/* care.c: checks all of the database, makes it smaller, removes it.
 * In: a database. Out: one without damaged entries; one of a size; none. */
#include "cache/cache_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- checking ------------------------------------------------------------------------------- */

typedef Vec(int64_t) IdVec;

typedef struct Check {
    Arena *arena;
    CacheCheck *result;
    IdVec codes, choices, trials; /* damaged ones */
} Check;

static void note(Check *c, bool is_whole, int64_t id, IdVec *damaged) {
    c->result->entries++;
    if (is_whole) return;
    c->result->damaged++;
    vec_push(c->arena, damaged, id);
}

static void check_file(Turn *turn, Check *c) {
    sqlite3_stmt *query = turn_query(turn, "PRAGMA integrity_check(1)", "");
    if (turn_row(turn, query)) c->result->file = arena_strdup(c->arena, column_text(query, 0));
}

static void check_code(Turn *turn, Check *c) {
    sqlite3_stmt *query = turn_query(turn, "SELECT id, key, code, checksum FROM binary", "");
    while (turn_row(turn, query)) {
        const Checksum checksum =
            code_checksum(column_text(query, 1), sqlite3_column_blob(query, 2),
                          (size_t)sqlite3_column_bytes(query, 2));
        note(c, checksum_is(&checksum, query, 3), sqlite3_column_int64(query, 0), &c->codes);
    }
}

static void check_choices(Turn *turn, Check *c) {
    CacheChoice choice;
    sqlite3_stmt *query = turn_query(turn, "SELECT id, key, " CHOICE_COLUMNS " FROM tuning", "");
    while (turn_row(turn, query)) {
        const char *key = arena_strdup(c->arena, column_text(query, 1));
        const bool has_none = sqlite3_column_type(query, 2) == SQLITE_NULL;
        note(c, has_none || choice_read(c->arena, key, query, 2, &choice),
             sqlite3_column_int64(query, 0), &c->choices);
    }
}

static void check_trials(Turn *turn, Check *c) {
    CacheTrial trial;
    sqlite3_stmt *query = turn_query(turn,
                                     "SELECT trial.id, key, trial.tile, outcome, trial.median, "
                                     "spread, rounds, registers, spills, shared, error, note, "
                                     "trial.date, ban, trial.checksum "
                                     "FROM trial JOIN tuning ON trial.tuning = tuning.id",
                                     "");
    while (turn_row(turn, query)) {
        const char *key = arena_strdup(c->arena, column_text(query, 1));
        note(c, trial_read(c->arena, key, query, 2, &trial), sqlite3_column_int64(query, 0),
             &c->trials);
    }
}

static void check_all(Turn *turn, void *of) {
    Check *c = of;
    check_file(turn, c);
    if (turn->status || strcmp(c->result->file, "ok")) {
        if (!turn->status) turn->status = SQLITE_CORRUPT; /* it is set aside */
        return;
    }
    check_code(turn, c);
    check_choices(turn, c);
    check_trials(turn, c);
}

static void drop_damaged(Turn *turn, void *of) {
    const Check *c = of;
    for (int i = 0; i < c->codes.count; i++)
        turn_do(turn, "DELETE FROM binary WHERE id = ?", "i", c->codes.at[i]);
    for (int i = 0; i < c->choices.count; i++)
        turn_do(turn, "UPDATE tuning SET tile = NULL, pinned = 0 WHERE id = ?", "i",
                c->choices.at[i]);
    for (int i = 0; i < c->trials.count; i++)
        turn_do(turn, "DELETE FROM trial WHERE id = ?", "i", c->trials.at[i]);
}

bool cache_check(Cache *cache, Diag *diag, Arena *arena, CacheCheck *check) {
    *check = (CacheCheck){.file = "not read"};
    Check c = {.arena = arena, .result = check};
    if (!turn_take(cache, diag, false, check_all, &c)) return false;
    return !check->damaged || turn_take(cache, diag, true, drop_damaged, &c);
}

/* ---- the files ------------------------------------------------------------------------------ */

/* The database's own has this name alone; what was set aside has a suffix. */
static bool is_aside(const char *name) {
    return !strncmp(name, DATABASE ".damaged-", 17) || !strncmp(name, DATABASE ".older-", 15);
}

static int remove_files(int folder, bool (*is_it)(const char *name)) {
    int again = dup(folder), count = 0;
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    if (!dir && again >= 0) close(again);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += is_it(entry->d_name) && !unlinkat(folder, entry->d_name, 0);
    if (dir) closedir(dir);
    return count;
}

static int64_t number(Turn *turn, const char *sql) {
    sqlite3_stmt *query = turn_query(turn, sql, "");
    return turn_row(turn, query) ? sqlite3_column_int64(query, 0) : 0;
}

static void measure(Turn *turn, void *of) {
    int64_t *bytes = of;
    *bytes = number(turn, "PRAGMA page_count") * number(turn, "PRAGMA page_size");
}

int64_t cache_bytes(Cache *cache, Diag *diag) {
    int64_t bytes = 0;
    turn_take(cache, diag, false, measure, &bytes);
    return bytes;
}

static void bound(Turn *turn, void *of) {
    const int64_t before = turn->cache->most_bytes;
    turn->cache->most_bytes = *(int64_t *)of;
    bound_keep(turn);
    turn->cache->most_bytes = before;
    turn_do(turn, "DELETE FROM note", "");
}

/* Not within a transaction. */
static void vacuum(Turn *turn, void *of) {
    (void)of;
    turn_do(turn, "VACUUM", "");
}

bool cache_collect(Cache *cache, Diag *diag, int64_t most_bytes, int *files) {
    *files = 0;
    if (!cache || !turn_take(cache, diag, true, bound, &most_bytes)) return false;
    int folder = open(cache->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        *files = remove_files(folder, is_aside);
        close(folder);
    }
    return turn_take(cache, diag, false, vacuum, NULL);
}

static bool is_ours(const char *name) {
    return !strcmp(name, DATABASE) || !strcmp(name, DATABASE "-journal") ||
           !strcmp(name, "statistics") || is_aside(name);
}

bool cache_clear(Diag *diag, const char *folder, int *files) {
    int lock;
    *files = 0;
    if (access(folder, F_OK)) return true;
    const char *why = place_open(arena_strdup(diag->arena, folder), &lock);
    int fd = why ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!why && (fd < 0 || (lock >= 0 && flock(lock, LOCK_EX)))) why = strerror(errno);
    if (!why) *files = remove_files(fd, is_ours);
    if (fd >= 0) close(fd);
    if (lock >= 0) close(lock);
    if (why) diag_refuse(diag, "the cache %s cannot be cleared: %s", folder, why);
    return !why;
}
