/* cmd_cache_list.c: fusec cache ls: the entries, one a line.
 * In: filters. Out: a table, or JSON. */
#include "cli/cache_command.h"

#include <stdlib.h>
#include <string.h>

/* ---- which ---------------------------------------------------------------------------------- */

/* A choice that was measured with another compiler is not found any more; with another driver it is
 * used, and has aged. */
static bool is_aged(const CacheWork *w, const CacheEntry *e) {
    Diag *diag = w->s->diag;
    CodeStore *store = cache_code_store(w->cache);
    const char *device = entry_value(e, "device"), *was = entry_value(e, "toolchain");
    const char *compiler, *now = NULL, *driver = NULL;
    if (!device || !e->has_choice || e->choice.is_imported) return false;
    const bool is_cuda = !strcmp(device, "cuda");
    if (is_cuda)
        now = toolchain_nvrtc(diag, store);
    else
        toolchain_c(diag, store, NULL, &compiler, &now);
    if (is_cuda && e->choice.driver) driver = cuda_driver_version(w->s->arena);
    return (was && now && strcmp(was, now)) || (driver && strcmp(driver, e->choice.driver));
}

/* Made by another fusec, or by a compiler that has changed: it will not be found again. */
static bool is_stale(const CacheWork *w, const CacheEntry *e) {
    if (e->kind == CACHE_TUNING) return is_aged(w, e);
    const char *build = entry_value(e, "fusec"), *compiler = entry_value(e, "compiler");
    const char *version = entry_value(e, "version");
    if (build && strcmp(build, artifact_build())) return true;
    return compiler && version &&
           !toolchain_is_current(w->s->diag, cache_code_store(w->cache), compiler, version);
}

static bool agrees(const CacheEntry *e, const char *field, const char *wanted) {
    const char *value = wanted ? entry_value(e, field) : NULL;
    return !wanted || (value && !strcmp(value, wanted));
}

static bool is_wanted(const CacheWork *w, const CacheEntry *e) {
    static const char *const devices[] = {[WHERE_CPU] = "cpu", [WHERE_CUDA] = "cuda"};
    const Options *o = w->s->options;
    return agrees(e, "model", o->of_model) && agrees(e, "function", o->compile.fn) &&
           agrees(e, "family", o->family) &&
           agrees(e, "device", o->device == WHERE_AUTO ? NULL : devices[o->device]) &&
           (!o->stale || is_stale(w, e));
}

/* ---- in which order ------------------------------------------------------------------------- */

/* How many times as fast as the default the choice is. */
static double gain(const CacheEntry *e) {
    return e->has_choice && e->choice.median_ns > 0 ? e->choice.default_ns / e->choice.median_ns
                                                    : 0;
}

static int by_name(const void *a, const void *b) {
    const CacheEntry *x = a, *y = b;
    const char *m = entry_value(x, "model"), *n = entry_value(y, "model");
    const int order = strcmp(m ? m : "", n ? n : "");
    return order ? order : strcmp(x->name, y->name);
}

static int by_size(const void *a, const void *b) {
    const CacheEntry *x = a, *y = b;
    return x->size == y->size ? by_name(a, b) : x->size < y->size ? 1 : -1;
}

static int by_gain(const void *a, const void *b) {
    const double x = gain(a), y = gain(b);
    return x == y ? by_name(a, b) : x < y ? 1 : -1;
}

static void sort(const CacheWork *w, const CacheEntries *all) {
    static int (*const orders[])(const void *, const void *) = {NULL, by_name, by_size, by_gain};
    if (w->s->options->sort && all->count)
        qsort(all->at, (size_t)all->count, sizeof *all->at, orders[w->s->options->sort]);
}

/* ---- how ------------------------------------------------------------------------------------ */

/* "N=64 D=100" */
static const char *dims_text(Arena *arena, const CacheEntry *e) {
    const KeyFields *fields = e->kind == CACHE_CODE ? &e->about : &e->key;
    Text out = text_new(arena);
    for (int i = 0; i < fields->count; i++)
        if (!strncmp(fields->at[i].name, "dim ", 4))
            text_printf(&out, "%s%s=%s", out.size ? " " : "", fields->at[i].name + 4,
                        fields->at[i].value);
    const char *bucket = key_value(fields, "shape");
    return !out.size && bucket ? bucket : text_get(&out);
}

