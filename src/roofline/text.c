/* text.c: rooflines for people: `fusec explain --roofline`.
 * In: Rooflines. Out: text. */
#include "roofline/roofline.h"

#include <math.h>
#include <string.h>

/* "12.3 us" */
static const char *time_text(Arena *arena, double seconds) {
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int i = 0;
    while (i < 3 && seconds < 1) seconds *= 1e3, i++;
    return arena_printf(arena, "%.3g %s", seconds, units[i]);
}

/* "4*N*D", or "4*N*D = 4.19e+06", or the number */
static void put_count(const Rooflines *r, Dim count, double value, Text *out) {
    int64_t known;
    if (!count)
        text_str(out, "unknown");
    else if (dim_is_const(r->plan->g->dims, count, &known))
        text_printf(out, "%lld", (long long)known);
    else
        text_printf(out, "%s = %.4g", plan_size_text(r->plan, count), value);
}

static const char *sizes_text(const Rooflines *r, int without) {
    const Dims *d = r->plan->g->dims;
    Text out = text_new(d->arena);
    for (int i = 0; i < d->symbols.count; i++)
        if (i != without)
            text_printf(&out, "%s%s = %.0f", out.size ? ", " : "", d->symbols.at[i].name,
                        r->sizes[i]);
    return text_get(&out);
}

/* ---- where the bound changes ----------------------------------------------------------------- */

static void put_formulas(const Turn *t, const char *name, Text *out) {
    if (t->small > 0 && t->small != t->from)
        text_printf(out, "            while %s is small: from %s = %.0f\n", name, name, t->small);
    else if (!(t->small > 0) && t->small_text)
        text_printf(out, "            while %s is small: from %s = %s\n", name, name,
                    t->small_text);
    if (t->exact) text_printf(out, "            in general: from %s = %s\n", name, t->exact);
}

/* " with D = 1024, F = 1024" */
static const char *with_others(const Rooflines *r, const Turn *t) {
    const char *others = t->is_proven ? "" : sizes_text(r, t->symbol);
    return *others ? arena_printf(r->plan->g->arena, " with %s", others) : "";
}

static void put_turn(const Rooflines *r, const Turn *t, Text *out) {
    const char *name = r->plan->g->dims->symbols.at[t->symbol].name, *with = with_others(r, t);
    const bool is_link = t->against == LIMIT_LINK;
    const char *bound = is_link ? "link-bound" : "memory-bound";
    const char *not_bound = is_link                ? "compute-bound, not link-bound,"
                            : r->shard.devices > 1 ? "compute-bound, not memory-bound,"
                                                   : "compute-bound";
    text_printf(out, "  %-9s ", name);
    switch (t->kind) {
    case TURN_NEVER: text_printf(out, "%s at any %s%s\n", bound, name, with); break;
    case TURN_ALWAYS: text_printf(out, "%s at any %s%s\n", not_bound, name, with); break;
    case TURN_COMPUTE:
        text_printf(out, "%s from %s = %.0f%s\n", not_bound, name, t->from, with);
        break;
    case TURN_MEMORY: text_printf(out, "%s from %s = %.0f%s\n", bound, name, t->from, with); break;
    }
    put_formulas(t, name, out);
}

static void put_turns(const Rooflines *r, const Turns *turns, Text *out) {
    for (int i = 0; i < turns->count; i++) put_turn(r, &turns->at[i], out);
}

/* ---- a kernel ------------------------------------------------------------------------------ */

static void put_operations(const Rooflines *r, const Roofline *line, Text *out) {
    const char *between = "  computes  ";
    for (int u = 0; u < UNIT_COUNT; u++) {
        if (!(line->times.ops[u] > 0)) continue;
        text_str(out, between);
        if (line == &r->whole)
            text_printf(out, "%.4g", line->times.ops[u]);
        else
            put_count(r, line->counts.ops[u], line->times.ops[u], out);
        text_printf(out, " %s", unit_name[u]);
        between = ", ";
    }
    if (strcmp(between, ", ") == 0) text_char(out, '\n');
}

