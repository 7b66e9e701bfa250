/* stages.c: the walk over a row as text: its stages, and what each computes for an element. What
 * targets spell in their own way is in the Dialect.
 * In: Writer with a Body and its Schedule. Out: statements. */
#include "emit/text/writer.h"

/* ---- levels -------------------------------------------------------------------------------- */

void declare_level(Writer *w, int level, int stage) {
    w->level = level;
    w->stage = stage;
    count_uses(w);
    for (int i = 1; i < w->b->values.count; i++) {
        const Place *p = &w->s->value[i];
        if (p->level == level && p->used && !p->of_group && (level == 0 || p->stage == stage))
            declare_value(w, i);
    }
}

static bool is_stored_here(const Writer *w, int store, int stage) {
    return schedule_stores(w->s, store, stage) && w->s->store[store].phase == w->phase;
}

/* What accumulators and stores of the elements need. */
static void declare_roots(Writer *w, int stage) {
    const Body *b = w->b;
    for (int i = 0; i < b->accs.count; i++) {
        const Accumulator *a = &b->accs.at[i];
        if (!schedule_reduces(w->s, i, stage, w->phase)) continue;
        declare_value(w, schedule_is_online(w->s, i) ? a->online_x : a->value);
        if (a->op == OP_ARGMAX) declare_value(w, a->index);
    }
    for (int i = 0; i < b->stores.count; i++)
        if (is_stored_here(w, i, stage)) declare_value(w, b->stores.at[i].value);
}

/* ---- the walk ------------------------------------------------------------------------------ */

void write_accumulators(Writer *w, int stage, void (*write)(Writer *w, int acc)) {
    for (int i = 0; i < w->b->accs.count; i++)
        if (w->s->acc[i] == stage) write_marked(w, w->b->accs.at[i].result, write, i);
}

static void accumulate_here(Writer *w, int stage) {
    for (int i = 0; i < w->b->accs.count; i++)
        if (schedule_reduces(w->s, i, stage, w->phase))
            write_marked(w, w->b->accs.at[i].result, w->dialect->accumulate, i);
}

void write_element(Writer *w, int stage) {
    declare_roots(w, stage);
    accumulate_here(w, stage);
    for (int i = 0; i < w->b->stores.count; i++)
        if (is_stored_here(w, i, stage))
            write_marked(w, w->b->stores.at[i].value, w->dialect->store, i);
}

void write_row_stores(Writer *w, int stage) {
    for (int i = 0; i < w->b->stores.count; i++)
        if (w->s->store[i].level == 1 && w->s->store[i].stage == stage && !w->s->store[i].of_group)
            write_marked(w, w->b->stores.at[i].value, w->dialect->store_row, i);
}

/* ---- groups of a row ------------------------------------------------------------------------- */

void write_group_accumulators(Writer *w, int stage, void (*write)(Writer *w, int acc)) {
    for (int i = 0; i < w->b->accs.count; i++)
        if (schedule_reduces_group(w->s, i, stage) && schedule_phase(w->s, i) == w->phase)
            write_marked(w, w->b->accs.at[i].result, write, i);
}

void forget_groups(Writer *w, bool reductions) {
    for (int i = 1; i < w->b->values.count; i++)
        if (w->s->value[i].of_group && (reductions || w->b->values.at[i].kind != V_ACC))
            w->name[i] = NULL;
}

/* Values of the group, in this phase or also in those before it. */
static void declare_group(Writer *w, int stage, int first) {
    w->level = 1;
    w->stage = stage;
    w->in_group = true;
    count_uses(w);
    for (int i = 1; i < w->b->values.count; i++) {
        const Place *p = &w->s->value[i];
        if (p->of_group && p->used >> stage & 1 && p->phase >= first && p->phase <= w->phase)
            declare_value(w, i);
    }
}

void write_group(Writer *w, int stage, int first) {
    declare_group(w, stage, first);
    for (int i = 0; i < w->b->stores.count; i++) {
        const StorePlace *p = &w->s->store[i];
        if (p->of_group && p->stage == stage && p->phase == w->phase)
            write_marked(w, w->b->stores.at[i].value, w->dialect->store_row, i);
    }
    w->in_group = false;
}

bool has_elements(const Writer *w, int stage) {
    for (int i = 0; i < w->b->accs.count; i++)
        if (schedule_reduces(w->s, i, stage, w->phase)) return true;
    for (int i = 0; i < w->b->stores.count; i++)
        if (is_stored_here(w, i, stage)) return true;
    return false;
}

/* ---- the walk over stages -------------------------------------------------------------------- */

/* Values of the row that the stage needs, and stores that are ready before it. */
static void write_before(Writer *w, int stage) {
    declare_level(w, 1, stage);
    write_row_stores(w, stage);
}

void write_stages(Writer *w, void (*write)(Writer *w, int stage)) {
    const int stages = w->s->stage_count;
    for (int stage = 0; stage <= stages; stage++) {
        write_before(w, stage);
        if (stage < stages && schedule_has_work(w->s, stage)) write(w, stage);
    }
}