/* Tiles and options with tiles are long; `show` has all of them. */
static const char *shortened(Arena *arena, const char *text) {
    enum { MOST = 48 };
    return strlen(text) > MOST ? arena_printf(arena, "%.*s..", MOST, text) : text;
}

static const char *what_text(const CacheWork *w, const CacheEntry *e) {
    Arena *arena = w->s->arena;
    if (e->kind == CACHE_CODE) {
        const char *options = entry_value(e, "options");
        return arena_printf(arena, "%s%s%s, compiled in %.2f s",
                            options ? shortened(arena, options) : "", options ? ", " : "",
                            bytes_text(arena, e->size), e->seconds);
    }
    if (!e->has_choice) return arena_printf(arena, "%d trials, no choice", e->trials);
    return arena_printf(
        arena, "%s%s%s%s, %d trials", shortened(arena, e->choice.tile),
        e->choice.is_pinned ? " (pinned)" : "", e->choice.is_imported ? " (imported)" : "",
        gain(e) > 0 ? arena_printf(arena, ", %.2f times as fast as the default", gain(e)) : "",
        e->trials);
}

static const char *value_or(const CacheEntry *e, const char *name, const char *none) {
    const char *value = entry_value(e, name);
    return value ? value : none;
}

/* "softmax_rows"; of a choice the kernel, and its part if it has several: "geglu_0:2". */
static const char *title(Arena *arena, const CacheEntry *e) {
    const char *function = value_or(e, "function", value_or(e, "kernel", "?"));
    const char *kernel = e->kind == CACHE_TUNING ? entry_value(e, "kernel") : NULL;
    const char *part = entry_value(e, "part");
    if (kernel && !strcmp(kernel, PARTITION)) return arena_printf(arena, "%s, partition", function);
    if (!kernel) return function;
    return part ? arena_printf(arena, "%s:%s", kernel, part) : kernel;
}

static void put_row(CacheWork *w, const CacheEntry *e) {
    Text *out = &w->out;
    const size_t start = out->size;
    const char *device = value_or(e, "arch", value_or(e, "device", "?"));
    text_str(out, title(w->s->arena, e));
    text_pad(out, start, 16);
    text_printf(out, " %s", dims_text(w->s->arena, e));
    text_pad(out, start, 32);
    text_printf(out, " %s", device);
    text_pad(out, start, 40);
    text_printf(out, " %s  %s  ", e->name, date_text(w->s->arena, e->used));
    text_printf(out, "%s%s\n", what_text(w, e), is_stale(w, e) ? " (stale)" : "");
}

static json_t *choice_json(const CacheEntry *e) {
    if (!e->has_choice) return json_null();
    return json_pack("{s:s, s:f, s:f, s:b, s:b, s:I}", "tile", e->choice.tile, "median_ns",
                     e->choice.median_ns, "default_ns", e->choice.default_ns, "pinned",
                     e->choice.is_pinned, "imported", e->choice.is_imported, "date",
                     (json_int_t)e->choice.date);
}

static json_t *row_json(const CacheWork *w, const CacheEntry *e) {
    return json_pack("{s:s, s:s, s:o, s:o, s:I, s:f, s:I, s:I, s:b, s:o, s:i, s:i}", "key", e->name,
                     "kind", e->kind == CACHE_CODE ? "code" : "tuning", "about",
                     fields_json(&e->about), "fields", fields_json(&e->key), "bytes",
                     (json_int_t)e->size, "seconds", e->seconds, "date", (json_int_t)e->date,
                     "used", (json_int_t)e->used, "stale", is_stale(w, e), "choice", choice_json(e),
                     "trials", e->trials, "failures", e->failures);
}

bool cache_list(CacheWork *w) {
    const CacheEntries all = cache_entries(w->cache, w->s->diag, w->s->arena);
    json_t *rows = w->json ? json_array() : NULL;
    sort(w, &all);
    for (int i = 0; i < all.count; i++) {
        if (!is_wanted(w, &all.at[i])) continue;
        put_row(w, &all.at[i]);
        if (rows) json_array_append_new(rows, row_json(w, &all.at[i]));
    }
    if (rows) json_object_set_new(w->json, "entries", rows);
    return true;
}
