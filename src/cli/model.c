/* model.c: the model of the command line, from its file to a Compilation; and --keep, which writes
 * the text of all stages. */
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A larger file is read only up to this size; the parser checks the actual limit. */
enum { READ_MOST = 64 << 20 };

bool model_read(Session *s, const char *path, uint32_t *file) {
    int64_t most = s->options->compile.limits.source_bytes;
    bool is_stdin = !strcmp(path, "-");
    size_t size;
    char *bytes = file_read(s->diag, path, most < READ_MOST ? READ_MOST : (size_t)most, &size);
    if (!bytes) return false;
    const char *text = arena_strndup(s->arena, bytes, size);
    free(bytes);
    *file = diag_source(s->diag, is_stdin ? "<stdin>" : path, text, size);
    return true;
}

/* ---- --keep --------------------------------------------------------------------------------- */

static bool keep_text(Session *s, const char *name, const char *suffix, const Text *text) {
    const char *path = arena_printf(s->arena, "%s/%s.%s", s->options->keep, name, suffix);
    return !text->size || write_output(s, path, text->data, text->size);
}

static bool keep_stage(Session *s, const Compilation *c, Stage stage, const char *suffix) {
    Text text = text_new(s->arena);
    compilation_print(c, stage, &text);
    return keep_text(s, c->name, suffix, &text);
}

static bool keep_plan(Session *s, const Compilation *c) {
    Text text = text_new(s->arena);
    for (int i = 0; i < c->functions.count; i++)
        if (!c->functions.at[i].kernels.function) return true;
    if (!c->functions.count) return true;
    if (!compilation_json(c, &text)) diag_refuse(s->diag, "out of memory for the plan");
    return keep_text(s, c->name, "plan.json", &text);
}

/* The stages that were reached. The source has the suffix of its target. */
static bool keep_stages(Session *s, const Compilation *c, const Target *target) {
    const char *folder = s->options->keep;
    if (mkdir(folder, 0777) && errno != EEXIST) {
        diag_refuse(s->diag, "mkdir %s: %s", folder, strerror(errno));
        return false;
    }
    return keep_stage(s, c, STAGE_AST, "ast") && keep_stage(s, c, STAGE_GRAPH, "graph") &&
           keep_stage(s, c, STAGE_PLAN, "plan") && keep_plan(s, c) &&
           keep_stage(s, c, STAGE_KERNEL, "kernel") &&
           keep_stage(s, c, STAGE_SOURCE, target->suffix);
}

/* ---- compiling ------------------------------------------------------------------------------ */

/* Adds the decisions of --tune-lock, if it is given; false after a diagnostic. */
static bool model_decide(Session *s, CompileOptions *o) {
    enum { MOST = 16 << 20 };
    const char *path = s->options->tune_lock;
    size_t size;
    Lock lock;
    if (!path) return true;
    char *bytes = file_read(s->diag, path, MOST, &size);
    if (!bytes) return false;
    const uint32_t file = diag_source(s->diag, path, arena_strndup(s->arena, bytes, size), size);
    free(bytes);
    return lock_read(s->diag, file, &lock) && lock_apply(s->diag, &lock, o);
}

Compilation *compile_file(Session *s, CompileOptions *o) {
    uint32_t file;
    if (!model_read(s, s->options->files.at[0], &file)) return NULL;
    if (s->options->command != CMD_TUNE && !model_decide(s, o)) return NULL;
    Compilation *c = compile(s->arena, s->diag, file, o);
    if (o->perf_remarks && diag_status(s->diag) == STATUS_OK) advice_remark(s, c, o);
    return s->options->keep && !keep_stages(s, c, o->target) ? NULL : c;
}

/* With the tiles that were chosen for this machine, if they are in the cache. The messages are
 * those of the first time. */
static Compilation *with_choices(Session *s, const FusecContext *context, Compilation *c,
                                 const CompileOptions *o, Recalls *recalls) {
    CompileOptions chosen = *o;
    int found = 0;
    Diag *own = diag_new(s->arena, 1);
    Cache *cache = context_cache(context);
    const TuneFacts facts = tune_facts(own, context_device(context), cache, s->options->threads);
    for (int i = 0; i < c->functions.count; i++)
        found += tuning_recall(cache, own, &facts, c, i, &chosen, recalls);
    if (!found) return c;
    const Source *source = &s->diag->sources.at[0];
    diag_source(own, source->name, source->text, source->size);
    Compilation *tuned = compile(s->arena, own, 0, &chosen);
    return diag_status(own) == STATUS_OK ? tuned : c;
}

Compilation *compile_tuned(Session *s, const FusecContext *context, CompileOptions *o,
                           Recalls *recalls) {
    Compilation *c = compile_file(s, o);
    const bool is_decided = s->options->tune_lock || o->tile_pins.count || s->options->no_tuning;
    if (!c || !context || is_decided || !context_cache(context)) return c;
    if (diag_status(s->diag) != STATUS_OK) return c;
    Compilation *tuned = with_choices(s, context, c, o, recalls);
    return tuned != c && s->options->keep && !keep_stages(s, tuned, o->target) ? NULL : tuned;
}

void times_print(const Compilation *c) {
    Text text = text_new(c->arena);
    compilation_print_times(c, &text);
    fwrite(text_get(&text), 1, text.size, stderr);
}
