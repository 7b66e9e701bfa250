/* estimate.c: how long a kernel takes with its tile: beside the roofline, whole waves and padding.
 * In: a kernel of a plan, its tiles. Out: seconds. */
#include "roofline/roofline.h"

#include <math.h>

/* Of a GPU's bandwidth, what a copy reaches: on an H200 4151 of 4800 GB/s (bench/results/h200.md).
 */
static const double copied_share = 0.865;

/* Other rates go with that of f32. */
static const Chip *chip_as_measured(Arena *arena, const Chip *chip, double copied,
                                    double operations) {
    Chip *c = arena_new_of(arena, Chip);
    *c = *chip;
    if (copied > 0) c->bandwidth = copied;
    for (int u = 0; operations > 0 && u < UNIT_COUNT; u++)
        c->rate[u] *= operations / chip->rate[UNIT_F32];
    return c;
}

const Machine *machine_as_measured(Arena *arena, const Machine *machine, double copied,
                                   double operations) {
    Machine *m = arena_new_of(arena, Machine);
    const bool is_gpu = machine_is_gpu(machine);
    *m = *machine;
    if (copied > 0) m->bandwidth = (int)(1e-9 * copied / (is_gpu ? copied_share : 1) + 1);
    if (is_gpu) return m;
    m->chip = chip_as_measured(arena, machine_chip(machine), copied, operations);
    if (operations > 0) m->processors = 1, m->clock = (int)(1e-6 * operations / (2 * m->fma) + 1);
    return m;
}

/* The share of a size that the work of products is counted with. */
static double share_counted(const Body *b, int axis) {
    const double size = (double)cost_size(b->indices->dims, b->indices->extent[axis]);
    return size / (ceil(size / COST_PAD) * COST_PAD);
}

/* In the last wave, multiprocessors are idle; elements beyond the sizes are computed, too. */
static double by_waves(const Kernel *k, const Tile *t, const Machine *gpu) {
    const Waves w = waves_of(k, 0, t, gpu);
    const Body *b = &k->bodies.at[0];
    const double tiles = w.tiles / gpu->processors;
    if (!(w.tiles > 0) || w.is_open) return 1;
    if (k->family == F_ROW) return fmax(1 / tiles, 1); /* memory is slower if few ask for it */
    const double counted = share_counted(b, DOT_M) * (w.n ? share_counted(b, DOT_N) : 1);
    return ceil(tiles) / tiles * (w.padded > 0 ? counted / w.padded : 1);
}

/* Without the launch. */
static double kernel_seconds(const Plan *plan, int group, const TiledKernels *kernels) {
    const Machine *machine = plan->machine;
    const Group *g = &plan->groups.at[group];
    const Kernel *k = kernels->at[group];
    const Tile *t = &kernels->tiles[group][0];
    Work work = g->work;
    if (!machine_is_gpu(machine)) return cost_estimate(machine, &work).seconds;
    work.bytes /= copied_share;
    if (k->family == F_POINTWISE) return cost_estimate(machine, &work).seconds;
    const double tiled = tile_seconds(k, 0, machine, t, plan->g->arena);
    if (tiled > 0) return fmax(tiled, work.bytes / (1e9 * machine->bandwidth));
    work.tiles = 0;
    work.products *= mask_share(k);
    const double start = k->family == F_ROW ? 0 : machine->start / (1e6 * machine->clock);
    return cost_estimate(machine, &work).seconds * by_waves(k, t, machine) + start;
}

double launch_seconds(const Plan *plan, int group, const TiledKernels *kernels) {
    return kernel_seconds(plan, group, kernels) + 1e-9 * plan->machine->launch;
}
