/* cache.h: what outlives a process: compiled code, and what was learned of tiles. A SQLite database
 * in a folder of the user's.
 *
 *     folder/fusec.db     binary   key -> machine code
 *                         tuning   key -> choice      trial   of a tuning: tile -> evidence
 *                         note     name -> text       (the version of a compiler, by its file)
 *     folder/lock         held shared while the database is used, exclusively to replace it
 *     folder/statistics   a line for each process that used it
 *
 * Errors     A cache never makes a run fail: what goes wrong is one diag_remark, and then nothing
 *            is found and nothing is kept. NULL is a cache that is off, for every function here.
 * Threads    Any thread may use a cache; any number of processes may share a folder. */
#ifndef FUSEC_CACHE_H
#define FUSEC_CACHE_H

#include "runtime/runtime.h"

typedef struct Cache Cache;

/* ---- place.c ------------------------------------------------------------------------------ */

/* Of the given folder (NULL: $FUSEC_CACHE_DIR, else $XDG_CACHE_HOME/fusec, else ~/.cache/fusec);
 * NULL for "off", and where there is none of these. */
const char *cache_folder(Arena *arena, const char *given);
/* Has a cache been made there? cache_open makes one. */
bool cache_is_there(Arena *arena, const char *folder);

/* ---- store.c: opening and closing ----------------------------------------------------------- */

/* All zero is the default. */
typedef struct CacheOptions {
    const char *folder; /* see cache_folder */
    const char *build;  /* of fusec, for the description of entries; NULL: not told */
    int64_t most_bytes; /* of the database; 0: 1 GiB */
    int wait_ms;        /* for other processes; 0: 2000 */
} CacheOptions;

/* NULL when it is off or cannot be used, the latter with a remark. */
Cache *cache_open(Diag *diag, const CacheOptions *options);
void cache_close(Cache *cache);

/* ---- key.c ---------------------------------------------------------------------------------- */

/* "name=value" lines; a newline or backslash in a value is escaped. */
const char *key_print(Arena *arena, const KeyFields *key);
/* The fields of such a text. */
KeyFields key_parse(Arena *arena, const char *text);
const char *key_value(const KeyFields *key, const char *name); /* NULL: it has none */

/* ---- binary.c: compiled code ---------------------------------------------------------------- */

/* For Device.store: the cache's, valid as long as it. NULL for NULL. */
CodeStore *cache_code_store(Cache *cache);

/* ---- tuning.c: what was measured, and what was chosen --------------------------------------- */

typedef enum CacheOutcome {
    OUTCOME_OK,
    OUTCOME_COMPILE,  /* the compiler refused it */
    OUTCOME_RESOURCE, /* registers, shared memory */
    OUTCOME_RUNTIME,  /* an error of the device that it survived */
    OUTCOME_STICKY,   /* one that it did not */
    OUTCOME_TIMEOUT,
    OUTCOME_INCORRECT, /* against the evaluator */
    OUTCOME_COUNT
} CacheOutcome;

const char *outcome_name(CacheOutcome outcome);
CacheOutcome outcome_parse(const char *name); /* OUTCOME_COUNT: there is none of that name */

typedef struct CacheTrial {
    const char *tile; /* as --tile takes it */
    CacheOutcome outcome;
    double median_ns, spread; /* spread: of the middle half, relative to the median */
    int rounds;
    int registers, spills; /* of a thread; -1: not known */
    int64_t shared_bytes;  /* the same */
    double error;          /* against the evaluator, relative to what is allowed; -1: not checked */
    const char *note;      /* what the compiler or the device said; NULL: nothing */
    int64_t date;          /* seconds since 1970; 0 when added: now */
    const char *ban; /* why it must not be chosen; NULL: it may. Read only: cache_ban sets it */
    const KeyFields *about; /* Program.about: only written, no part of the key; NULL: not known */
} CacheTrial;

typedef struct CacheChoice {
    const char *tile;
    double median_ns, default_ns;
    double roofline_ns;     /* the least that the machine could take; 0: not known */
    bool is_pinned;         /* no later choice replaces it */
    bool is_imported;       /* from another machine's export, and not verified here */
    const char *driver;     /* recorded, no part of the key; NULL: not known */
    int64_t date;           /* as above */
    const KeyFields *about; /* as above */
} CacheChoice;

typedef struct CacheTrials {
    CacheTrial *at;
    int count;
} CacheTrials;

/* The choice for a key, in the arena. False: there is none. */
bool cache_choice_find(Cache *cache, Diag *diag, Arena *arena, const KeyFields *key,
                       CacheChoice *choice);
