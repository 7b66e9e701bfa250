/* store.c: opens the database, and gives it to one user at a time.
 * In: options; what a turn does. Out: a database of ours, or none. A damaged file, or one of an
 * older version, is renamed, and a new one takes its place. */
#define _XOPEN_SOURCE   700 /* realpath */
#define _DEFAULT_SOURCE     /* flock */
#include "cache/cache_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_DEFAULT = 2000, LENGTH_MOST = 256 << 20, NAP_MS = 5 };
static const int64_t bytes_default = (int64_t)1 << 30;

int64_t date_now(void) { return (int64_t)time(NULL); }

void cache_tell(Cache *cache, const char *format, ...) {
    va_list args;
    if (cache->has_told || *cache->words) return;
    va_start(args, format);
    vsnprintf(cache->words, sizeof cache->words, format, args);
    va_end(args);
}

static void tell(Cache *cache, Diag *diag) {
    if (cache->has_told || !*cache->words) return;
    cache->has_told = true;
    diag_remark(diag, NOWHERE, "%s", cache->words);
}

/* ---- the lock of the folder ----------------------------------------------------------------- */

/* SQLite's own locks are on the database's file, and its journal is found by name. So a file is
 * replaced only while no process is in the middle of something. */
static bool lock_take(const Cache *cache, int how) {
    const struct timespec nap = {0, NAP_MS * 1000000L};
    for (int waited = 0; cache->lock >= 0; waited += NAP_MS) {
        if (!flock(cache->lock, how | LOCK_NB)) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return how == LOCK_SH;
        if (waited >= cache->wait_ms) return false;
        nanosleep(&nap, NULL);
    }
    return how == LOCK_SH;
}

static void lock_release(const Cache *cache) {
    if (cache->lock >= 0) flock(cache->lock, LOCK_UN);
}

/* ---- opening -------------------------------------------------------------------------------- */

static void close_database(Cache *cache) {
    sqlite3_close(cache->db);
    cache->db = NULL;
}

/* Nothing in the file is trusted: no views, triggers or functions of it are run. */
static int configure(sqlite3 *db, int wait_ms) {
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, wait_ms);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LENGTH_MOST);
    return sqlite3_exec(db,
                        "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; "
                        "PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON",
                        0, 0, 0);
}

/* SQLite would make it readable for others; its journal is like it. One that is there is not
 * opened: see check_database. */
static void make_private(const char *path) {
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
}

/* With NOFOLLOW, SQLite refuses links on the way to the file, too: ~/.cache may be one. */
static int open_by_real_path(Cache *cache) {
    const int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_NOFOLLOW;
    char *folder = realpath(cache->folder, NULL);
    const size_t room = folder ? strlen(folder) + sizeof "/" DATABASE : 0;
    char *path = folder ? malloc(room) : NULL;
    if (path) snprintf(path, room, "%s/" DATABASE, folder);
    const int status = path ? sqlite3_open_v2(path, &cache->db, flags, NULL) : SQLITE_CANTOPEN;
    free(folder);
    free(path);
    return status;
}

static int open_database(Cache *cache, SchemaState *state) {
    struct stat st;
    *state = SCHEMA_OK;
    make_private(cache->path);
    int status = open_by_real_path(cache);
    if (!status) status = configure(cache->db, cache->wait_ms);
    if (!status) status = schema_open(cache->db, state);
    if ((status & 0xff) == SQLITE_ERROR) status = SQLITE_CORRUPT; /* the number of its format */
    if (!status && stat(cache->path, &st)) status = SQLITE_CANTOPEN;
    if (!status) {
        cache->device = st.st_dev;
        cache->inode = st.st_ino;
        cache->is_read_only = sqlite3_db_readonly(cache->db, "main") == 1;
    }
    if (status || *state) close_database(cache);
    return status;
}

/* ---- setting aside -------------------------------------------------------------------------- */

static bool is_damage(int status) {
    const int kind = status & 0xff;
    return kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || status == SQLITE_IOERR_SHORT_READ;
}

static bool rename_aside(const char *path, const char *to) {
    return !rename(path, to) || errno == ENOENT;
}

/* With its journal, which would be taken for that of the new file. */
static bool set_aside(Cache *cache, const char *why) {
    const size_t room = strlen(cache->path) + 64;
    char *to = malloc(room), *journal = malloc(room), *to_journal = malloc(room + 16);
    bool done = to && journal && to_journal;
    if (done) {
        snprintf(to, room, "%s.%s-%lld-%ld", cache->path, why, (long long)date_now(),
                 (long)getpid());
        snprintf(journal, room, "%s-journal", cache->path);
        snprintf(to_journal, room + 16, "%s-journal", to);
        done = rename_aside(journal, to_journal) && rename_aside(cache->path, to);
        if (done)
            cache_tell(cache, "the cache %s is %s: it was renamed to %s, and a new one begun",
                       cache->path, why, strrchr(to, '/') + 1);
    }
    free(to), free(journal), free(to_journal);
    return done;
}

