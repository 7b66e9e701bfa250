/* times.c: the least times of a kernel at the peaks of a machine.
 * In: Counts, sizes. Out: Times.
 * Source of the bounds: Williams, Waterman, Patterson, "Roofline", CACM 52 (2009): what overlaps
 * takes as long as its longest part. */
#include "roofline/roofline.h"

#include <math.h>

/* Each device sends and receives that many times its partial sums, in rings: two halves of an
 * all-reduce. */
double allreduce_factor(int devices) { return 2.0 * (devices - 1) / devices; }

/* The sizes on one device. */
static const double *local_sizes(const Rooflines *r, const double *sizes) {
    const Dims *d = r->plan->g->dims;
    if (r->shard_symbol < 0) return sizes;
    double *local = arena_array(r->plan->g->arena, double, d->symbols.count);
    for (int i = 0; i < d->symbols.count; i++)
        local[i] = i == r->shard_symbol ? sizes[i] / r->shard.devices : sizes[i];
    return local;
}

/* A size that does not fit in 64 bits has no formula: 0. */
static double at(const Dims *d, Dim count, const double *sizes) {
    return count ? dim_real(d, count, sizes) : 0;
}

static void close_times(Times *t) {
    const double longest = fmax(t->memory, t->link);
    t->lower = fmax(t->math, longest);
    t->upper = t->math + t->memory + t->link;
    t->limit = t->math >= longest ? LIMIT_MATH : t->link > t->memory ? LIMIT_LINK : LIMIT_MEMORY;
}

Times times_of(const Rooflines *r, const Counts *c, const double *whole) {
    const Dims *d = r->plan->g->dims;
    const double *sizes = local_sizes(r, whole), link = machine_link(r->machine);
    Times t = {.read = at(d, c->read, sizes), .written = at(d, c->written, sizes)};
    t.exchanged = at(d, c->exchanged, sizes) * allreduce_factor(r->shard.devices);
    for (int u = 0; u < UNIT_COUNT; u++) {
        const double rate = machine_rate(r->machine, u);
        t.ops[u] = at(d, c->ops[u], sizes);
        t.unit[u] = rate > 0 ? t.ops[u] / rate : 0;
        if (t.unit[u] > t.math) t.math = t.unit[u], t.busiest = u;
    }
    t.memory = (t.read + t.written) / machine_bandwidth(r->machine);
    t.link = link > 0 ? t.exchanged / link : 0;
    close_times(&t);
    return t;
}

/* Kernels run one after the other. */
Times times_whole(const Rooflines *r, const double *sizes) {
    Times all = {0};
    double lower = 0;
    for (int i = 0; i < r->kernels.count; i++) {
        if (r->plan->groups.at[i].once) continue;
        const Times t = times_of(r, &r->kernels.at[i].counts, sizes);
        all.read += t.read, all.written += t.written, all.exchanged += t.exchanged;
        all.math += t.math, all.memory += t.memory, all.link += t.link, lower += t.lower;
        for (int u = 0; u < UNIT_COUNT; u++) {
            all.ops[u] += t.ops[u], all.unit[u] += t.unit[u];
            if (all.unit[u] > all.unit[all.busiest]) all.busiest = u;
        }
    }
    close_times(&all);
    all.lower = lower;
    return all;
}