/* Replaces the choice; false when it was not written. A pinned one stays (true) unless the new one
 * is pinned, or it was imported. A banned tile is not chosen (false). */
bool cache_choice_set(Cache *cache, Diag *diag, const KeyFields *key, const CacheChoice *choice);
/* A later choice may replace it again. */
bool cache_unpin(Cache *cache, Diag *diag, const KeyFields *key);
/* Durable on return: a process that is killed loses none that it has added. Replaces an earlier
 * trial of the same tile. */
bool cache_trial_add(Cache *cache, Diag *diag, const KeyFields *key, const CacheTrial *trial);
/* Does the tile have all of these values? */
bool cache_tile_has(const char *tile, const char *values);
/* All trials of a key, in the order in which they were added. */
CacheTrials cache_trials(Cache *cache, Diag *diag, Arena *arena, const KeyFields *key);
/* Bans a tile, also one that was never tried, and all that have its values, "m=128,n=256"; reason
 * NULL allows it again. A choice of it is gone. */
bool cache_ban(Cache *cache, Diag *diag, const KeyFields *key, const char *tile,
               const char *reason);

/* ---- entries.c: all that is there, for people ----------------------------------------------- */

typedef enum CacheKind { CACHE_CODE, CACHE_TUNING } CacheKind;

typedef struct CacheEntry {
    CacheKind kind;
    const char *name; /* "c9f03a1c2", "t..": from its key, for commands */
    KeyFields key;    /* of code: without the source */
    KeyFields about;  /* the model, its dims, options, fusec; of what was imported: nothing */
    int64_t size;     /* of code */
    double seconds;   /* the same: that its compiler took */
    int64_t date, used;
    bool has_choice; /* of a tuning */
    CacheChoice choice;
    int trials, failures;
} CacheEntry;

typedef struct CacheEntries {
    CacheEntry *at;
    int count;
} CacheEntries;

/* The last used first. */
CacheEntries cache_entries(Cache *cache, Diag *diag, Arena *arena);
/* The whole key of code, with the source, and its bytes, to be freed. False: it is gone, or
 * damaged. */
bool cache_code(Cache *cache, Diag *diag, Arena *arena, const CacheEntry *entry, KeyFields *key,
                void **bytes, size_t *size);
/* A field of its key or its description; NULL: it has none of that name. */
const char *entry_value(const CacheEntry *entry, const char *name);
/* Removes one. */
bool cache_drop(Cache *cache, Diag *diag, const CacheEntry *entry);

/* ---- nearest.c: why was it not found? ------------------------------------------------------- */

typedef struct CacheDifference {
    bool is_found;     /* there is an entry of that key; no field differs */
    const char *field; /* the first that differs from the nearest entry; "new": there is none */
    const char *wanted, *found; /* its values; NULL: none */
    int count;                  /* of fields that differ */
} CacheDifference;

/* Of code, or of a choice. False when the cache cannot be read. */
bool cache_why(Cache *cache, Diag *diag, Arena *arena, CacheKind kind, const KeyFields *key,
               const KeyFields *about, CacheDifference *difference);

/* ---- statistics.c --------------------------------------------------------------------------- */

enum { CACHE_REASONS_MOST = 32 };

typedef struct CacheStatistics {
    int64_t starts, hits, misses, damaged; /* of all processes so far */
    double saved;                          /* seconds of compilers */
    struct {
        char field[24]; /* by which the nearest entry differed; "new": there was none */
        int64_t count;
    } reason[CACHE_REASONS_MOST];
} CacheStatistics;

void cache_statistics(const Cache *cache, CacheStatistics *statistics);

/* ---- care.c --------------------------------------------------------------------------------- */

typedef struct CacheCheck {
    int64_t entries, damaged; /* damaged ones were removed */
    const char *file;         /* what SQLite says of the file; "ok" */
} CacheCheck;

/* Every checksum, and the structure of the file. False when it cannot be read. */
bool cache_check(Cache *cache, Diag *diag, Arena *arena, CacheCheck *check);
/* Shrinks the database to so many bytes, and removes damaged files that were set aside. */
bool cache_collect(Cache *cache, Diag *diag, int64_t most_bytes, int *files);
int64_t cache_bytes(Cache *cache, Diag *diag); /* that the database takes */
/* Removes everything in the folder of a cache, also of one that cannot be opened. False after a
 * diagnostic. */
bool cache_clear(Diag *diag, const char *folder, int *files);

#endif
