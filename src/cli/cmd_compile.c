/* cmd_compile.c: fusec model.fx -o X, `fusec graph` and `fusec explain`.
 * In: a model. Out: a file of the requested kind, and on request a make rule, an explanation, and
 * the times of the passes. */
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

bool write_output(Session *s, const char *path, const void *bytes, size_t size) {
    interrupt_hold();
    bool ok = file_write_atomic(s->diag, path, bytes, size);
    interrupt_release();
    return ok;
}

/* Escapes a word for make. */
static void put_make_word(Text *out, const char *word) {
    for (; *word; word++) {
        if (*word == ' ' || *word == '\t' || *word == '#') text_char(out, '\\');
        if (*word == '$') text_char(out, '$');
        text_char(out, *word);
    }
}

static bool write_depend(Session *s) {
    const Options *o = s->options;
    Text rule = text_new(s->arena);
    put_make_word(&rule, o->output);
    if (o->header) text_char(&rule, ' ');
    if (o->header) put_make_word(&rule, o->header);
    text_char(&rule, ':');
    for (int i = 0; i < s->diag->sources.count; i++) {
        text_char(&rule, ' ');
        put_make_word(&rule, s->diag->sources.at[i].name);
    }
    text_char(&rule, '\n');
    return write_output(s, depend_path(s), rule.data, rule.size);
}

static bool write_library(Session *s, const Compilation *c) {
    progress_begin("compiling C");
    interrupt_hold();
    bool ok = cpu_library(s->diag, text_get(&c->source), s->options->output, NULL);
    interrupt_release();
    progress_end();
    return ok;
}

static bool write_artifact(Session *s, const Compilation *c, Artifact artifact) {
    Text text = text_new(s->arena);
    const char *path = s->options->output ? s->options->output : "-";
    char *bytes = NULL;
    size_t size = 0;
    if (artifact == ARTIFACT_LIBRARY) return write_library(s, c);
    if (artifact == ARTIFACT_EXPLAIN && s->options->sweep.dim && is_drawing_path(path))
        return explain_rooflines(s, c, &text) && gnuplot_draw(s, text_get(&text), path);
    bool ok = artifact_make(s, c, artifact, &text, &bytes, &size) &&
              write_output(s, path, bytes ? bytes : text_get(&text), bytes ? size : text.size);
    free(bytes);
    return ok;
}

static bool write_header(Session *s, const Compilation *c, const Target *target) {
    Text text = text_new(s->arena);
    artifact_header(s, c, target, &text);
    return write_output(s, s->options->header, text_get(&text), text.size);
}

/* To standard output, after the artifact. */
static bool explain(Session *s, const Compilation *c) {
    Text text = text_new(s->arena);
    return artifact_make(s, c, ARTIFACT_EXPLAIN, &text, NULL, NULL) &&
           write_output(s, "-", text.data, text.size);
}

static bool options_agree(Session *s, Artifact artifact) {
    const Options *o = s->options;
    const char *wrong = NULL;
    if (artifact == ARTIFACT_LIBRARY && !o->output) wrong = "--target=so needs -o FILE";
    if (o->makes_depend && (!o->output || !strcmp(o->output, "-")))
        wrong = "-MD needs -o FILE, to name it in the rule";
    if (o->depend_path && !o->makes_depend) wrong = "-MF needs -MD";
    if (o->header && artifact != ARTIFACT_CUDA && artifact != ARTIFACT_C &&
        artifact != ARTIFACT_LIBRARY)
        wrong = "a header is written with a .cu, a .c or a .so";
    if (o->command == CMD_EXPLAIN && o->json && !o->sweep.dim)
        wrong = "--json needs --sweep; the plan, `fusec MODEL.fx -o FILE.json`, has all that "
                "--roofline and --memory tell";
    else if (o->command != CMD_EXPLAIN && o->json && (!o->emits_stage || o->stage != STAGE_PLAN))
        wrong = "--json needs --emit=plan";
    if (o->resources && o->target && strcmp(o->target, "cuda") != 0)
        wrong = "--resources are those of a GPU: add --target=cuda";
    if (o->resources + o->memory + (o->roofline || o->sweep.dim) > 1)
        wrong = "--resources, --memory and --roofline or --sweep are three things: choose one";
    if (o->shard.dim && !o->roofline && !o->sweep.dim) wrong = "--shard needs --roofline";
    if (wrong) diag_error(s->diag, NOWHERE, "%s", wrong);
    return !wrong;
}

Status cmd_compile(Session *s) {
    Artifact artifact;
    CompileOptions options = s->options->compile;
    if (!artifact_choose(s, &artifact) || !options_agree(s, artifact)) return STATUS_USAGE;
    artifact_prepare(artifact, s->options, &options);
    if (!machine_choose(s, &options)) return exit_status(s);
    s->options->compile = options; /* for the same with other sizes: advice.c */
    Compilation *c = compile_file(s, &options);
    bool ok = c && diag_status(s->diag) == STATUS_OK && outputs_spare_headers(s, c) &&
              write_artifact(s, c, artifact);
    if (ok && s->options->header) ok = write_header(s, c, options.target);
    if (ok && s->options->makes_depend) ok = write_depend(s);
    if (ok && s->options->explain && artifact < ARTIFACT_STAGE) explain(s, c);
    if (c && s->options->time_passes) times_print(c);
    return exit_status(s);
}
