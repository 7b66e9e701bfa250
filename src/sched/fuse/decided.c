/* decided.c: pairs of kernels whose fusion is decided elsewhere: by measuring, where estimates are
 * close. In: pins by the names of values. Out: for two clusters, whether they are to be one. */
#include "sched/fuse/fuse_private.h"

#include <string.h>

const char *fuse_pin_name(const Plan *plan, NodeId id) {
    char *name = arena_strdup(plan->g->arena, plan_node_name(plan, id));
    for (char *p = name; *p; p++)
        if (*p == ' ') *p = ':';
    return name;
}

void fuse_pin_print(const FusePin *pin, Text *out) {
    if (pin->b)
        text_printf(out, "%s %s %s", pin->is_cut ? "cut" : "fuse", pin->a, pin->b);
    else
        text_printf(out, "split %s %lld", pin->a, (long long)pin->parts);
}

static NodeId find(const Clusters *c, const FusePin *pin, const char *name) {
    for (NodeId id = 1; id < c->g->count; id++)
        if (c->of[id] >= 0 && !strcmp(fuse_pin_name(c->plan, id), name)) return id;
    diag_error(c->g->diag, pin->at, "%s computes no value '%s'", c->g->name, name);
    return 0;
}

void pins_find(Clusters *c, const FusePins *pins) {
    for (int i = 0; pins && i < pins->count; i++) {
        const FusePin *pin = &pins->at[i];
        if (!pin->b || strcmp(pin->fn, c->g->name) != 0) continue;
        const DecidedPair pair = {find(c, pin, pin->a), find(c, pin, pin->b), pin};
        if (pair.a && pair.b) vec_push(c->arena, &c->decided, pair);
    }
}

bool pins_decide(const FusePins *pins, const Graph *g) {
    for (int i = 0; pins && i < pins->count; i++)
        if (pins->at[i].b && !strcmp(pins->at[i].fn, g->name)) return true;
    return false;
}

const FusePin *pin_of(const Clusters *c, int a, int b) {
    for (int i = 0; i < c->decided.count; i++) {
        const int x = c->of[c->decided.at[i].a], y = c->of[c->decided.at[i].b];
        if ((x == a && y == b) || (x == b && y == a)) return c->decided.at[i].pin;
    }
    return NULL;
}

void pins_verify(const Clusters *c) {
    for (int i = 0; i < c->decided.count; i++) {
        const DecidedPair *pair = &c->decided.at[i];
        const bool are_one = c->of[pair->a] == c->of[pair->b];
        if (are_one == !pair->pin->is_cut) continue;
        diag_error(c->g->diag, pair->pin->at,
                   are_one ? "%s and %s are one kernel in any case"
                           : "%s and %s cannot be one kernel",
                   pair->pin->a, pair->pin->b);
    }
}
