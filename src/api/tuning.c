/* tuning.c: the tiles of a variant that is being made: from a file of decisions, from the cache, or
 * measured now.
 * In: a compilation with default tiles. Out: another one, or the same and a remark for the log. */
#define _GNU_SOURCE /* dladdr */
#include "api/api.h"

#include "tune/tune.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Tuning {
    const FusecFunction *f;
    Compiled *compiled; /* with default tiles, and their options */
    CompileOptions chosen;
    Diag *diag; /* of the work besides */
    int said;   /* messages of the compilation; what follows is about tuning */
    const Watch *watch;
    volatile int is_stopped;
} Tuning;

/* ---- a file of decisions ------------------------------------------------------------------ */

static bool apply_lock(Tuning *t, const char *path) {
    enum { MOST = 16 << 20 };
    Diag *diag = t->compiled->diag;
    size_t size;
    Lock lock;
    char *bytes = file_read(diag, path, MOST, &size);
    if (!bytes) return false;
    const uint32_t file = diag_source(diag, path, arena_strndup(diag->arena, bytes, size), size);
    free(bytes);
    return lock_read(diag, file, &lock) && lock_apply(diag, &lock, &t->chosen);
}

/* ---- the command that measures ------------------------------------------------------------ */

/* The one that is installed with this library; else that of PATH. */
static char *command_path(const FusecContext *context, Arena *arena) {
    static const char here; /* an object of this library */
    Dl_info own;
    if (context->options.command) return arena_strdup(arena, context->options.command);
    const bool found = dladdr(&here, &own) && own.dli_fname;
    const char *slash = found ? strrchr(own.dli_fname, '/') : NULL;
    if (slash) {
        char *path =
            arena_printf(arena, "%.*s/../bin/fusec", (int)(slash - own.dli_fname), own.dli_fname);
        if (!access(path, X_OK)) return path;
    }
    return arena_strdup(arena, "fusec");
}

typedef Vec(char *) Words;

/* beside: the folder whose headers the model finds without -I; NULL: that of `model`. */
static char *const *worker_words(Tuning *t, const char *model, const char *beside) {
    const FusecContext *context = t->f->model->context;
    const CompileOptions *o = t->compiled->options;
    Arena *arena = t->diag->arena;
    Words words = {0};
    vec_push(arena, &words, command_path(context, arena));
    vec_push(arena, &words, arena_strdup(arena, "tune-worker"));
    vec_push(arena, &words, arena_printf(arena, "--fn=%s", t->f->name));
    vec_push(arena, &words, arena_printf(arena, "-O%d", o->opt));
    vec_push(arena, &words,
             arena_strdup(arena,
                          context->device->kind == DEVICE_CUDA ? "--device=cuda" : "--device=cpu"));
    if (context->options.threads)
        vec_push(arena, &words, arena_printf(arena, "--threads=%d", context->options.threads));
    for (int i = 0; i < o->binding_count; i++)
        vec_push(
            arena, &words,
            arena_printf(arena, "-D%s=%lld", o->bindings[i].name, (long long)o->bindings[i].value));
    if (beside) vec_push(arena, &words, arena_printf(arena, "-I%s", beside));
    for (const char *const *dir = o->import_dirs; dir && *dir; dir++)
        vec_push(arena, &words, arena_printf(arena, "-I%s", *dir));
    vec_push(arena, &words, arena_strdup(arena, model));
    vec_push(arena, &words, NULL);
    return words.at;
}

static void hear(void *user, const TuneNews *news) {
    Tuning *t = user;
    (void)news;
    if (t->watch && !t->watch->goes_on(t->watch->user)) t->is_stopped = 1;
}

static void take_entries(Tuning *t, const LockSection *section) {
    for (int i = 0; i < section->fusions.count; i++)
        vec_push(t->diag->arena, &t->chosen.fuse_pins, section->fusions.at[i]);
    for (int i = 0; i < section->entries.count; i++) {
        const LockEntry *e = &section->entries.at[i];
        const TilePin like = {
            .kernel = e->kernel, .part = e->part, .at = NOWHERE, .is_chosen = true};
        tile_parse_values(t->diag, e->tile, &like, &t->chosen.tile_pins);
    }
}

/* Of a model from a file; NULL: it is from a text, which finds headers by -I only. */
static const char *folder_of(const FusecModel *model, Arena *arena) {
    const char *slash = strrchr(model->name, '/');
    if (!model->is_file) return NULL;
    if (!slash) return ".";
    return slash == model->name ? "/"
                                : arena_strndup(arena, model->name, (size_t)(slash - model->name));
}

static void tell_failure(const Tuning *t, const char *why) {
    diag_remark(t->compiled->diag, NOWHERE, "%s has default tiles, tuning failed: %s", t->f->name,
                why);
}

