/* cmd_cache.c: fusec cache: looks at the cache and looks after it.
 * In: a word that says what to do, and its arguments. Out: text, or JSON with --json. */
#include "cli/cache_command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- texts ---------------------------------------------------------------------------------- */

const char *date_text(Arena *arena, int64_t date) {
    char text[32];
    struct tm tm;
    const time_t time = (time_t)date;
    if (!localtime_r(&time, &tm) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm)) return "?";
    return arena_strdup(arena, text);
}

const char *time_text(Arena *arena, double ns) {
    if (ns < 1e3) return arena_printf(arena, "%.0f ns", ns);
    return ns < 1e6 ? arena_printf(arena, "%.2f us", 1e-3 * ns)
                    : arena_printf(arena, "%.3f ms", 1e-6 * ns);
}

json_t *fields_json(const KeyFields *fields) {
    json_t *all = json_array();
    for (int i = 0; i < fields->count; i++)
        json_array_append_new(all, json_pack("[s, s]", fields->at[i].name, fields->at[i].value));
    return all;
}

const CacheEntry *entry_find(CacheWork *w, const char *name, CacheKind kind, bool any_kind) {
    const CacheEntries all = cache_entries(w->cache, w->s->diag, w->s->arena);
    const CacheEntry *found = NULL;
    int matches = 0;
    for (int i = 0; i < all.count; i++) {
        const CacheEntry *e = &all.at[i];
        if (strncmp(e->name, name, strlen(name)) || (!any_kind && e->kind != kind)) continue;
        found = e;
        matches++;
    }
    if (matches == 1) return found;
    diag_error(w->s->diag, NOWHERE,
               matches ? "several entries of the cache begin with '%s'"
                       : "there is no entry '%s' in the cache: `fusec cache ls` names all",
               name);
    return NULL;
}

/* ---- short ones ----------------------------------------------------------------------------- */

static bool put_path(CacheWork *w) {
    if (w->json)
        json_object_set_new(w->json, "path", w->folder ? json_string(w->folder) : json_null());
    text_printf(&w->out, "%s\n", w->folder ? w->folder : "off");
    return true;
}

static json_t *reasons_json(const CacheStatistics *t) {
    json_t *reasons = json_object();
    for (int i = 0; i < CACHE_REASONS_MOST && *t->reason[i].field; i++)
        json_object_set_new(reasons, t->reason[i].field, json_integer(t->reason[i].count));
    return reasons;
}

static void put_statistics(CacheWork *w, const CacheStatistics *t, const CacheEntries *all,
                           int64_t bytes) {
    int codes = 0, tunings = 0;
    for (int i = 0; i < all->count; i++) all->at[i].kind == CACHE_CODE ? codes++ : tunings++;
    text_printf(&w->out, "folder     %s, %s\n", w->folder, bytes_text(w->s->arena, bytes));
    text_printf(&w->out, "entries    %d of code, %d of tuning\n", codes, tunings);
    text_printf(&w->out,
                "starts     %" PRId64 ": %" PRId64 " times code was found, %" PRId64 " times not\n",
                t->starts, t->hits, t->misses);
    for (int i = 0; i < CACHE_REASONS_MOST && *t->reason[i].field; i++)
        text_printf(&w->out, "  not      %" PRId64 " times: %s\n", t->reason[i].count,
                    !strcmp(t->reason[i].field, "new") ? "nothing was there of that function"
                                                       : t->reason[i].field);
    text_printf(&w->out, "saved      %.1f s of compilers\n", t->saved);
    if (t->damaged) text_printf(&w->out, "damaged    %" PRId64 " entries\n", t->damaged);
    if (!w->json) return;
    json_object_update_new(
        w->json, json_pack("{s:s, s:I, s:i, s:i, s:I, s:I, s:I, s:I, s:f, s:o}", "path", w->folder,
                           "bytes", (json_int_t)bytes, "codes", codes, "tunings", tunings, "starts",
                           (json_int_t)t->starts, "hits", (json_int_t)t->hits, "misses",
                           (json_int_t)t->misses, "damaged", (json_int_t)t->damaged,
                           "saved_seconds", t->saved, "reasons", reasons_json(t)));
}

static bool put_stats(CacheWork *w) {
    CacheStatistics statistics;
    cache_statistics(w->cache, &statistics);
    const CacheEntries all = cache_entries(w->cache, w->s->diag, w->s->arena);
    put_statistics(w, &statistics, &all, cache_bytes(w->cache, w->s->diag));
    return true;
}

static bool collect(CacheWork *w) {
    const int64_t before = cache_bytes(w->cache, w->s->diag), most = w->s->options->most_bytes;
    int files;
    if (!cache_collect(w->cache, w->s->diag, most ? most : (int64_t)1 << 30, &files)) {
        diag_refuse(w->s->diag, "the cache %s cannot be written", w->folder);
        return false;
    }
    const int64_t after = cache_bytes(w->cache, w->s->diag);
    text_printf(&w->out, "%s -> %s", bytes_text(w->s->arena, before),
                bytes_text(w->s->arena, after));
    text_printf(&w->out, ", %d damaged files removed\n", files);
    if (w->json)
        json_object_update_new(w->json, json_pack("{s:I, s:I, s:i}", "before", (json_int_t)before,
                                                  "after", (json_int_t)after, "files", files));
    return true;
}

