/* lifetimes.c: how long buffers live.
 * In: a plan with buffers and slots. Out: their lifetimes over the kernels of a call, and the peak.
 * Kernels that run once, to prepare constants, are none of a call. */
#include "sched/report/lifetimes.h"

#include <string.h>

const char *const lifetime_role[LIFETIME_ROLES] = {"input", "output", "kept", "prepared", "temp"};

LifetimeRole lifetime_role_of(const Plan *p, const Buffer *b) {
    const bool is_kept = p->g->kept && !strncmp(b->name, "keep_", 5);
    if (b->prepared) return LIFETIME_PREPARED;
    if (b->kind == B_TEMP) return LIFETIME_TEMP;
    return is_kept ? LIFETIME_KEPT : b->kind == B_INPUT ? LIFETIME_INPUT : LIFETIME_OUTPUT;
}

bool lifetime_holds(const Lifetime *lifetime, int kernel) {
    return lifetime->first <= kernel && kernel <= lifetime->last;
}

/* Kernels of the plan -> kernels of a call before it. */
static int *number_kernels(Lifetimes *l) {
    const Plan *p = l->plan;
    int *number = arena_array(p->g->arena, int, p->groups.count + 1);
    for (int k = 0; k < p->groups.count; k++) {
        number[k] = l->kernels.count;
        if (!p->groups.at[k].once) vec_push(p->g->arena, &l->kernels, p->groups.at[k].name);
    }
    return number;
}

static void add_buffer(Lifetimes *l, int buffer, const int *number) {
    const Plan *p = l->plan;
    const Buffer *b = &p->buffers.at[buffer];
    const Dim size = buffer_bytes(p, buffer);
    Lifetime lifetime = {
        .name = b->name, .role = lifetime_role_of(p, b), .size = size, .slot = b->slot};
    if (b->constant && !b->prepared) return; /* an argument of prepare, and not of calls */
    if (lifetime.role == LIFETIME_TEMP && b->slot < 0 && b->input < 0) return;
    if (b->input >= 0) lifetime.input = p->buffers.at[b->input].name;
    lifetime.bytes = size ? (double)cost_dim(p->g, size) : 0;
    lifetime.last = l->kernels.count - 1;
    if (lifetime.role == LIFETIME_TEMP)
        lifetime.first = number[b->first], lifetime.last = number[b->last];
    l->role[lifetime.role] += lifetime.bytes;
    vec_push(p->g->arena, &l->buffers, lifetime);
}

static void add_slots(Lifetimes *l) {
    const Plan *p = l->plan;
    l->slot_count = p->slots.count;
    l->slots = arena_array(p->g->arena, double, p->slots.count + 1);
    for (int i = 0; i < p->slots.count; i++) {
        l->slots[i] = (double)cost_dim(p->g, p->slots.at[i].bytes);
        l->workspace += l->slots[i];
    }
}

/* A temp that is written over another one is not counted again. */
static double in_use(const Lifetimes *l, int kernel) {
    double *slot = arena_array(l->plan->g->arena, double, l->slot_count + 1), all = 0;
    for (int i = 0; i < l->buffers.count; i++) {
        const Lifetime *b = &l->buffers.at[i];
        if (!lifetime_holds(b, kernel) || b->input) continue;
        const double before = b->slot < 0 ? 0 : slot[b->slot];
        if (b->bytes > before) all += b->bytes - before;
        if (b->slot >= 0 && b->bytes > before) slot[b->slot] = b->bytes;
    }
    return all;
}

static void find_peak(Lifetimes *l) {
    l->in_use = arena_array(l->plan->g->arena, double, l->kernels.count + 1);
    for (int k = 0; k < l->kernels.count; k++) {
        l->in_use[k] = in_use(l, k);
        if (l->in_use[k] > l->peak) l->peak = l->in_use[k], l->peak_at = k;
    }
}

Lifetimes *lifetimes_of(const Plan *plan) {
    Lifetimes *l = arena_new_of(plan->g->arena, Lifetimes);
    *l = (Lifetimes){.plan = plan};
    const int *number = number_kernels(l);
    for (int i = 0; i < plan->buffers.count; i++) add_buffer(l, i, number);
    add_slots(l);
    find_peak(l);
    return l;
}
