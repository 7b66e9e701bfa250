/* cache_private.h: the database, shared by the files of this folder. */
#ifndef FUSEC_CACHE_PRIVATE_H
#define FUSEC_CACHE_PRIVATE_H

#include "cache/cache.h"

#include <pthread.h>
#include <sqlite3.h>
#include <sys/types.h>

#define DATABASE "fusec.db"

enum {
    APPLICATION = 0x46757363, /* "Fusc": the application_id of the database */
    VERSION = 3,              /* its user_version: of the tables */
    CHECKSUM_SIZE = 16,
    REASON_SIZE = 24, /* names of key fields */
    REASONS_MOST = 8
};

/* What this process did, for the statistics. */
typedef struct Counts {
    int64_t hits, misses, damaged;
    double saved; /* seconds of compilers */
    struct {
        char field[REASON_SIZE]; /* by which the nearest entry differed; "new": there was none */
        int64_t count;
    } reason[REASONS_MOST];
} Counts;

struct Cache {
    CodeStore store;       /* first: its functions are given &store */
    pthread_mutex_t mutex; /* of all below */
    char *folder, *path, *build;
    pid_t process; /* that the next two are of */
    int lock;      /* of the folder; -1: it has none */
    sqlite3 *db;   /* NULL: off */
    dev_t device;  /* of the database's file, which another process may replace */
    ino_t inode;
    bool is_read_only, has_told;
    char words[512]; /* to be told; "": nothing */
    int wait_ms;
    int64_t most_bytes;
    Counts counts;
};

/* ---- place.c ---- */

/* Makes and checks the folder, and opens its lock. NULL, or why it must not be used. */
const char *place_open(char *folder, int *lock);

/* ---- schema.c ---- */

typedef enum SchemaState {
    SCHEMA_OK,
    SCHEMA_FOREIGN,
    SCHEMA_OLDER,
    SCHEMA_NEWER,
    SCHEMA_DAMAGED
} SchemaState;

/* Makes the tables in an empty database. An error of SQLite, or 0 with what was found. */
int schema_open(sqlite3 *db, SchemaState *state);

/* ---- store.c: one process's turn at the database ---- */

/* While it lasts the thread has the cache, and the process a lock. It ends also when the work is
 * left for want of memory. */
typedef struct Turn {
    Cache *cache;
    Diag *diag;
    bool writes; /* a transaction, all or nothing */
    int status;  /* SQLite's; after an error nothing more is done */
    void *of;
    void (*body)(struct Turn *turn, void *of);
    bool has_mutex, has_lock;
} Turn;

/* False when it could not be done; the first time with a remark. */
bool turn_take(Cache *cache, Diag *diag, bool writes, void (*body)(Turn *turn, void *of), void *of);
/* types: t text (NULL is fine), i int64_t, d double, b bytes and size_t. NULL after an error. Ends
 * with the turn. */
sqlite3_stmt *turn_query(Turn *turn, const char *sql, const char *types, ...);
bool turn_row(Turn *turn, sqlite3_stmt *query);                    /* is there another row? */
void turn_do(Turn *turn, const char *sql, const char *types, ...); /* of no rows */
const char *column_text(sqlite3_stmt *query, int column);          /* never NULL */
int64_t date_now(void);
/* What went wrong is told at the end of the turn, once for a cache: memory may run out in it. */
void cache_tell(Cache *cache, const char *format, ...) PRINTF_LIKE(2, 3);

/* ---- key.c ---- */

int64_t key_hash(const char *text);
typedef struct Checksum {
    unsigned char bytes[CHECKSUM_SIZE];
} Checksum;
/* Of all parts, each with its size. */
Checksum checksum_of(const FilePart *parts, size_t count);
/* Is it what the column says? */
bool checksum_is(const Checksum *checksum, sqlite3_stmt *query, int column);

/* ---- bound.c ---- */

/* Drops what was not used for longest until the database is within its size. */
void bound_keep(Turn *turn);

/* ---- nearest.c ---- */

/* Of the entries of the same model or function, the one that differs from a key in the fewest
 * fields. */
typedef struct Nearest {
    CacheKind kind;
    const char *key, *about; /* looked for, as key_print makes them */
    const char *model, *function;
    CacheDifference difference; /* set */
} Nearest;

void nearest_find(Turn *turn, Nearest *nearest);

/* ---- binary.c ---- */

const char *about_print(const Cache *cache, Arena *arena, const KeyFields *about);
/* Of the bytes of a row. */
Checksum code_checksum(const char *key, const void *code, size_t size);

/* ---- tuning.c ---- */

/* Of the row of a query of CHOICE_COLUMNS. False: it has none, or a damaged one. */
#define CHOICE_COLUMNS "tile, median, standard, roofline, pinned, imported, driver, date, checksum"
bool choice_read(Arena *arena, const char *key, sqlite3_stmt *query, int first,
                 CacheChoice *choice);
/* Of the row of a query of TRIAL_COLUMNS. False: it is damaged. */
#define TRIAL_COLUMNS                                                                              \
    "tile, outcome, median, spread, rounds, registers, spills, shared, error, note, date, ban, "   \
    "checksum"
bool trial_read(Arena *arena, const char *key, sqlite3_stmt *query, int first, CacheTrial *trial);

/* ---- statistics.c ---- */

void counts_miss(Counts *counts, const char *field);
void counts_write(const Cache *cache); /* nothing, where nothing can be written */

#endif
