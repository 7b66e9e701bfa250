/* cmd_cache_exchange.c: choices as JSON, from machine to machine; and choices made by hand.
 * In: the cache, or a file of any content. Out: a file; or choices in the cache that are marked as
 * imported. Code is never exchanged. */
#include "cli/cache_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FORMAT = 1, FILE_MOST = 64 << 20, FIELDS_MOST = 256 };

/* A choice with its key. */
typedef struct Choice {
    KeyFields key;
    CacheChoice choice;
} Choice;

typedef struct Choices {
    Choice *at;
    int count;
} Choices;

typedef Vec(Choice) ChoiceVec;

static Choices choices_of(Cache *cache, Session *s) {
    const CacheEntries all = cache_entries(cache, s->diag, s->arena);
    ChoiceVec choices = {0};
    for (int i = 0; i < all.count; i++)
        if (all.at[i].kind == CACHE_TUNING && all.at[i].has_choice)
            vec_push(s->arena, &choices, ((Choice){all.at[i].key, all.at[i].choice}));
    return (Choices){choices.at, choices.count};
}

/* ---- export --------------------------------------------------------------------------------- */

static json_t *choice_json(const Choice *c) {
    json_t *driver = c->choice.driver ? json_string(c->choice.driver) : json_null();
    return json_pack("{s:o, s:s, s:f, s:f, s:f, s:b, s:I, s:o}", "key", fields_json(&c->key),
                     "tile", c->choice.tile, "median_ns", c->choice.median_ns, "default_ns",
                     c->choice.default_ns, "roofline_ns", c->choice.roofline_ns, "pinned",
                     c->choice.is_pinned, "date", (json_int_t)c->choice.date, "driver", driver);
}

bool cache_export(CacheWork *w) {
    Session *s = w->s;
    const Choices choices = choices_of(w->cache, s);
    json_t *list = json_array();
    for (int i = 0; i < choices.count; i++)
        json_array_append_new(list, choice_json(&choices.at[i]));
    json_t *all = json_pack("{s:i, s:s, s:o}", "fusec-choices", FORMAT, "fusec", artifact_build(),
                            "choices", list);
    char *text = json_dumps(all, JSON_INDENT(1));
    json_decref(all);
    if (!text) leave_for_memory(__FILE__, __LINE__);
    arena_owns(s->arena, free, text);
    const char *line = arena_printf(s->arena, "%s\n", text);
    const bool is_file = s->options->output && strcmp(s->options->output, "-");
    if (!write_output(s, is_file ? s->options->output : "-", line, strlen(line))) return false;
    if (is_file) text_printf(&w->out, "%d choices written\n", choices.count);
    if (is_file && w->json)
        json_object_update_new(
            w->json, json_pack("{s:i, s:s}", "written", choices.count, "file", s->options->output));
    if (!is_file) { /* which is JSON in any case */
        json_decref(w->json);
        w->json = NULL;
    }
    return true;
}

/* ---- reading a file ------------------------------------------------------------------------- */

static bool wrong(Session *s, const char *path, const char *why) {
    diag_error(s->diag, NOWHERE, "%s: %s", path, why);
    return false;
}

static bool read_key(Session *s, const json_t *list, KeyFields *key) {
    const size_t count = json_array_size(list);
    if (!count || count > FIELDS_MOST) return false;
    KeyField *at = arena_array(s->arena, KeyField, count);
    for (size_t i = 0; i < count; i++) {
        const json_t *field = json_array_get(list, i);
        const char *name = json_string_value(json_array_get(field, 0));
        const char *value = json_string_value(json_array_get(field, 1));
        if (!name || !value || strpbrk(name, "=\n")) return false;
        at[i] = (KeyField){arena_strdup(s->arena, name), arena_strdup(s->arena, value)};
    }
    *key = (KeyFields){at, (int)count};
    return true;
}

static double number(const json_t *of, const char *name) {
    return json_number_value(json_object_get(of, name));
}

static bool read_choice(Session *s, const char *path, const json_t *from, Choice *c) {
    const char *tile = json_string_value(json_object_get(from, "tile"));
    const char *driver = json_string_value(json_object_get(from, "driver"));
    if (!tile || !*tile || !read_key(s, json_object_get(from, "key"), &c->key)) return false;
    c->choice = (CacheChoice){.tile = arena_strdup(s->arena, tile),
                              .median_ns = number(from, "median_ns"),
                              .default_ns = number(from, "default_ns"),
                              .roofline_ns = number(from, "roofline_ns"),
                              .is_pinned = json_is_true(json_object_get(from, "pinned")),
                              .is_imported = true,
                              .driver = driver ? arena_strdup(s->arena, driver) : NULL,
                              .date = json_integer_value(json_object_get(from, "date"))};
    TilePins pins = {0}; /* a text that --tile takes, or a partition, and nothing else */
    FusePin pin;
    const char *kernel = key_value(&c->key, "kernel");
    const bool is_text = kernel && !strcmp(kernel, PARTITION)
                             ? partition_parse(s->arena, c->choice.tile, &pin)
                             : tile_parse(s->diag, path, c->choice.tile, &pins);
    return c->choice.median_ns >= 0 && is_text;
}

