/* source.c: a whole file: header comment, the helpers it uses, kernels and launchers.
 * In: Model and Plans. Out: text that is ready to read and to compile. */
#include "emit/selftest/selftest.h"
#include "emit/text/imported.h"
#include "emit/text/names.h"

#include <ctype.h>
#include <string.h>

/* ---- the head of the file ------------------------------------------------------------------ */

static const char *known_size(const Names *names, Dim d) { return d ? names_size(names, d) : "?"; }

static void head_function(const Names *names, Text *out) {
    const Plan *plan = names->plan;
    const Graph *g = plan->g;
    Text line = text_new(out->arena);
    text_printf(&line, "%s(", g->name);
    for (int i = 0; i < g->inputs.count; i++) {
        const Node *n = &g->node[g->inputs.at[i].node];
        text_printf(&line, "%s%s: ", i ? ", " : "", g->inputs.at[i].name);
        shape_print(g->dims, n->type, n->rank, n->shape, &line);
    }
    text_str(&line, ") -> (");
    for (int i = 0; i < g->outputs.count; i++) {
        const Node *n = &g->node[g->outputs.at[i].node];
        text_printf(&line, "%s%s: ", i ? ", " : "", g->outputs.at[i].name);
        shape_print(g->dims, n->type, n->rank, n->shape, &line);
    }
    text_char(&line, ')');
    text_str(out, " *\n *   ");
    Text safe = text_new(out->arena);
    emit_comment(&safe, text_get(&line));
    text_put_wrapped(out, 5, " *     ", text_get(&safe), 98);
    text_char(out, '\n');
    int shown = plan->groups.count < 20 ? plan->groups.count : 20;
    for (int i = 0; i < shown; i++) {
        const Group *k = &plan->groups.at[i];
        const char *row =
            arena_printf(out->arena, "reads %s, writes %s bytes; %s operations",
                         known_size(names, k->bytes_read), known_size(names, k->bytes_written),
                         known_size(names, k->flops));
        const char *name = arena_printf(out->arena, " *     %-16s", k->name);
        text_str(out, name);
        text_put_wrapped(out, strlen(name), " *         ", row, 100);
        text_char(out, '\n');
    }
    if (shown < plan->groups.count)
        text_printf(out, " *     and %d more kernels\n", plan->groups.count - shown);
}

/* The name that is given, or the model's with a suffix. */
static const char *file_name(const char *given, const Model *model, const char *suffix,
                             Arena *arena) {
    return given ? given : arena_printf(arena, "%s.%s", model->name, suffix);
}

static void head(const Model *model, const Names *names, const Target *target, const EmitOptions *o,
                 const Program *programs, Text *out) {
    Text title = text_new(out->arena);
    emit_comment(&title, file_name(o->file, model, target->suffix, out->arena));
    text_printf(&title, ": made by fusec %s from ", FUSEC_VERSION);
    emit_comment(&title, model->name);
    text_str(&title, ".fx: ");
    emit_comment(&title, o->command ? o->command : "fusec");
    text_str(out, "/* ");
    text_put_wrapped(out, 3, " * ", text_get(&title), 100);
    text_char(out, '\n');
    for (int i = 0; i < model->functions.count; i++) head_function(&names[i], out);
    if (model->imports) imported_head(model->imports, out);
    target->build(o, programs, model->functions.count, out);
}

/* ---- files --------------------------------------------------------------------------------- */

static void source_verify(const Text *out) {
    const char *flaw = source_flaw(out);
    if (flaw) BUG("emit: the source has %s", flaw);
}

void emit_source(const Model *model, const Names *names, const TiledKernels *kernels,
                 const Target *target, const EmitOptions *o, Program *programs, Text *out) {
    const int count = model->functions.count;
    const char *file = arena_printf(out->arena, "%s.%s", model->name, target->suffix);
    Text code = text_new(out->arena), test = text_new(out->arena);
    const bool is_cuda = target->language == IN_CUDA;
    const Plan **plans = arena_array(out->arena, const Plan *, count + 1);
    for (int i = 0; i < count; i++) plans[i] = names[i].plan;
    const bool *wanted = imported_wanted(plans, count, out->arena);
    if (!is_cuda && count) imported_lanes_text(names, wanted, &code);
    for (int i = 0; i < count; i++) {
        const TiledKernels named = names_kernels(&names[i], &kernels[i]);
        programs[i] = emit_program(&names[i], file);
        target->function(&names[i], &named, o, &programs[i], &code);
    }
    if (!o->bare && !o->no_test) emit_self_test(model, names, target, &test);
    if (!o->bare) head(model, names, target, o, programs, out);
    if (count) imported_text(names, wanted, is_cuda, o->entry, out);
    prelude_link(target->preludes, text_get(&code), out);
    for (int i = 0; i < count; i++)
        programs[i].source_at = out->size, programs[i].shared = target->shared;
    text_str(out, text_get(&code));
    text_str(out, text_get(&test));
    source_verify(out);
    for (int i = 0; i < count; i++) programs[i].source = text_get(out);
}

/* FUSEC_geglu_CUDA_H for geglu.h. Files of two targets may be in one folder. */
static const char *header_guard(const char *header, const Target *target, Arena *arena) {
    Text guard = text_new(arena);
    const char *end = strrchr(header, '.');
    text_str(&guard, "FUSEC_");
    for (const char *p = header; *p && p != end; p++)
        text_char(&guard, isalnum((unsigned char)*p) && *p < 0x7f ? *p : '_');
    text_char(&guard, '_');
    for (const char *p = target->name; *p; p++) text_char(&guard, (char)toupper((unsigned char)*p));
    text_str(&guard, "_H");
    return text_get(&guard);
}

void emit_header(const Model *model, const Names *names, const Target *target,
                 const EmitOptions *options, Text *out) {
    const char *header = file_name(options->header, model, "h", out->arena);
    const char *guard = header_guard(header, target, out->arena);
    text_str(out, "/* ");
    emit_comment(out, header);
    text_str(out, ": for ");
    emit_comment(out, file_name(options->file, model, target->suffix, out->arena));
    text_printf(out, ", made by fusec %s:  ", FUSEC_VERSION);
    emit_comment(out, options->command ? options->command : "fusec");
    text_printf(out, " */\n#ifndef %s\n#define %s\n\n%s", guard, guard, target->header_types);
    text_str(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    for (int i = 0; i < model->functions.count; i++) {
        target->prototypes(&names[i], options, out);
        text_char(out, '\n');
    }
    text_str(out, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    source_verify(out);
}
