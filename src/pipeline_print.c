/* pipeline_print.c: what the stages made, as text or JSON, and the times that they took.
 * In: Compilation. Out: text. */
#include "pipeline.h"

#include <string.h>

const char *const pass_name[PASS_COUNT] = {
    [PASS_PARSE] = "parse",         [PASS_LOWER] = "lower",       [PASS_DEFER] = "defer",
    [PASS_DECOMPOSE] = "decompose", [PASS_LIFT] = "lift",         [PASS_SIMPLIFY] = "simplify",
    [PASS_SLICES] = "slices",       [PASS_VERIFY] = "verify",     [PASS_FUSE] = "fuse",
    [PASS_BUFFERS] = "buffers",     [PASS_KERNEL] = "kernel",     [PASS_TILE] = "tile",
    [PASS_SHARE] = "share",         [PASS_SCHEDULE] = "schedule", [PASS_EMIT] = "emit",
    [PASS_COMPILER] = "compiler"};

static void print_pass(Arena *arena, const char *pass, const Graph *g, const char **last,
                       Text *out) {
    if (!g) return;
    Text text = text_new(arena);
    graph_print(g, &text);
    bool same = *last && !strcmp(*last, text_get(&text));
    *last = text_get(&text);
    text_printf(out, "// after %s%s\n%s", pass, same ? ": (unchanged)" : "", same ? "" : *last);
}

static void print_graphs(const Compilation *c, const Function *f, Text *out) {
    const char *last = NULL;
    print_pass(c->arena, pass_name[PASS_LOWER], f->lowered, &last, out);
    print_pass(c->arena, pass_name[PASS_DEFER], f->deferred, &last, out);
    print_pass(c->arena, pass_name[PASS_DECOMPOSE], f->decomposed, &last, out);
    print_pass(c->arena, pass_name[PASS_LIFT], f->lifted, &last, out);
    print_pass(c->arena, pass_name[PASS_SIMPLIFY], f->simplified, &last, out);
    print_pass(c->arena, pass_name[PASS_SLICES], f->sliced, &last, out);
}

/* All legal tiles, the chosen one first. */
static void print_tiles(const Compilation *c, const Function *f, Text *out) {
    const Machine *machine = f->plan->machine;
    for (int i = 0; i < f->plan->groups.count; i++) {
        const Kernel *k = f->kernels.at[i];
        for (int body = 0; body < k->bodies.count; body++) {
            const TileVec all = tile_candidates(k, body, machine, c->arena);
            text_printf(out, "kernel %s", k->name);
            if (k->bodies.count > 1) text_printf(out, ", loop nest %d", body + 1);
            text_printf(out, ": %d legal tile%s for %s\n  ", all.count, all.count > 1 ? "s" : "",
                        machine->name);
            tile_print(&f->kernels.tiles[i][body], out);
            text_str(out, "  // chosen\n");
            for (int t = 0; t < all.count; t++) {
                if (tile_equal(&all.at[t], &f->kernels.tiles[i][body])) continue;
                text_str(out, "  ");
                tile_print(&all.at[t], out);
                text_char(out, '\n');
            }
        }
    }
}

static const char *tiles_text(const Function *f, int kernel, Arena *arena) {
    Text text = text_new(arena);
    for (int body = 0; body < f->kernels.at[kernel]->bodies.count; body++) {
        if (body) text_str(&text, "; ");
        tile_print(&f->kernels.tiles[kernel][body], &text);
    }
    return text_get(&text);
}

const KernelReport *const *compilation_kernels(const Compilation *c) {
    const KernelReport **all = arena_array(c->arena, const KernelReport *, c->functions.count + 1);
    for (int i = 0; i < c->functions.count; i++) {
        const Function *f = &c->functions.at[i];
        KernelReport *kernels = arena_array(c->arena, KernelReport, f->plan->groups.count + 1);
        for (int k = 0; k < f->plan->groups.count; k++)
            kernels[k] = (KernelReport){tiles_text(f, k, c->arena),
                                        f->plan->groups.at[f->kernels.function[k]].name};
        all[i] = kernels;
    }
    return all;
}

static bool add_roofline(const void *of, int function, int kernel, struct json_t *object) {
    return roofline_json(((const Rooflines *const *)of)[function], kernel, object);
}

bool compilation_json(const Compilation *c, Text *out) {
    const Rooflines **all = arena_array(c->arena, const Rooflines *, c->functions.count + 1);
    for (int i = 0; i < c->functions.count; i++)
        all[i] = rooflines_make(c->functions.at[i].plan, &c->functions.at[i].kernels, (Shard){0});
    const PlanMembers members = {add_roofline, all};
    return plans_json(c->name, c->plans, compilation_kernels(c), c->functions.count, &members, out);
}

void compilation_print(const Compilation *c, Stage stage, Text *out) {
    if (stage == STAGE_AST && c->ast) ast_print(c->ast, out);
    if (stage == STAGE_SOURCE) text_bytes(out, text_get(&c->source), c->source.size);
    for (int i = 0; i < c->functions.count; i++) {
        const Function *f = &c->functions.at[i];
        if (i && stage != STAGE_AST && stage != STAGE_SOURCE) text_char(out, '\n');
        if (stage == STAGE_GRAPH) print_graphs(c, f, out);
        if (stage == STAGE_PLAN && f->plan) plan_print(f->plan, out);
        if (stage == STAGE_TILE && f->kernels.tiles) print_tiles(c, f, out);
        if (stage != STAGE_KERNEL) continue;
        for (int k = 0; f->kernels.schedules && k < f->plan->groups.count; k++)
            kernel_print(f->kernels.at[k], f->kernels.at[f->kernels.function[k]],
                         f->kernels.schedules[k], out);
    }
}

void compilation_print_times(const Compilation *c, Text *out) {
    double total = 0;
    for (int i = 0; i < PASS_COUNT; i++) total += c->seconds[i];
    text_printf(out, "%10s %7s  %s\n", "ms", "%", "pass");
    for (int i = 0; i < PASS_COUNT; i++)
        if (i != PASS_COMPILER || c->seconds[i] > 0)
            text_printf(out, "%10.3f %7.1f  %s\n", 1e3 * c->seconds[i],
                        total > 0 ? 100 * c->seconds[i] / total : 0.0, pass_name[i]);
    text_printf(out, "%10.3f %7.1f  total\n", 1e3 * total, 100.0);
}