/* Nobody else has, meanwhile. */
static bool is_still_there(const Cache *cache) {
    struct stat st;
    return !stat(cache->path, &st) && st.st_dev == cache->device && st.st_ino == cache->inode;
}

/* With the lock held exclusively. */
static void replace(Cache *cache, bool was_open) {
    SchemaState state = SCHEMA_OK;
    int status = was_open && is_still_there(cache) ? SQLITE_CORRUPT : open_database(cache, &state);
    if (is_damage(status) || state == SCHEMA_DAMAGED || state == SCHEMA_OLDER) {
        const char *why = state == SCHEMA_OLDER ? "older" : "damaged";
        status = set_aside(cache, why) ? open_database(cache, &state) : SQLITE_CANTOPEN;
    }
    if (status)
        cache_tell(cache, "the cache %s is damaged, and cannot be replaced: %s", cache->path,
                   sqlite3_errstr(status));
}

/* The database is closed; it was `was_open` until its damage was seen. */
static void mend(Cache *cache, bool was_open) {
    lock_release(cache);
    if (lock_take(cache, LOCK_EX))
        replace(cache, was_open);
    else
        cache_tell(cache, "the cache %s is damaged, and in use or read-only: it is not used",
                   cache->path);
    lock_release(cache);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void open_or_mend(Cache *cache) {
    SchemaState state;
    if (!lock_take(cache, LOCK_SH)) {
        cache_tell(cache, "the cache %s is locked: it is not used", cache->path);
        return;
    }
    const int status = open_database(cache, &state);
    lock_release(cache);
    if (is_damage(status) || state == SCHEMA_DAMAGED || state == SCHEMA_OLDER)
        mend(cache, false);
    else if (state == SCHEMA_NEWER)
        cache_tell(cache, "the cache %s is of a newer version of fusec: it is not used",
                   cache->path);
    else if (state == SCHEMA_FOREIGN)
        cache_tell(cache, "%s is a database of another program: there is no cache", cache->path);
    else if (status)
        cache_tell(cache, "the cache %s is not used: %s", cache->path, sqlite3_errstr(status));
}

static void open_files(Cache *cache) {
    const char *why = place_open(cache->folder, &cache->lock);
    cache->process = getpid();
    if (why)
        cache_tell(cache, "the cache %s is not used: %s", cache->folder, why);
    else
        open_or_mend(cache);
}

/* After fork the child has the parent's descriptors, with their offsets and locks, and SQLite must
 * not use its connection, nor close it: both are left, and opened again where they are needed. */
static bool leave_parent(Cache *cache) {
    if (cache->process == getpid()) return false;
    if (cache->lock >= 0) close(cache->lock);
    cache->lock = -1;
    cache->db = NULL;
    cache->counts = (Counts){0};
    return true;
}

static bool name_files(Cache *cache, const char *folder, const char *build) {
    const size_t room = strlen(folder) + sizeof "/" DATABASE;
    cache->folder = strdup(folder);
    cache->build = strdup(build ? build : "");
    cache->path = malloc(room);
    if (cache->path) snprintf(cache->path, room, "%s/" DATABASE, folder);
    return cache->folder && cache->build && cache->path;
}

static Cache *open_in(const char *folder, const CacheOptions *options) {
    Cache *cache = calloc(1, sizeof *cache);
    if (!cache) return NULL;
    cache->lock = -1;
    pthread_mutex_init(&cache->mutex, NULL);
    cache->wait_ms = options->wait_ms ? options->wait_ms : WAIT_DEFAULT;
    cache->most_bytes = options->most_bytes ? options->most_bytes : bytes_default;
    if (!name_files(cache, folder, options->build)) return cache;
    open_files(cache);
    return cache;
}

Cache *cache_open(Diag *diag, const CacheOptions *options) {
    const char *folder = cache_folder(diag->arena, options->folder);
    Cache *cache = folder ? open_in(folder, options) : NULL;
    if (cache) tell(cache, diag); /* a new cache, where the old one was damaged */
    if (!cache || cache->db) return cache;
    cache_close(cache);
    return NULL;
}

void cache_close(Cache *cache) {
    if (!cache) return;
    leave_parent(cache);
    if (cache->db) counts_write(cache);
    close_database(cache);
    if (cache->lock >= 0) close(cache->lock);
    pthread_mutex_destroy(&cache->mutex);
    free(cache->folder), free(cache->path), free(cache->build);
    free(cache);
}

/* ---- turns ---------------------------------------------------------------------------------- */

static const char *trouble_text(int status) {
    switch (status & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "another process holds it";
    case SQLITE_FULL: return "there is no space left";
    case SQLITE_READONLY: return "it is read-only";
    default: return sqlite3_errstr(status);
    }
}

static bool lock_for_turn(Turn *turn) {
    Cache *cache = turn->cache;
    turn->has_lock = lock_take(cache, LOCK_SH);
    if (!turn->has_lock) turn->status = SQLITE_BUSY;
    if (!turn->has_lock || is_still_there(cache)) return turn->has_lock;
    SchemaState state; /* another process has replaced the file */
    close_database(cache);
    turn->status = open_database(cache, &state);
    return cache->db;
}

static void turn_run(void *of) {
    Turn *turn = of;
    Cache *cache = turn->cache;
    pthread_mutex_lock(&cache->mutex);
    turn->has_mutex = true;
    if (leave_parent(cache)) open_files(cache);
    if (!cache->db || (turn->writes && cache->is_read_only) || !lock_for_turn(turn)) {
        if (!turn->status) turn->status = SQLITE_READONLY;
        return;
    }
    if (turn->writes) turn->status = sqlite3_exec(cache->db, "BEGIN IMMEDIATE", 0, 0, 0);
    if (!turn->status) turn->body(turn, turn->of);
    if (!turn->status && turn->writes) turn->status = sqlite3_exec(cache->db, "COMMIT", 0, 0, 0);
}

static void end_queries(sqlite3 *db) {
    for (sqlite3_stmt *query; (query = sqlite3_next_stmt(db, NULL));) sqlite3_finalize(query);
    if (!sqlite3_get_autocommit(db)) sqlite3_exec(db, "ROLLBACK", 0, 0, 0);
}

/* Others that wait as long would make every turn slow: the next is not waited for. */
static void turn_end(void *of) {
    Turn *turn = of;
    Cache *cache = turn->cache;
    if (!turn->has_mutex) return;
    if (cache->db) end_queries(cache->db);
    if (turn->has_lock) lock_release(cache);
    if ((turn->status & 0xff) == SQLITE_BUSY && cache->db) sqlite3_busy_timeout(cache->db, 0);
    if (is_damage(turn->status)) {
        close_database(cache);
        mend(cache, true);
    }
    pthread_mutex_unlock(&cache->mutex);
}

bool turn_take(Cache *cache, Diag *diag, bool writes, void (*body)(Turn *turn, void *of),
               void *of) {
    Turn turn = {.cache = cache, .diag = diag, .writes = writes, .of = of, .body = body};
    if (!cache) return false;
    ensure(turn_run, turn_end, &turn);
    const bool expected = turn.status == SQLITE_READONLY && (cache->is_read_only || !cache->db);
    if (turn.status && !expected)
        cache_tell(cache, "the cache %s cannot be used: %s", cache->path,
                   trouble_text(turn.status));
    tell(cache, diag);
    return !turn.status;
}

static int bind(sqlite3_stmt *query, const char *types, va_list args) {
    int status = 0;
    for (int i = 1; *types && !status; types++, i++) {
        const void *bytes;
        switch (*types) {
        case 't': status = sqlite3_bind_text(query, i, va_arg(args, char *), -1, NULL); break;
        case 'i': status = sqlite3_bind_int64(query, i, va_arg(args, int64_t)); break;
        case 'd': status = sqlite3_bind_double(query, i, va_arg(args, double)); break;
        default:
            bytes = va_arg(args, const void *);
            status = sqlite3_bind_blob64(query, i, bytes, va_arg(args, size_t), NULL);
        }
    }
    return status;
}

static sqlite3_stmt *prepare(Turn *turn, const char *sql, const char *types, va_list args) {
    sqlite3_stmt *query = NULL;
    if (turn->status) return NULL;
    turn->status = sqlite3_prepare_v2(turn->cache->db, sql, -1, &query, NULL);
    if (!turn->status) turn->status = bind(query, types, args);
    return turn->status ? NULL : query;
}

sqlite3_stmt *turn_query(Turn *turn, const char *sql, const char *types, ...) {
    va_list args;
    va_start(args, types);
    sqlite3_stmt *query = prepare(turn, sql, types, args);
    va_end(args);
    return query;
}

bool turn_row(Turn *turn, sqlite3_stmt *query) {
    if (turn->status || !query) return false;
    const int status = sqlite3_step(query);
    if (status == SQLITE_ROW) return true;
    if (status != SQLITE_DONE) turn->status = status;
    return false;
}

void turn_do(Turn *turn, const char *sql, const char *types, ...) {
    va_list args;
    va_start(args, types);
    sqlite3_stmt *query = prepare(turn, sql, types, args);
    va_end(args);
    turn_row(turn, query);
    sqlite3_finalize(query);
}

const char *column_text(sqlite3_stmt *query, int column) {
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? text : "";
}
