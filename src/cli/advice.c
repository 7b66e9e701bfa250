/* advice.c: sizes that would make a model faster: the next multiples of powers of 2, and smaller
 * sizes that save a wave. The model is compiled with each of them, and expected times are compared.
 * In: a compilation and its options, of which -D gives dims. Out: Advices. */
#include "cli/command.h"

#include <math.h>
#include <string.h>

static const double least_up = 0.02, least_down = 0.05; /* of the time, to be worth saying */
static const double most_growth = 1.125, least_rest = 0.97;

typedef struct Resizing {
    Session *s;
    const Compilation *base;
    const CompileOptions *options;
    int binding;
} Resizing;

/* ---- another size ------------------------------------------------------------------------- */

Compilation *compile_with_size(Session *s, const CompileOptions *options, int binding,
                               int64_t size) {
    CompileOptions o = *options;
    DimBinding *bindings = arena_array(s->arena, DimBinding, o.binding_count);
    memcpy(bindings, o.bindings, sizeof *bindings * (size_t)o.binding_count);
    bindings[binding].value = size;
    o.bindings = bindings;
    Diag *own = diag_new(s->arena, 1);
    const Source *source = &s->diag->sources.at[0];
    diag_source(own, source->name, source->text, source->size);
    Compilation *c = compile(s->arena, own, 0, &o);
    return diag_status(own) == STATUS_OK ? c : NULL;
}

/* With the same kernels; NULL: the model does not allow it. */
static const Compilation *with_size(const Resizing *t, int64_t size) {
    CompileOptions o = *t->options;
    o.until = STAGE_TILE;
    const Compilation *c = compile_with_size(t->s, &o, t->binding, size);
    if (!c || c->functions.count != t->base->functions.count) return NULL;
    for (int i = 0; i < c->functions.count; i++)
        if (c->plans[i]->groups.count != t->base->plans[i]->groups.count) return NULL;
    return c;
}

static double kernel_time(const Compilation *c, int function, int kernel) {
    return launch_seconds(c->plans[function], kernel, &c->functions.at[function].kernels);
}

/* Compares the functions: the whole, and the kernel that gains most. */
static Advice compare(const Resizing *t, const Compilation *other, int64_t size) {
    Advice a = {.binding = t->binding,
                .dim = t->options->bindings[t->binding].name,
                .from = t->options->bindings[t->binding].value,
                .to = size};
    double before = 0, after = 0, most = 0;
    for (int f = 0; f < other->functions.count; f++)
        for (int k = 0; k < other->plans[f]->groups.count; k++) {
            const double was = kernel_time(t->base, f, k), is = kernel_time(other, f, k);
            before += was, after += is;
            if (was - is <= most) continue;
            most = was - is;
            a.function = f, a.kernel = k;
            a.times = was / is;
        }
    a.share = before > 0 ? 1 - after / before : 0;
    return a;
}

/* ---- why ------------------------------------------------------------------------------------ */

static Waves waves_in(const Compilation *c, const Advice *a) {
    const Function *f = &c->functions.at[a->function];
    return waves_of(f->kernels.at[a->kernel], 0, &f->kernels.tiles[a->kernel][0], f->plan->machine);
}

static int copies_elements(const Compilation *c, const Advice *a) {
    const Function *f = &c->functions.at[a->function];
    return tile_copies_elements(f->kernels.at[a->kernel], 0, f->plan->machine);
}

static const char *kind_in(const Compilation *c, const Advice *a) {
    const TileKind kind = c->functions.at[a->function].kernels.tiles[a->kernel][0].kind;
    return kind == TILE_WGMMA || kind == TILE_WGMMA_ROWS || kind == TILE_ATTENTION_WGMMA ? "wgmma"
                                                                                         : "mma";
}