static bool read_choices(Session *s, const char *path, const json_t *all, Choices *choices) {
    const json_t *list = json_object_get(all, "choices");
    const size_t count = json_array_size(list);
    if (json_integer_value(json_object_get(all, "fusec-choices")) != FORMAT)
        return wrong(s, path, "is no export of choices, or one of another version");
    choices->at = arena_array(s->arena, Choice, count + 1);
    for (size_t i = 0; i < count; i++)
        if (!read_choice(s, path, json_array_get(list, i), &choices->at[choices->count++]))
            return wrong(s, path,
                         arena_printf(s->arena, "choice number %zu is incomplete or wrong", i + 1));
    return true;
}

typedef struct Reading {
    Session *s;
    const char *path;
    char *bytes;
    json_t *all;
    Choices choices;
    bool done;
} Reading;

static void read_file(void *of) {
    Reading *r = of;
    json_error_t error;
    size_t size;
    r->bytes = file_read(r->s->diag, r->path, FILE_MOST, &size);
    if (!r->bytes) return;
    r->all = json_loadb(r->bytes, size, JSON_REJECT_DUPLICATES, &error);
    if (!r->all)
        wrong(r->s, r->path, arena_printf(r->s->arena, "line %d: %s", error.line, error.text));
    r->done = r->all && read_choices(r->s, r->path, r->all, &r->choices);
}

static void free_file(void *of) {
    Reading *r = of;
    json_decref(r->all);
    free(r->bytes);
}

static bool choices_read(Session *s, const char *path, Choices *choices) {
    Reading r = {.s = s, .path = path};
    ensure(read_file, free_file, &r);
    *choices = r.choices;
    return r.done;
}

/* ---- import --------------------------------------------------------------------------------- */

/* What is done with a choice, in words. */
static const char *decide(const CacheWork *w, const Choice *c, const CacheChoice *old) {
    const Merge merge = w->s->options->merge;
    if (!old) return "added";
    if (!strcmp(old->tile, c->choice.tile)) return "the same";
    if (old->is_pinned) return "kept: pinned";
    if (merge == MERGE_REPLACE) return "replaced";
    if (merge == MERGE_BEST && c->choice.median_ns < old->median_ns) return "replaced: faster";
    return "kept";
}

static const char *kernel_of(const KeyFields *key) {
    const char *kernel = key_value(key, "kernel"), *function = key_value(key, "function");
    return function ? function : kernel ? kernel : "?";
}

static bool changes(const char *decision) {
    return !strncmp(decision, "added", 5) || !strncmp(decision, "replaced", 8);
}

static bool import_one(CacheWork *w, const Choice *c, json_t *list) {
    Session *s = w->s;
    CacheChoice old;
    const bool has = w->cache && cache_choice_find(w->cache, s->diag, s->arena, &c->key, &old);
    const char *decision = decide(w, c, has ? &old : NULL);
    const bool writes = changes(decision) && !s->options->dry_run;
    const bool done = !writes || cache_choice_set(w->cache, s->diag, &c->key, &c->choice);
    if (!done) decision = "refused: banned here, or the cache cannot be written";
    text_printf(&w->out, "%-12s %s  %s\n", kernel_of(&c->key), c->choice.tile, decision);
    if (list)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "kernel", kernel_of(&c->key),
                                              "tile", c->choice.tile, "decision", decision));
    return changes(decision);
}

bool cache_import(CacheWork *w) {
    Choices choices = {0};
    if (!choices_read(w->s, w->words[0], &choices)) return false;
    json_t *list = w->json ? json_array() : NULL;
    int changed = 0;
    for (int i = 0; i < choices.count; i++) changed += import_one(w, &choices.at[i], list);
    text_printf(&w->out, "%d of %d choices %s; each is verified before its first use\n", changed,
                choices.count, w->s->options->dry_run ? "would be taken" : "taken");
    if (w->json)
        json_object_update_new(w->json, json_pack("{s:o, s:i, s:b}", "choices", list, "taken",
                                                  changed, "dry_run", w->s->options->dry_run));
    return true;
}

/* ---- diff ----------------------------------------------------------------------------------- */

/* Of an exported file, or of the folder of a cache. */
static bool choices_at(Session *s, const char *path, Choices *choices) {
    struct stat st;
    if (stat(path, &st) || !S_ISDIR(st.st_mode)) return choices_read(s, path, choices);
    Cache *cache = cache_is_there(s->arena, path)
                       ? cache_open(s->diag, &(CacheOptions){.folder = path})
                       : NULL;
    if (!cache) return wrong(s, path, "is no cache that can be used");
    *choices = choices_of(cache, s);
    cache_close(cache);
    return true;
}

static const Choice *find(const Choices *in, Arena *arena, const Choice *c) {
    const char *key = key_print(arena, &c->key);
    for (int i = 0; i < in->count; i++)
        if (!strcmp(key_print(arena, &in->at[i].key), key)) return &in->at[i];
    return NULL;
}

