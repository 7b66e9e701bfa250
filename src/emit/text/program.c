/* program.c: a function of a model as the runtime sees it: what surrounds its source.
 * In: Plan, and how each CUDA kernel is launched. Out: a Program. The host functions of emitted
 * files are printed from it, so that what they do and what the runtime does is one thing. */
#include "emit/text/writer.h"

#include <string.h>

/* ---- conditions on the dims --------------------------------------------------------------- */

static void put_guards(const Graph *g, Program *p) {
    static const char *const compare[] = {
        [DIM_EQ] = "==", [DIM_NE] = "!=", [DIM_LT] = "<", [DIM_LE] = "<="};
    Arena *arena = g->arena;
    int symbols = g->dims->symbols.count, guards = g->dims->guards.count;
    ProgramGuard *all = arena_array(arena, ProgramGuard, symbols + guards + 1);
    for (int i = 0; i < symbols; i++)
        all[i].broken_if = arena_printf(arena, "%s < 1", g->dims->symbols.at[i].name);
    for (int i = 0; i < guards; i++) {
        const DimGuard *d = &g->dims->guards.at[i];
        all[symbols + i] =
            (ProgramGuard){arena_printf(arena, "!(%s %s %s)", dim_text(g->dims, d->a, arena),
                                        TABLE_ROW(compare, d->compare, "a comparison"),
                                        dim_text(g->dims, d->b, arena)),
                           d->why};
    }
    p->guards = all;
    p->guard_count = symbols + guards;
}

void emit_guard(const ProgramGuard *guard, Text *out) {
    text_printf(out, "    if (%s) return 1;", guard->broken_if);
    if (guard->why) text_printf(out, " /* %s */", guard->why);
    text_char(out, '\n');
}

void emit_guards(const Program *p, Text *out) {
    for (int i = 0; i < p->guard_count; i++) emit_guard(&p->guards[i], out);
}

/* ---- kernels ------------------------------------------------------------------------------ */

/* "geglu.fx:3:5": the expression whose value the kernel stores first. */
static const char *place_of(const Graph *g, const Group *group) {
    Span span = g->node[group->parts.at[0].stored.at[0]].span;
    int line, column;
    if (span.file == NO_FILE) span = g->span;
    if (span.file == NO_FILE) return g->name;
    const Source *source = &g->diag->sources.at[span.file];
    source_place(source, span.lo, &line, &column);
    return arena_printf(g->arena, "%s:%d:%d", source->name, line, column);
}

static Dtype product_of(const Graph *g, const Group *group) {
    const NodeVec *nodes = &group->parts.at[0].nodes;
    for (int i = 0; i < nodes->count; i++)
        if (g->node[nodes->at[i]].op == OP_DOT) return g->node[g->node[nodes->at[i]].src[0]].type;
    return T_NONE;
}

static const char *size_of(const Graph *g, Dim size) {
    return size ? dim_text(g->dims, size, g->arena) : NULL;
}

static ProgramKernel kernel_of(const Graph *g, const Group *group) {
    bool counted = group->bytes_read && group->bytes_written;
    Dim bytes = counted ? dim_add(g->dims, group->bytes_read, group->bytes_written) : 0;
    return (ProgramKernel){.name = group->name,
                           .place = place_of(g, group),
                           .bytes = size_of(g, bytes),
                           .flops = size_of(g, group->flops),
                           .product = product_of(g, group)};
}

/* ---- the function ------------------------------------------------------------------------- */

Program emit_program(const Plan *plan, const char *file) {
    const Graph *g = plan->g;
    Arena *arena = g->arena;
    int count = plan->groups.count, symbols = g->dims->symbols.count;
    const char **names = arena_array(arena, const char *, symbols + 1);
    ProgramKernel *kernels = arena_array(arena, ProgramKernel, count + 1);
    for (int i = 0; i < symbols; i++) names[i] = g->dims->symbols.at[i].name;
    for (int k = 0, called = 0; k < count; k++)
        if (!plan->groups.at[k].once) kernels[called++] = kernel_of(g, &plan->groups.at[k]);
    Program p = {.name = plan->name,
                 .file = file,
                 .input_count = g->inputs.count,
                 .output_count = g->outputs.count,
                 .symbol_count = symbols,
                 .symbols = names,
                 .kernel_count = plan_called(plan),
                 .kernels = kernels,
                 .prepares = plan->constancy};
    put_guards(g, &p);
    return p;
}