/* Of 16-byte pieces; what of the kernel is different. */
static void explain(const Resizing *t, const Compilation *other, Advice *a) {
    Arena *arena = t->s->arena;
    const long long from = a->from, to = a->to;
    const Waves was = waves_in(t->base, a), is = waves_in(other, a);
    const double percent = 100 * a->share;
    a->name = t->base->plans[a->function]->groups.at[a->kernel].name;
    if (to > from && copies_elements(other, a) < copies_elements(t->base, a))
        a->text =
            arena_printf(arena,
                         "%s = %lld -> %lld saves %.0f %%: its rows start at no multiples of 16 "
                         "bytes, so that copies go element by element, %.1f times the time",
                         a->dim, from, to, percent, a->times);
    else if (strcmp(kind_in(t->base, a), kind_in(other, a)) != 0)
        a->text = arena_printf(arena, "%s = %lld -> %lld saves %.0f %%: tiles by %s instead of %s",
                               a->dim, from, to, percent, kind_in(other, a), kind_in(t->base, a));
    else if (to < from && ceil(is.waves) < ceil(was.waves))
        a->text = arena_printf(arena,
                               "%s = %lld needs %.0f waves: with %lld there %s %.0f, and it "
                               "takes %.0f %% less",
                               a->dim, from, ceil(was.waves), to, is.waves > 1 ? "are" : "is",
                               ceil(is.waves), percent);
    else
        a->text = arena_printf(arena, "%s = %lld -> %lld saves %.0f %%", a->dim, from, to, percent);
}

/* ---- all of them -------------------------------------------------------------------------- */

static void consider(const Resizing *t, int64_t size, Advice *best) {
    const Compilation *other = with_size(t, size);
    if (!other) return;
    Advice a = compare(t, other, size);
    if (a.share <= best->share + 1e-3) return;
    explain(t, other, &a);
    *best = a;
}

static void advise_dim(const Resizing *t, Advices *all) {
    static const int steps[] = {8, 16, 32, 64, 128, 256};
    const int64_t size = t->options->bindings[t->binding].value;
    Advice up = {.share = 0}, down = {.share = 0};
    int64_t above = 0, below = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const int64_t next = (size + steps[i] - 1) / steps[i] * steps[i];
        const int64_t last = (size - 1) / steps[i] * steps[i];
        if (next > size && next != above && (double)next <= most_growth * (double)size)
            consider(t, above = next, &up);
        if (last != below && last > 0 && (double)last >= least_rest * (double)size)
            consider(t, below = last, &down);
    }
    const double shrunk = down.to ? 1 - (double)down.to / (double)size : 0;
    if (up.share >= least_up) vec_push(t->s->arena, all, up);
    if (down.share >= least_down + shrunk && down.share > up.share + least_down)
        vec_push(t->s->arena, all, down);
}

Advices advice_make(Session *s, const Compilation *c, const CompileOptions *o) {
    Advices all = {0};
    for (int i = 0; i < c->functions.count; i++)
        if (!c->functions.at[i].kernels.tiles) return all;
    for (int i = 0; i < o->binding_count && c->functions.count; i++) {
        const Resizing t = {s, c, o, i};
        if (o->bindings[i].value > 1) advise_dim(&t, &all);
    }
    return all;
}

/* The place of the kernel's contraction, or of its last operator. */
static Span place_of(const Compilation *c, const Advice *a) {
    const Graph *g = c->plans[a->function]->g;
    const LoopNest *nest = &c->plans[a->function]->groups.at[a->kernel].nests.at[0];
    Span place = g->node[nest->nodes.at[nest->nodes.count - 1]].span;
    for (int i = 0; i < nest->nodes.count; i++)
        if (op_info[g->node[nest->nodes.at[i]].op].class == DOT)
            place = g->node[nest->nodes.at[i]].span;
    return place;
}

void advice_remark(Session *s, const Compilation *c, const CompileOptions *o) {
    const Advices all = advice_make(s, c, o);
    for (int i = 0; i < all.count; i++)
        diag_remark(s->diag, place_of(c, &all.at[i]), "%s", all.at[i].text);
}