static void put_difference(CacheWork *w, json_t *list, const Choice *a, const Choice *b) {
    const Choice *c = a ? a : b;
    const char *before = a ? a->choice.tile : "none", *after = b ? b->choice.tile : "none";
    text_printf(&w->out, "%-12s %s -> %s", kernel_of(&c->key), before, after);
    if (a && b && b->choice.median_ns > 0)
        text_printf(&w->out, ", %s -> %s", time_text(w->s->arena, a->choice.median_ns),
                    time_text(w->s->arena, b->choice.median_ns));
    text_str(&w->out, "\n");
    if (list)
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "key", fields_json(&c->key), "a",
                                              a ? json_string(before) : json_null(), "b",
                                              b ? json_string(after) : json_null()));
}

bool cache_compare(CacheWork *w) {
    Arena *arena = w->s->arena;
    Choices a = {0}, b = {0};
    if (!choices_at(w->s, w->words[0], &a) || !choices_at(w->s, w->words[1], &b)) return false;
    json_t *list = w->json ? json_array() : NULL;
    for (int i = 0; i < a.count; i++) {
        const Choice *other = find(&b, arena, &a.at[i]);
        if (!other || strcmp(other->choice.tile, a.at[i].choice.tile))
            put_difference(w, list, &a.at[i], other);
    }
    for (int i = 0; i < b.count; i++)
        if (!find(&a, arena, &b.at[i])) put_difference(w, list, NULL, &b.at[i]);
    if (!w->out.size) text_str(&w->out, "no choice differs\n");
    if (w->json) json_object_set_new(w->json, "differences", list);
    return true;
}

/* ---- by hand -------------------------------------------------------------------------------- */

static bool told(CacheWork *w, bool done, const char *name, const char *what) {
    if (!done) {
        diag_refuse(w->s->diag, "the cache %s cannot be written, or the tile is banned", w->folder);
        return false;
    }
    text_printf(&w->out, "%s: %s\n", name, what);
    if (w->json) json_object_update_new(w->json, json_pack("{s:s, s:s}", "key", name, "now", what));
    return true;
}

/* The trial of a tile; NULL: it was never tried. */
static const CacheTrial *trial_of(CacheWork *w, const CacheEntry *e, const char *tile) {
    const CacheTrials trials = cache_trials(w->cache, w->s->diag, w->s->arena, &e->key);
    for (int i = 0; i < trials.count; i++)
        if (!strcmp(trials.at[i].tile, tile)) return &trials.at[i];
    return NULL;
}

/* The choice as it is, or with another tile. False after a diag_error. */
static bool choose(CacheWork *w, const CacheEntry *e, const char *tile, CacheChoice *choice) {
    *choice = e->choice;
    choice->is_pinned = true;
    if (e->has_choice && (!tile || !strcmp(tile, choice->tile))) return true;
    const CacheTrial *trial = tile ? trial_of(w, e, tile) : NULL;
    if (!trial || trial->outcome != OUTCOME_OK) {
        diag_error(
            w->s->diag, NOWHERE,
            tile ? "%s was not tried with that tile, or it failed: `fusec cache show` lists all"
                 : "%s has no choice: name the tile to pin",
            e->name);
        return false;
    }
    choice->tile = tile;
    choice->median_ns = trial->median_ns;
    choice->is_imported = false;
    choice->date = 0;
    return true;
}

/* --off: it may change again. */
bool cache_pin(CacheWork *w) {
    const CacheEntry *e = entry_find(w, w->words[0], CACHE_TUNING, false);
    const bool off = w->s->options->off;
    CacheChoice choice;
    if (!e) return false;
    if (off && !e->has_choice) {
        diag_error(w->s->diag, NOWHERE, "%s has no choice", e->name);
        return false;
    }
    if (off)
        return told(w, cache_unpin(w->cache, w->s->diag, &e->key), e->name, "no longer pinned");
    if (!choose(w, e, w->count > 1 ? w->words[1] : NULL, &choice)) return false;
    return told(w, cache_choice_set(w->cache, w->s->diag, &e->key, &choice), e->name,
                arena_printf(w->s->arena, "%s is pinned", choice.tile));
}

bool cache_forbid(CacheWork *w) {
    const CacheEntry *e = entry_find(w, w->words[0], CACHE_TUNING, false);
    const char *tile = w->words[1], *reason = w->s->options->reason;
    const bool off = w->s->options->off;
    TilePins pins = {0};
    if (!e || !tile_parse(w->s->diag, "fusec cache ban", tile, &pins)) return false;
    if (!off && !reason) {
        diag_error(w->s->diag, NOWHERE, "a ban needs a reason: --reason \"wrong for M = 1\"");
        return is_misuse(w->s);
    }
    const bool done = cache_ban(w->cache, w->s->diag, &e->key, tile, off ? NULL : reason);
    return told(w, done, e->name,
                arena_printf(w->s->arena, "%s is %s", tile, off ? "allowed" : "banned"));
}