static void put_bound(const Rooflines *r, const Roofline *line, Text *out) {
    const Times *t = &line->times;
    Arena *arena = r->plan->g->arena;
    text_printf(out, "  intensity %.4g operations per byte", roofline_intensity(t));
    if (t->math > 0)
        text_printf(out, "; ridge %.4g (%s)", roofline_ridge(r, t->busiest), unit_name[t->busiest]);
    text_printf(out, "\n  T_math    %s", time_text(arena, t->math));
    for (int u = 0, first = 1; u < UNIT_COUNT; u++)
        if (t->unit[u] > 0) {
            text_printf(out, "%s%s %s", first ? ": " : ", ", unit_name[u],
                        time_text(arena, t->unit[u]));
            first = 0;
        }
    text_printf(out, "\n  T_memory  %s\n", time_text(arena, t->memory));
    if (t->link > 0) text_printf(out, "  T_link    %s\n", time_text(arena, t->link));
    text_printf(out, "  bounds    %s to %s, bound by %s\n", time_text(arena, t->lower),
                time_text(arena, t->upper), limit_name(t));
    if (line->expected > 0) text_printf(out, "  expected  %s\n", time_text(arena, line->expected));
}

static void put_waves(const Waves *w, Text *out) {
    if (!(w->tiles > 0)) return;
    text_printf(out, "  tiles     %.*f", w->is_open ? 1 : 0, w->tiles);
    if (w->m) text_printf(out, w->n ? " of %d x %d" : " of %d rows", w->m, w->n);
    if (w->padded > 0 && w->padded < 1) text_printf(out, ", %.1f %% of them work", 100 * w->padded);
    text_printf(out, "\n  waves     %.*f", w->is_open ? 2 : 0,
                w->is_open ? w->waves : ceil(w->waves));
    if (!w->is_open) text_printf(out, ", the last one %.0f %% full", 100 * w->last);
    text_printf(out, "\n  occupancy %d block%s of %d threads, %.0f %%, limited by %s\n", w->blocks,
                w->blocks == 1 ? "" : "s", w->threads, 100 * w->occupancy, w->limited);
}

static void put_kernel(const Rooflines *r, int number, Text *out) {
    const Roofline *line = &r->kernels.at[number];
    const Group *group = &r->plan->groups.at[number];
    text_printf(out, "\nkernel %s: %s%s\n  reads     ", line->name, family_name[group->family],
                group->once ? "; once, from constants" : "");
    put_count(r, line->counts.read, line->times.read, out);
    text_str(out, " bytes\n  writes    ");
    put_count(r, line->counts.written, line->times.written, out);
    text_str(out, " bytes\n");
    if (line->times.exchanged > 0)
        text_printf(out, "  exchanges %.4g bytes with other devices\n", line->times.exchanged);
    put_operations(r, line, out);
    put_bound(r, line, out);
    put_turns(r, &line->turns, out);
    for (int i = 0; i < line->waves.count; i++) put_waves(&line->waves.at[i], out);
}

static void put_machine(const Rooflines *r, Text *out) {
    const Machine *m = r->machine;
    text_printf(out, "%s: %.4g bytes/s", m->name, machine_bandwidth(m));
    for (int u = 0; u < UNIT_COUNT; u++) {
        const Chip *c = machine_chip(m);
        if (c ? c->rate[u] > 0 : machine_rate(m, u) > 0)
            text_printf(out, ", %s %.4g/s", unit_name[u], machine_rate(m, u));
    }
    if (r->shard.devices > 1)
        text_printf(out, "; %s over %d devices, links of %.4g bytes/s", r->shard.dim,
                    r->shard.devices, machine_link(m));
    text_char(out, '\n');
}

void rooflines_explain(const Rooflines *r, Text *out) {
    const Plan *plan = r->plan;
    text_printf(out, "fn %s at -O%d: %d kernel%s\n", plan->g->name, plan->opt, plan->groups.count,
                plan->groups.count == 1 ? "" : "s");
    put_machine(r, out);
    if (plan->g->dims->symbols.count)
        text_printf(out, "numbers are for %s (-D gives others)\n", sizes_text(r, -1));
    for (int i = 0; i < r->kernels.count; i++) put_kernel(r, i, out);
    if (r->kernels.count == 1) return;
    text_printf(out, "\nwhole\n  moves     %.4g bytes\n",
                r->whole.times.read + r->whole.times.written);
    put_operations(r, &r->whole, out);
    put_bound(r, &r->whole, out);
    put_turns(r, &r->whole.turns, out);
}