static bool clear(CacheWork *w) {
    int files;
    cache_close(w->cache);
    w->cache = NULL;
    if (!cache_clear(w->s->diag, w->folder, &files)) return false;
    text_printf(&w->out, "%s: %d files removed\n", w->folder, files);
    if (w->json)
        json_object_update_new(w->json, json_pack("{s:s, s:i}", "path", w->folder, "files", files));
    return true;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool (*const actions[WORDS_COUNT])(CacheWork *w) = {
    [WORD_LS] = cache_list,       [WORD_SHOW] = cache_show,     [WORD_WHY] = cache_explain,
    [WORD_STATS] = put_stats,     [WORD_VERIFY] = cache_verify, [WORD_EXPORT] = cache_export,
    [WORD_IMPORT] = cache_import, [WORD_DIFF] = cache_compare,  [WORD_PIN] = cache_pin,
    [WORD_BAN] = cache_forbid,    [WORD_GC] = collect,          [WORD_CLEAR] = clear,
    [WORD_PATH] = put_path};

static int unknown_word(Session *s, const char *word) {
    const char *words[WORDS_COUNT];
    for (int i = 0; i < WORDS_COUNT; i++) words[i] = cache_word_rows[i].word;
    diag_error(s->diag, NOWHERE, "fusec cache does not know '%s': see fusec cache --help", word);
    suggest(s->diag, word, words, WORDS_COUNT);
    return -1;
}

/* "pin or ban" */
static const char *words_text(Arena *arena, unsigned words) {
    Text out = text_new(arena);
    for (int i = 0; i < WORDS_COUNT; i++)
        if (words & 1u << i)
            text_printf(&out, "%s%s", out.size ? " or " : "", cache_word_rows[i].word);
    return text_get(&out);
}

/* Are the options such that the word takes? One that it ignored might change what is removed. */
static bool options_suit(Session *s, int word) {
    const GivenVec *given = &s->options->given;
    for (int i = 0; i < given->count; i++) {
        const unsigned words = given->at[i].row->commands >> CACHE_WORD_BIT;
        if (!words || words & 1u << word) continue;
        diag_error(s->diag, NOWHERE, "%s is for fusec cache %s, not for %s", given->at[i].row->name,
                   words_text(s->arena, words), cache_word_rows[word].word);
        return false;
    }
    return true;
}

/* Its CacheWordId; -1 after a diag_error. */
static int find_action(Session *s) {
    const char *word = s->options->files.at[0];
    const int count = s->options->files.count - 1;
    for (int i = 0; i < WORDS_COUNT; i++) {
        const CacheWordRow *row = &cache_word_rows[i];
        if (strcmp(row->word, word)) continue;
        if (count >= row->least && count <= row->most) return options_suit(s, i) ? i : -1;
        diag_error(s->diag, NOWHERE, "usage: fusec cache %s%s%s", word, *row->arguments ? " " : "",
                   row->arguments);
        return -1;
    }
    return unknown_word(s, word);
}

static void print(CacheWork *w) {
    char *text = w->json ? json_dumps(w->json, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    if (text) arena_owns(w->s->arena, free, text);
    if (text)
        write_output(w->s, "-", arena_printf(w->s->arena, "%s\n", text), strlen(text) + 1);
    else if (w->out.size)
        write_output(w->s, "-", w->out.data, w->out.size);
}

typedef struct Run {
    CacheWork w;
    int action;
} Run;

bool cache_found(CacheWork *w, bool makes) {
    if (!w->folder)
        diag_refuse(w->s->diag, "there is no cache: it is off");
    else if (!makes && !cache_is_there(w->s->arena, w->folder))
        diag_refuse(w->s->diag, "there is no cache in %s", w->folder);
    else
        return true;
    return false;
}

static bool open_cache(CacheWork *w, bool makes) {
    const CacheOptions options = {.folder = w->s->options->cache, .build = artifact_build()};
    if (!cache_found(w, makes)) return false;
    w->cache = cache_open(w->s->diag, &options);
    if (!w->cache) diag_refuse(w->s->diag, "there is no cache to work on");
    return w->cache;
}

/* With --dry-run, a cache that is not there is not made: it would be empty. */
static bool is_rehearsed(const CacheWork *w, const CacheWordRow *row) {
    return row->makes && w->s->options->dry_run && w->folder &&
           !cache_is_there(w->s->arena, w->folder);
}

static void run(void *of) {
    Run *r = of;
    CacheWork *w = &r->w;
    const CacheWordRow *row = &cache_word_rows[r->action];
    if (!row->without && !is_rehearsed(w, row) && !open_cache(w, row->makes)) return;
    actions[r->action](w);
    print(w);
}

static void end(void *of) {
    Run *r = of;
    cache_close(r->w.cache);
    json_decref(r->w.json);
}

Status cmd_cache(Session *s) {
    Run r = {.action = find_action(s)};
    const Options *o = s->options;
    if (r.action < 0) return STATUS_USAGE;
    r.w = (CacheWork){.s = s,
                      .folder = cache_folder(s->arena, o->cache),
                      .words = o->files.at + 1,
                      .count = o->files.count - 1,
                      .out = text_new(s->arena),
                      .json = o->json ? json_object() : NULL};
    ensure(run, end, &r);
    return exit_status(s);
}
