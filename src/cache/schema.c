/* schema.c: the tables of the database.
 * In: a database of any content. Out: one with exactly these tables, or what it is instead. */
#include "cache/cache_private.h"

#include <stdio.h>
#include <string.h>

/* As they are created, and as sqlite_schema must have them: anything else in it, such as a trigger,
 * is not ours. checksum: of all other columns that a decision rests on. */
static const char *const tables[] = {
    "CREATE TABLE binary(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, key TEXT NOT NULL, "
    "about TEXT NOT NULL, model TEXT, function TEXT, size INTEGER NOT NULL, seconds REAL NOT NULL, "
    "created INTEGER NOT NULL, used INTEGER NOT NULL, checksum BLOB NOT NULL, code BLOB NOT NULL)",
    "CREATE INDEX binary_hash ON binary(hash)",
    "CREATE INDEX binary_used ON binary(used)",
    "CREATE TABLE tuning(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, key TEXT NOT NULL, "
    "about TEXT, model TEXT, function TEXT, tile TEXT, median REAL, standard REAL, roofline REAL, "
    "pinned INTEGER, imported INTEGER, driver TEXT, date INTEGER NOT NULL, used INTEGER NOT NULL, "
    "checksum BLOB)",
    "CREATE INDEX tuning_hash ON tuning(hash)",
    "CREATE TABLE trial(id INTEGER PRIMARY KEY, tuning INTEGER NOT NULL REFERENCES tuning(id) "
    "ON DELETE CASCADE, tile TEXT NOT NULL, outcome TEXT NOT NULL, median REAL, spread REAL, "
    "rounds INTEGER, registers INTEGER, spills INTEGER, shared INTEGER, error REAL, note TEXT, "
    "date INTEGER NOT NULL, ban TEXT, checksum BLOB NOT NULL, UNIQUE(tuning, tile))",
    ("CREATE TABLE note(name TEXT PRIMARY KEY, text TEXT NOT NULL, checksum BLOB NOT NULL) "
     "WITHOUT ROWID"), /* clang takes two literals at the end of a list for a lost comma */
};
enum { TABLES = sizeof tables / sizeof *tables };

static int read_number(sqlite3 *db, const char *sql, int64_t *number) {
    sqlite3_stmt *query;
    int status = sqlite3_prepare_v2(db, sql, -1, &query, NULL);
    if (status) return status;
    status = sqlite3_step(query);
    *number = status == SQLITE_ROW ? sqlite3_column_int64(query, 0) : 0;
    sqlite3_finalize(query);
    return status == SQLITE_ROW || status == SQLITE_DONE ? 0 : status;
}

static bool is_ours(const char *sql) {
    for (int i = 0; i < TABLES; i++)
        if (!strcmp(tables[i], sql)) return true;
    return false;
}

/* All of ours and no other. */
static int compare(sqlite3 *db, bool *same) {
    sqlite3_stmt *query;
    int status = sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE sql NOT NULL", -1,
                                    &query, NULL);
    int found = 0;
    *same = true;
    if (status) return status;
    while ((status = sqlite3_step(query)) == SQLITE_ROW) {
        const char *sql = (const char *)sqlite3_column_text(query, 0);
        *same = *same && sql && is_ours(sql);
        found++;
    }
    *same = *same && found == TABLES;
    sqlite3_finalize(query);
    return status == SQLITE_DONE ? 0 : status;
}

static int create(sqlite3 *db) {
    char pragmas[96];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION, VERSION);
    int status = 0;
    for (int i = 0; i < TABLES && !status; i++) status = sqlite3_exec(db, tables[i], 0, 0, 0);
    return status ? status : sqlite3_exec(db, pragmas, 0, 0, 0);
}

/* Another process may do the same at the same time: the one that waits finds the tables. */
static int create_once(sqlite3 *db) {
    int64_t entries = 0;
    int status = sqlite3_exec(db, "PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE", 0, 0, 0);
    if (status) return status;
    status = read_number(db, "SELECT count(*) FROM sqlite_schema", &entries);
    if (!status && !entries) status = create(db);
    if (!status) status = sqlite3_exec(db, "COMMIT", 0, 0, 0);
    if (status) sqlite3_exec(db, "ROLLBACK", 0, 0, 0);
    return status;
}

int schema_open(sqlite3 *db, SchemaState *state) {
    int64_t entries = 0, application = 0, version = 0;
    bool same = false;
    *state = SCHEMA_OK;
    int status = read_number(db, "SELECT count(*) FROM sqlite_schema", &entries);
    if (!status && !entries) status = create_once(db);
    if (!status) status = read_number(db, "PRAGMA application_id", &application);
    if (!status) status = read_number(db, "PRAGMA user_version", &version);
    if (status) return status;
    if (application != APPLICATION)
        *state = SCHEMA_FOREIGN;
    else if (version != VERSION)
        *state = version < VERSION ? SCHEMA_OLDER : SCHEMA_NEWER;
    if (*state) return 0;
    status = compare(db, &same);
    if (!status && !same) *state = SCHEMA_DAMAGED;
    return status;
}
