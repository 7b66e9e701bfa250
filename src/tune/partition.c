/* partition.c: decisions of the scheduler that its estimates leave open: pairs of kernels that
 * might be one, or are, and numbers of parts of split-K, where other ways are expected to take
 * about as long. In: a plan. Out: attempts, one for each other way. */
#include "tune/tune_private.h"

#include <stdlib.h>

static const double open_part = 0.2; /* of the kernels' estimated time: a gain below is open */
/* of pairs, and as many of splits */
static const int partitions_most[] = {[EFFORT_QUICK] = 0, [EFFORT_NORMAL] = 1, [EFFORT_FULL] = 4};

static double estimate(const Plan *plan, int group) {
    return group < 0 ? 0 : cost_estimate(plan->machine, &plan->groups.at[group].work).seconds;
}

static bool is_open(const Plan *plan, const Decision *d) {
    const int a = plan->group_of[d->a], b = plan->group_of[d->b];
    const bool may_differ =
        d->reason == FUSED ? a == b : (d->reason == NO_GAIN || d->reason == NO_RECOMPUTE) && a != b;
    const double seconds = estimate(plan, a) + (a == b ? 0 : estimate(plan, b));
    return may_differ && 1e-12 * llabs((long long)d->time) <= open_part * seconds;
}

static void add(Tuner *t, FusePin pin, Attempts *all) {
    FusePins *fusions = &t->tuned->section.fusions;
    Attempt a = {.error = -1, .distance = 1, .fusion = pin};
    a.registers = a.spills = -1, a.shared = -1;
    a.text = partition_print(t->arena, &pin);
    vec_push(t->arena, fusions, pin);
    a.decisions = decisions_text(t, 0, 0, NULL);
    fusions->count--;
    attempt_add(t, &a, all);
}

static void add_pairs(Tuner *t, Attempts *all) {
    const Plan *plan = t->f->plan;
    const int end = all->count + partitions_most[t->options->effort];
    for (int i = 0; i < plan->decisions.count && all->count < end; i++) {
        const Decision *d = &plan->decisions.at[i];
        if (is_open(plan, d))
            add(t,
                (FusePin){.fn = t->tuned->fn,
                          .a = fuse_pin_name(plan, d->a),
                          .b = fuse_pin_name(plan, d->b),
                          .is_cut = d->reason == FUSED,
                          .at = NOWHERE},
                all);
    }
}

static void add_splits(Tuner *t, Attempts *all) {
    const OpenSplits *open = &t->f->open_splits;
    const int end = all->count + partitions_most[t->options->effort];
    for (int i = 0; i < open->count && all->count < end; i++)
        add(t,
            (FusePin){.fn = t->tuned->fn,
                      .a = open->at[i].product,
                      .parts = open->at[i].parts,
                      .at = NOWHERE},
            all);
}

Attempts partitions_list(Tuner *t, const Attempt *current) {
    Attempts all = {0};
    Attempt first = *current;
    first.text = partition_print(t->arena, NULL);
    vec_push(t->arena, &all, first);
    add_pairs(t, &all);
    add_splits(t, &all);
    return all;
}

void partition_take(Tuner *t, const Attempt *winner) {
    const Source *source = &t->c->diag->sources.at[0];
    const TuneModel model = {source->name, source->text, source->size, t->compile};
    const Compilation *c =
        compile_decided(t->arena, diag_new(t->arena, 1), &model, winner->decisions);
    if (!c) return;
    vec_push(t->arena, &t->tuned->section.fusions, winner->fusion);
    t->c = c;
    t->f = &c->functions.at[0];
}
