/* cmd_cache_verify.c: fusec cache verify: is what is kept right?
 * In: the cache; with --recompile also the compilers; or a model with options, as of fusec run.
 * Out: what was found wrong, and removed; or the run of the model, compared with the evaluator. */
#include "cli/cache_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- compiling again ------------------------------------------------------------------------ */

typedef enum Again { AGAIN_SAME, AGAIN_OTHER, AGAIN_SKIPPED } Again;

typedef struct Recompiling {
    CacheWork *w;
    const char *folder, *library;
    const CacheEntry *entry;
    void *bytes;  /* of the entry */
    int count[3]; /* by Again */
} Recompiling;

/* The options whose flags are those of the key. False: it has others, of another version of
 * fusec. */
static bool options_of(Arena *arena, const char *flags, CpuOptions *o) {
    for (int one_thread = 0; one_thread < 2; one_thread++) {
        *o = (CpuOptions){.one_thread = one_thread};
        const char *usual = cpu_flags(arena, o);
        const size_t size = strlen(usual);
        if (strncmp(flags, usual, size) || (flags[size] && flags[size] != ' ')) continue;
        o->flags = flags + size;
        return true;
    }
    return false;
}

/* The compiler is the one that a run would call now: no command of the database is run. */
static bool is_of_this_compiler(Recompiling *r, const KeyFields *key) {
    Session *s = r->w->s;
    const char *compiler, *version;
    const char *was = key_value(key, "compiler"), *had = key_value(key, "version");
    if (!was || !had) return false;
    toolchain_c(s->diag, cache_code_store(r->w->cache), NULL, &compiler, &version);
    return !strcmp(compiler, was) && !strcmp(version, had);
}

static bool is_of_this_nvrtc(Recompiling *r, const KeyFields *key) {
    const char *was = key_value(key, "nvrtc");
    const char *now = toolchain_nvrtc(r->w->s->diag, cache_code_store(r->w->cache));
    return was && now && !strcmp(was, now);
}

static Again compare(void *made, size_t made_size, const void *bytes, size_t size) {
    const bool same = made && made_size == size && !memcmp(made, bytes, size);
    free(made);
    return same ? AGAIN_SAME : AGAIN_OTHER;
}

/* How many depends on the processors that the machine had, and on what was in the cache. */
static bool may_be_in_parts(Recompiling *r, const char *source) {
    const char *parts[CPU_PARTS_MOST];
    return cpu_parts_share(source) ||
           cpu_parts_split(r->w->s->arena, source, CPU_PARTS_MOST, parts) > 1;
}

static Again recompile_c(Recompiling *r, const KeyFields *key, size_t size) {
    Session *s = r->w->s;
    CpuOptions options;
    size_t read;
    const char *flags = key_value(key, "flags"), *source = key_value(key, "source");
    if (!flags || !source || may_be_in_parts(r, source) || !is_of_this_compiler(r, key) ||
        !options_of(s->arena, flags, &options) ||
        !cpu_library(s->diag, source, r->library, &options))
        return AGAIN_SKIPPED;
    char *made = file_read(s->diag, r->library, SIZE_MAX, &read);
    return compare(made, read, r->bytes, size);
}

/* Without a GPU. Kernels that were compiled in parts are not put together again. */
static Again recompile_cuda(Recompiling *r, const KeyFields *key, size_t size) {
    const char *arch = key_value(key, "arch"), *source = key_value(key, "source");
    const bool is_cubin = size > 4 && !memcmp(r->bytes, "\177ELF", 4);
    if (!arch || !source || !is_cubin || !is_of_this_nvrtc(r, key)) return AGAIN_SKIPPED;
    const NvrtcInput input = {.source = source, .file = "again.cu", .arch = arch};
    size_t made_size = 0;
    Diag *own = diag_new(r->w->s->arena, 1);
    void *made = nvrtc_compile(own, &input, NVRTC_CUBIN, &made_size);
    return made ? compare(made, made_size, r->bytes, size) : AGAIN_OTHER;
}

static void recompile(void *of) {
    Recompiling *r = of;
    CacheWork *w = r->w;
    KeyFields key;
    size_t size;
    if (!cache_code(w->cache, w->s->diag, w->s->arena, r->entry, &key, &r->bytes, &size)) return;
    const char *device = key_value(&key, "device");
    const bool is_cuda = device && !strcmp(device, "cuda");
    const Again again = is_cuda ? recompile_cuda(r, &key, size) : recompile_c(r, &key, size);
    r->count[again]++;
    if (again != AGAIN_OTHER) return;
    text_printf(&w->out, "%s: compiling it again makes other code: removed\n", r->entry->name);
    cache_drop(w->cache, w->s->diag, r->entry);
}

static void free_bytes(void *of) {
    Recompiling *r = of;
    free(r->bytes);
    r->bytes = NULL;
}

static void recompile_all(void *of) {
    Recompiling *r = of;
    CacheWork *w = r->w;
    const CacheEntries all = cache_entries(w->cache, w->s->diag, w->s->arena);
    for (int i = 0; i < all.count; i++) {
        r->entry = &all.at[i];
        if (r->entry->kind == CACHE_CODE) ensure(recompile, free_bytes, r);
    }
    text_printf(&w->out, "compiled again: %d the same, %d others, %d not for this compiler\n",
                r->count[AGAIN_SAME], r->count[AGAIN_OTHER], r->count[AGAIN_SKIPPED]);
    if (w->json)
        json_object_update_new(w->json, json_pack("{s:i, s:i, s:i}", "same", r->count[AGAIN_SAME],
                                                  "others", r->count[AGAIN_OTHER], "skipped",
                                                  r->count[AGAIN_SKIPPED]));
}

static void remove_folder(void *of) { folder_remove(((const Recompiling *)of)->folder); }

static bool compile_again(CacheWork *w) {
    const char *why, *folder = folder_make(w->s->arena, &why);
    if (!folder) {
        diag_refuse(w->s->diag, "%s", why);
        return false;
    }
    Recompiling r = {
        .w = w, .folder = folder, .library = arena_printf(w->s->arena, "%s/again.so", folder)};
    interrupt_hold();
    ensure(recompile_all, remove_folder, &r);
    interrupt_release();
    return !r.count[AGAIN_OTHER];
}

/* ---- checksums ------------------------------------------------------------------------------ */

static bool check_all(CacheWork *w) {
    CacheCheck check;
    const bool read = cache_check(w->cache, w->s->diag, w->s->arena, &check);
    text_printf(&w->out, "%lld entries checked, %lld damaged%s; file: %s\n",
                (long long)check.entries, (long long)check.damaged,
                check.damaged ? " and removed" : "", check.file);
    if (w->json)
        json_object_update_new(w->json,
                               json_pack("{s:I, s:I, s:s}", "checked", (json_int_t)check.entries,
                                         "damaged", (json_int_t)check.damaged, "file", check.file));
    return read && !check.damaged;
}

bool cache_verify(CacheWork *w) {
    bool sound = check_all(w);
    if (w->s->options->recompile) sound = compile_again(w) && sound;
    if (!sound) diag_error(w->s->diag, NOWHERE, "the cache %s was damaged", w->folder);
    if (!w->count || !sound) return sound;
    w->s->options->files.at[0] = w->words[0]; /* the model */
    w->s->options->check = true;
    const bool is_right = cmd_run(w->s) == STATUS_OK;
    if (w->json) json_object_set_new(w->json, "right", json_boolean(is_right));
    return is_right;
}
