/* estimate.c: how long a kernel takes with its tile: beside the roofline, whole waves and padding.
 * In: a kernel of a plan, its tiles. Out: seconds, without the launch. */
#include "roofline/roofline.h"

#include <math.h>

/* In the last wave, multiprocessors are idle; elements beyond the sizes are computed, too. */
static double by_waves(const Kernel *k, const Tile *t, const Machine *gpu) {
    const Waves w = waves_of(k, 0, t, gpu);
    const double tiles = w.tiles / gpu->processors;
    if (!(w.tiles > 0) || w.is_open || k->family == F_ROW) return 1;
    return ceil(tiles) / tiles / (w.padded > 0 ? w.padded : 1);
}

double kernel_seconds(const Plan *plan, int group, const TiledKernels *kernels) {
    const Machine *machine = plan->machine;
    const Group *g = &plan->groups.at[group];
    const Kernel *k = kernels->at[group];
    const Tile *t = &kernels->tiles[group][0];
    const double roofline = cost_estimate(machine, &g->work).seconds;
    if (!machine_is_gpu(machine) || k->family == F_POINTWISE) return roofline;
    const double tiled = tile_seconds(k, 0, machine, t, plan->g->arena);
    if (tiled > 0) return fmax(tiled, g->work.bytes / (1e9 * machine->bandwidth));
    Work work = g->work;
    work.tiles = 0;
    return cost_estimate(machine, &work).seconds * by_waves(k, t, machine);
}

double launch_seconds(const Plan *plan, int group, const TiledKernels *kernels) {
    return kernel_seconds(plan, group, kernels) + 1e-9 * plan->machine->launch;
}