static void measure(Tuning *t, const char *model, const TuneFacts *facts) {
    const FusecContext *context = t->f->model->context;
    Tuned tuned;
    const TuneOptions options = {.effort = EFFORT_NORMAL,
                                 .budget = t->f->tuning.budget,
                                 .cache = context->cache,
                                 .facts = *facts,
                                 .worker =
                                     worker_words(t, model, folder_of(t->f->model, t->diag->arena)),
                                 .stop = &t->is_stopped,
                                 .tell = hear,
                                 .user = t};
    if (tune_function(t->diag, t->compiled->c, t->compiled->options, &options, &tuned))
        take_entries(t, &tuned.section);
    else
        tell_failure(t, t->diag->refusal);
}

typedef struct Measuring {
    Tuning *t;
    const TuneFacts *facts;
    const char *folder; /* of the text */
} Measuring;

static void measure_in_folder(void *of) {
    const Measuring *m = of;
    Tuning *t = m->t;
    const FusecModel *model = t->f->model;
    const char *path = arena_printf(t->diag->arena, "%s/model.fx", m->folder);
    if (file_write_atomic(t->diag, path, model->text, model->size))
        measure(t, path, m->facts);
    else
        tell_failure(t, t->diag->refusal);
}

static void remove_folder(void *of) { folder_remove(((Measuring *)of)->folder); }

/* Workers read the model from a file: one of this text, as that which it is from may be gone, or
 * another one by now. */
static void measure_text(Tuning *t, const TuneFacts *facts) {
    const char *why;
    Measuring m = {t, facts, folder_make(t->diag->arena, &why)};
    if (m.folder)
        ensure(measure_in_folder, remove_folder, &m);
    else
        tell_failure(t, why);
}

/* ---- the cache ---------------------------------------------------------------------------- */

/* The command: the words of the worker, which has the same options. */
static void tell_default(Tuning *t, const TuneFacts *facts, const char *kernel) {
    const char *model = t->f->model->name;
    Text command = text_new(t->diag->arena);
    char *const *words = worker_words(t, model, NULL) + 2; /* PROGRAM tune-worker .. MODEL */
    for (; words[0] && words[1]; words++) text_printf(&command, " %s", *words);
    diag_remark(t->compiled->diag, NOWHERE,
                "%s has default tiles: none were chosen for kernel %s on %s; this chooses some: "
                "fusec tune %s%s",
                t->f->name, kernel, facts->chip, model, text_get(&command));
}

/* Choices are for known sizes: nothing is recalled or measured where some are open. */
static bool has_open_dims(const Tuning *t) {
    const Dims *dims = t->compiled->c->functions.at[0].lowered->dims;
    if (!dims->symbols.count) return false;
    Text names = text_new(t->diag->arena);
    for (int s = 0; s < dims->symbols.count; s++)
        text_printf(&names, "%s%s", s ? ", " : "", dims->symbols.at[s].name);
    diag_remark(t->compiled->diag, NOWHERE,
                "%s has default tiles in code of any %s: tiles are chosen for known sizes only",
                t->f->name, text_get(&names));
    return true;
}

static void choose(Tuning *t) {
    const FusecContext *context = t->f->model->context;
    Recalls recalls = {0};
    if (has_open_dims(t)) return;
    const TuneFacts facts =
        tune_facts(t->diag, context->device, context->cache, context->options.threads);
    tuning_recall(context->cache, t->diag, &facts, t->compiled->c, 0, &t->chosen, &recalls);
    const Recall *missing = recall_missing(&recalls);
    if (!missing) return;
    if (t->f->tuning.when == FUSEC_TUNING_AUTO)
        measure_text(t, &facts);
    else
        tell_default(t, &facts, missing->kernel);
}

/* ---- the variant -------------------------------------------------------------------------- */

/* The same text with the chosen tiles; what was said about tuning is kept. */
static void compile_again(Tuning *t) {
    const Diag *before = t->compiled->diag;
    Arena *arena = t->compiled->arena;
    CompileOptions *o = arena_new_of(arena, CompileOptions);
    *o = t->chosen;
    Diag *diag = diag_new(arena, before->error_limit);
    for (int i = 0; i < before->sources.count; i++)
        diag_source(diag, before->sources.at[i].name, before->sources.at[i].text,
                    before->sources.at[i].size);
    t->compiled->diag = diag;
    t->compiled->options = o;
    t->compiled->c = compile(arena, diag, 0, o);
    for (int i = t->said; i < before->messages.count; i++)
        vec_push(arena, &diag->messages, before->messages.at[i]);
}

void tuning_choose(const FusecFunction *f, Compiled *compiled, const Watch *watch) {
    Tuning t = {.f = f,
                .compiled = compiled,
                .chosen = *compiled->options,
                .diag = diag_new(compiled->arena, 1),
                .said = compiled->diag->messages.count,
                .watch = watch};
    if (diag_status(compiled->diag) != STATUS_OK) return;
    if (f->tuning.lock ? !apply_lock(&t, f->tuning.lock) : f->tuning.when == FUSEC_TUNING_NEVER)
        return;
    if (!f->tuning.lock) choose(&t);
    if (t.chosen.tile_pins.count || t.chosen.fuse_pins.count || f->tuning.lock) compile_again(&t);
}
