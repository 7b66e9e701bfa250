/* roofline.c: all figures of a plan, together.
 * In: a Plan, its kernels with tiles. Out: Rooflines. */
#include "roofline/roofline.h"

static const double *nominal_sizes(const Plan *plan) {
    const Dims *d = plan->g->dims;
    double *sizes = arena_array(plan->g->arena, double, d->symbols.count);
    for (int i = 0; i < d->symbols.count; i++)
        sizes[i] = (double)cost_size(d, dim_symbol(plan->g->dims, d->symbols.at[i].name, NOWHERE));
    return sizes;
}

static Roofline roofline_of(const Rooflines *r, int kernel, const TiledKernels *kernels) {
    const Plan *plan = r->plan;
    Arena *arena = plan->g->arena;
    const Group *group = &plan->groups.at[kernel];
    Roofline line = {.name = group->name, .counts = counts_of(plan, group, r->shard_symbol)};
    line.times = times_of(r, &line.counts, r->sizes);
    line.turns = turns_of(r, &line.counts);
    const Chip *chip = machine_chip(r->machine);
    if (chip && chip->is_arithmetic) return line;
    if (r->shard_symbol < 0) line.expected = launch_seconds(plan, kernel, kernels);
    if (!machine_is_gpu(r->machine)) return line;
    const Kernel *k = kernels->at[kernel];
    for (int body = 0; body < k->bodies.count; body++)
        vec_push(arena, &line.waves, waves_of(k, body, &kernels->tiles[kernel][body], r->machine));
    return line;
}

Rooflines *rooflines_make(const Plan *plan, const TiledKernels *kernels, Shard shard) {
    Rooflines *r = arena_new_of(plan->g->arena, Rooflines);
    *r = (Rooflines){.plan = plan, .machine = plan->machine, .shard = shard, .shard_symbol = -1};
    r->sizes = nominal_sizes(plan);
    if (shard.dim) r->shard_symbol = dim_symbol_find(plan->g->dims, shard.dim);
    if (r->shard_symbol < 0) r->shard.devices = 1;
    for (int i = 0; i < plan->groups.count; i++) {
        vec_push(plan->g->arena, &r->kernels, roofline_of(r, i, kernels));
        if (!plan->groups.at[i].once) r->whole.expected += r->kernels.at[i].expected;
    }
    r->whole.name = "whole";
    r->whole.times = times_whole(r, r->sizes);
    r->whole.turns = turns_of(r, NULL);
    return r;
}

const char *limit_name(const Times *t) {
    return t->limit == LIMIT_MEMORY ? "memory"
           : t->limit == LIMIT_LINK ? "link"
                                    : unit_name[t->busiest];
}

double roofline_operations(const Times *t) {
    double ops = 0;
    for (int u = 0; u < UNIT_COUNT; u++) ops += t->ops[u];
    return ops;
}

double roofline_intensity(const Times *t) {
    const double bytes = t->read + t->written;
    return bytes > 0 ? roofline_operations(t) / bytes : 0;
}

double roofline_ridge(const Rooflines *r, Unit unit) {
    return machine_rate(r->machine, unit) / machine_bandwidth(r->machine);
}
