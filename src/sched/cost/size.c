/* size.c: machines of another size than the usual chip of their architecture: with fewer or more
 * multiprocessors, as an H100 PCIe or a MIG slice has.
 * In: the usual chip, what a driver says of a device. Out: a Machine; its size as text, for keys
 * and files. */
#include "sched/cost/cost.h"

#include <stdio.h>

enum {
    PROCESSORS_LEAST = 2, /* a cluster has two blocks at once */
    PROCESSORS_MOST = 1 << 16,
    L2_MOST = 1 << 16,
    SHARED_LEAST = 48 << 10, /* that every GPU has */
    SHARED_MOST = 1 << 20
};

static Chip *chip_of_share(Arena *arena, const Chip *usual, const Machine *m, double share) {
    Chip *c = arena_new_of(arena, Chip);
    *c = *usual;
    c->name = m->name;
    c->processors = m->processors;
    c->bandwidth *= share;
    for (int u = 0; u < UNIT_COUNT; u++) c->rate[u] *= share;
    c->l2 = m->l2_size;
    return c;
}

/* Figures that are known replace those of m. A larger L2 is not counted: plans for an H200 (60 MiB)
 * were fitted with the 50 of an H100. */
static void take(Machine *m, const MachineSize *size) {
    if (size->processors > 0)
        m->processors = size->processors > PROCESSORS_LEAST ? size->processors : PROCESSORS_LEAST;
    if (size->l2 > 0 && size->l2 < m->l2_size) m->l2_size = size->l2;
    if (size->shared_block >= SHARED_LEAST) m->shared_block = size->shared_block;
    if (size->shared_processor >= SHARED_LEAST) m->shared_processor = size->shared_processor;
}

static MachineSize size_of(const Machine *m) {
    return (MachineSize){m->processors, m->l2_size, m->shared_block, m->shared_processor};
}

static bool sizes_equal(const MachineSize *a, const MachineSize *b) {
    return a->processors == b->processors && a->l2 == b->l2 && a->shared_block == b->shared_block &&
           a->shared_processor == b->shared_processor;
}

/* Rates and bandwidth are in proportion to the multiprocessors: what one of them computes and loads
 * per clock stays that of the usual chip, and with it the balance that plans were fitted to. An L4
 * of 58 multiprocessors has 353 GB/s so, 864 as the usual chip of its architecture, and 300 by its
 * data sheet (chips.c). */
const Machine *machine_of_size(Arena *arena, const Machine *usual, const MachineSize *size) {
    Machine *m = arena_new_of(arena, Machine);
    const Chip *chip = machine_chip(usual);
    *m = *usual;
    if (machine_is_gpu(usual)) take(m, size);
    const MachineSize before = size_of(usual), now = size_of(m);
    if (sizes_equal(&before, &now)) return usual;
    const double share = (double)m->processors / usual->processors;
    m->name = arena_printf(arena, "%s with %d multiprocessors", usual->name, m->processors);
    m->bandwidth = (int)(share * usual->bandwidth + 0.5);
    if (chip) m->chip = chip_of_share(arena, chip, m, share);
    return m;
}

/* ---- as text -------------------------------------------------------------------------------- */

const char *machine_size_print(Arena *arena, const Machine *m) {
    return arena_printf(arena, "%d multiprocessors, %d MiB of L2, %d and %d bytes of shared memory",
                        m->processors, m->l2_size, m->shared_block, m->shared_processor);
}

static bool is_within(int value, int least, int most) { return value >= least && value <= most; }

bool machine_size_parse(const char *text, MachineSize *size) {
    int end = 0;
    *size = (MachineSize){0};
    sscanf(text, "%9d multiprocessors, %9d MiB of L2, %9d and %9d bytes of shared memory%n",
           &size->processors, &size->l2, &size->shared_block, &size->shared_processor, &end);
    return end && !text[end] && is_within(size->processors, PROCESSORS_LEAST, PROCESSORS_MOST) &&
           is_within(size->l2, 1, L2_MOST) &&
           is_within(size->shared_block, SHARED_LEAST, SHARED_MOST) &&
           is_within(size->shared_processor, size->shared_block, SHARED_MOST);
}
