/* life.c: how long buffers live.
 * In: a plan with buffers and slots. Out: their lives over the kernels of a call, and the peak.
 * Kernels that run once, to prepare constants, are none of a call. */
#include "sched/report/life.h"

#include <string.h>

const char *const life_role[LIFE_ROLES] = {"input", "output", "kept", "prepared", "temp"};

LifeRole life_role_of(const Plan *p, const Buffer *b) {
    const bool is_kept = p->g->kept && !strncmp(b->name, "keep_", 5);
    if (b->prepared) return LIFE_PREPARED;
    if (b->kind == B_TEMP) return LIFE_TEMP;
    return is_kept ? LIFE_KEPT : b->kind == B_INPUT ? LIFE_INPUT : LIFE_OUTPUT;
}

bool life_holds(const Life *life, int kernel) {
    return life->first <= kernel && kernel <= life->last;
}

/* Kernels of the plan -> kernels of a call before it. */
static int *number_kernels(Lives *l) {
    const Plan *p = l->plan;
    int *number = arena_array(p->g->arena, int, p->groups.count + 1);
    for (int k = 0; k < p->groups.count; k++) {
        number[k] = l->kernels.count;
        if (!p->groups.at[k].once) vec_push(p->g->arena, &l->kernels, p->groups.at[k].name);
    }
    return number;
}

static void add_buffer(Lives *l, int buffer, const int *number) {
    const Plan *p = l->plan;
    const Buffer *b = &p->buffers.at[buffer];
    const Dim size = buffer_bytes(p, buffer);
    Life life = {.name = b->name, .role = life_role_of(p, b), .size = size, .slot = b->slot};
    if (b->constant && !b->prepared) return; /* an argument of prepare, and not of calls */
    if (life.role == LIFE_TEMP && b->slot < 0) return;
    life.bytes = size ? (double)cost_dim(p->g, size) : 0;
    life.last = l->kernels.count - 1;
    if (life.role == LIFE_TEMP) life.first = number[b->first], life.last = number[b->last];
    l->role[life.role] += life.bytes;
    vec_push(p->g->arena, &l->buffers, life);
}

static void add_slots(Lives *l) {
    const Plan *p = l->plan;
    l->slot_count = p->slots.count;
    l->slots = arena_array(p->g->arena, double, p->slots.count + 1);
    for (int i = 0; i < p->slots.count; i++) {
        l->slots[i] = (double)cost_dim(p->g, p->slots.at[i].bytes);
        l->workspace += l->slots[i];
    }
}

static void find_peak(Lives *l) {
    l->in_use = arena_array(l->plan->g->arena, double, l->kernels.count + 1);
    for (int k = 0; k < l->kernels.count; k++) {
        for (int i = 0; i < l->buffers.count; i++)
            if (life_holds(&l->buffers.at[i], k)) l->in_use[k] += l->buffers.at[i].bytes;
        if (l->in_use[k] > l->peak) l->peak = l->in_use[k], l->peak_at = k;
    }
}

Lives *lives_of(const Plan *plan) {
    Lives *l = arena_new_of(plan->g->arena, Lives);
    *l = (Lives){.plan = plan};
    const int *number = number_kernels(l);
    for (int i = 0; i < plan->buffers.count; i++) add_buffer(l, i, number);
    add_slots(l);
    find_peak(l);
    return l;
}
