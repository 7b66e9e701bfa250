/* panels.c: what runs once, and which operands of contractions are packed once: both depend on
 * constant inputs only.
 * needs: groups, constancy. makes: Group.once, Group.packs_once, and buffers for the panels of such
 * operands; constancy is NULL where a GPU has nothing to prepare. */
#include "sched/memory/memory.h"

static bool stores_output(const Plan *p, const LoopNest *nest) {
    for (int i = 0; i < nest->stored.count; i++)
        for (int k = 0; k < p->g->outputs.count; k++)
            if (storage_of(p->g, p->g->outputs.at[k].node) == nest->stored.at[i]) return true;
    return false;
}

/* What is known while constants are prepared: the kernels that ran, inputs, and values that the
 * kernel computes from these (`inner`, by node). */
typedef struct Known {
    const Plan *p;
    bool *inner;
} Known;

/* Can kernel number `group` read the value then? */
static bool is_there(const Known *known, int group, NodeId id) {
    NodeId base = source_of(known->p, id);
    int from = known->p->group_of[base];
    if (known->p->constancy[id] == VARIES) return false;
    return from < 0 || (from == group ? known->inner[base] : known->p->groups.at[from].once);
}

/* Checks all nodes of a kernel; true if all can be computed then. */
static bool find_inner(Known *known, int group) {
    const Plan *p = known->p;
    bool all = true;
    for (int i = 0; i < p->groups.at[group].nests.count; i++) {
        const NodeVec *nodes = &p->groups.at[group].nests.at[i].nodes;
        for (int k = 0; k < nodes->count; k++) {
            const Node *n = &p->g->node[nodes->at[k]];
            bool *inner = &known->inner[nodes->at[k]];
            *inner = p->constancy[nodes->at[k]] != VARIES;
            for (int s = 0; s < n->src_count; s++) *inner &= is_there(known, group, n->src[s]);
            all &= *inner;
        }
    }
    return all;
}

/* Outputs belong to the caller, and differ between calls. */
static bool runs_once(Known *known, int number) {
    const Group *group = &known->p->groups.at[number];
    bool once = find_inner(known, number);
    for (int i = 0; i < group->nests.count; i++) {
        const LoopNest *nest = &group->nests.at[i];
        once &= nodes_constancy(known->p, &nest->nodes) >= CONSTANT;
        once &= !stores_output(known->p, nest);
    }
    return once;
}

/* All contractions' operands on that side: several contractions interleave their panels. */
static bool is_packed_once(const Known *known, int number, int side) {
    const Plan *p = known->p;
    const NodeVec *nodes = &p->groups.at[number].nests.at[0].nodes;
    if (p->groups.at[number].family != F_DOT) return false;
    for (int i = 0; i < nodes->count; i++) {
        const Node *n = &p->g->node[nodes->at[i]];
        if (n->op != OP_DOT) continue;
        if (p->constancy[n->src[side]] < CONSTANT || !is_there(known, number, n->src[side]))
            return false;
    }
    return true;
}

/* Marks what a call computes: from what is stored down to the operands that are packed once. */
static void mark_called(Plan *p, const Group *group) {
    const LoopNest *nest = &group->nests.at[0];
    for (int i = 0; i < nest->stored.count; i++) p->is_called[nest->stored.at[i]] = true;
    for (int i = nest->nodes.count - 1; i >= 0; i--) {
        const Node *n = &p->g->node[nest->nodes.at[i]];
        if (!p->is_called[nest->nodes.at[i]]) continue;
        for (int s = 0; s < n->src_count; s++)
            if (n->op != OP_DOT || !group->packs_once[s])
                p->is_called[source_of(p, n->src[s])] = true;
    }
}

void find_panels(Plan *p) {
    if (!p->constancy) return;
    p->is_called = arena_array(p->g->arena, bool, p->g->count);
    Known known = {p, arena_array(p->g->arena, bool, p->g->count)};
    bool prepares = false;
    for (int k = 0; k < p->groups.count; k++) {
        Group *group = &p->groups.at[k];
        group->once = runs_once(&known, k);
        for (int side = 0; side < 2 && !group->once && plan_packs_once(p); side++)
            group->packs_once[side] = is_packed_once(&known, k, side);
        if (group->packs_once[0] || group->packs_once[1]) mark_called(p, group);
        prepares |= group->once;
    }
    if (!prepares && !plan_packs_once(p)) p->constancy = NULL;
}

bool is_only_packed(const Plan *p, const Group *group, NodeId id) {
    return (group->packs_once[0] || group->packs_once[1]) && !p->is_called[id];
}

int plan_panels(const Plan *p, int group, NodeId operand, bool is_left) {
    const IntVec *reads = &p->groups.at[group].reads;
    for (int i = 0; i < reads->count; i++) {
        const Buffer *b = &p->buffers.at[reads->at[i]];
        if (b->kind == B_PANELS && b->node == operand && b->is_left == is_left) return reads->at[i];
    }
    return -1;
}
