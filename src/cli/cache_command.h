/* cache_command.h: fusec cache: shared by its files. */
#ifndef FUSEC_CACHE_COMMAND_H
#define FUSEC_CACHE_COMMAND_H

#include "cli/command.h"

#include <jansson.h>

/* One run of `fusec cache WORD ..`. */
typedef struct CacheWork {
    Session *s;
    Cache *cache; /* NULL: off, or not usable */
    const char *folder;
    const char *const *words; /* what follows the word */
    int count;
    Text out;
    json_t *json; /* what is printed with --json; NULL: the text is */
} CacheWork;

/* ---- cmd_cache.c ---- */

/* The entry of that name, or of a name that begins so. NULL after a diag_error. */
const CacheEntry *entry_find(CacheWork *w, const char *name, CacheKind kind, bool any_kind);
/* Is there a cache to read, or one that may be made? False after a refusal. */
bool cache_found(CacheWork *w, bool makes);
json_t *fields_json(const KeyFields *fields);
const char *date_text(Arena *arena, int64_t date); /* "2026-11-22 13:50" */
const char *time_text(Arena *arena, double ns);    /* "12.3 us" */

/* ---- cmd_cache_*.c: false: something is wrong, after a diagnostic ---- */

bool cache_list(CacheWork *w);
bool cache_show(CacheWork *w);
bool cache_explain(CacheWork *w); /* why */
bool cache_verify(CacheWork *w);
bool cache_export(CacheWork *w);
bool cache_import(CacheWork *w);
bool cache_compare(CacheWork *w); /* diff */
bool cache_pin(CacheWork *w);
bool cache_forbid(CacheWork *w); /* ban */

#endif
