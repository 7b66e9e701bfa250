/* program.c: a function of a model for the runtime: all but its source.
 * In: Plan, and how each CUDA kernel is launched. Out: a Program. The host functions of emitted
 * files are printed from it, so that they do what the runtime does. */
#include "emit/text/writer.h"

/* ---- conditions on the dims --------------------------------------------------------------- */

static void put_guards(const Names *names, Program *p) {
    static const char *const broken[] = {
        [DIM_EQ] = "!=", [DIM_NE] = "==", [DIM_LT] = ">=", [DIM_LE] = ">"};
    const Graph *g = names->plan->g;
    Arena *arena = names->arena;
    int symbols = g->dims->symbols.count, guards = g->dims->guards.count;
    ProgramGuard *all = arena_array(arena, ProgramGuard, symbols + guards + 1);
    for (int i = 0; i < symbols; i++)
        all[i] = (ProgramGuard){arena_printf(arena, "%s < 1", names->symbol[i]), NULL,
                                arena_printf(arena, "%s < 1", g->dims->symbols.at[i].name)};
    for (int i = 0; i < guards; i++) {
        const DimGuard *d = &g->dims->guards.at[i];
        const char *how = TABLE_ROW(broken, d->compare, "a comparison");
        all[symbols + i] = (ProgramGuard){
            arena_printf(arena, "%s %s %s", names_size(names, d->a), how, names_size(names, d->b)),
            d->why, arena_printf(arena, "!(%s)", dim_guard_text(g->dims, d, arena))};
    }
    p->guards = all;
    p->guard_count = symbols + guards;
}

/* ---- kernels ------------------------------------------------------------------------------ */

/* "geglu.fx:3:5": the expression of the kernel's first stored value. */
static const char *place_of(const Graph *g, const Group *group) {
    Span span = g->node[group->nests.at[0].stored.at[0]].span;
    int line, column;
    if (span.file == NO_FILE) span = g->span;
    if (span.file == NO_FILE) return g->name;
    const Source *source = &g->diag->sources.at[span.file];
    source_place(source, span.lo, &line, &column);
    return arena_printf(g->arena, "%s:%d:%d", source->name, line, column);
}

static Dtype product_of(const Graph *g, const Group *group) {
    const NodeVec *nodes = &group->nests.at[0].nodes;
    for (int i = 0; i < nodes->count; i++)
        if (g->node[nodes->at[i]].op == OP_DOT) return g->node[g->node[nodes->at[i]].src[0]].type;
    return T_NONE;
}

static const char *size_of(const Names *names, Dim size) {
    return size ? names_size(names, size) : NULL;
}

static ProgramKernel kernel_of(const Names *names, const Group *group) {
    const Graph *g = names->plan->g;
    bool counted = group->bytes_read && group->bytes_written;
    Dim bytes = counted ? dim_add(g->dims, group->bytes_read, group->bytes_written) : 0;
    return (ProgramKernel){.name = group->name,
                           .place = place_of(g, group),
                           .bytes = size_of(names, bytes),
                           .flops = size_of(names, group->flops),
                           .product = product_of(g, group)};
}

/* ---- the function ------------------------------------------------------------------------- */

int program_number(const Plan *plan, int k) {
    const bool once = plan->groups.at[k].once;
    int number = once ? plan_called(plan) : 0;
    for (int i = 0; i < k; i++) number += plan->groups.at[i].once == once;
    return number;
}

Program emit_program(const Names *names, const char *file) {
    const Plan *plan = names->plan;
    const Graph *g = plan->g;
    Arena *arena = g->arena;
    int count = plan->groups.count, symbols = g->dims->symbols.count;
    ProgramKernel *kernels = arena_array(arena, ProgramKernel, count + 1);
    for (int k = 0; k < count; k++)
        kernels[program_number(plan, k)] = kernel_of(names, &plan->groups.at[k]);
    Program p = {.name = names->function,
                 .model_name = g->name,
                 .file = file,
                 .input_count = g->inputs.count,
                 .output_count = g->outputs.count,
                 .symbol_count = symbols,
                 .symbols = names->symbol,
                 .kernel_count = plan_called(plan),
                 .once_count = count - plan_called(plan),
                 .kernels = kernels,
                 .prepares = plan->constancy};
    put_guards(names, &p);
    return p;
}
