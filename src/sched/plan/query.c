/* query.c: queries shared by the four printers of a plan: what a node reads, which pairs of kernels
 * were not fused, and texts for nodes, spaces and sizes. */
#include "sched/plan/plan.h"

const char *const family_name[] = {
    [F_POINTWISE] = "pointwise", [F_ROW] = "row",    [F_SEGMENTS] = "segments", [F_DOT] = "dot",
    [F_ATTENTION] = "attention", [F_CHAIN] = "chain"};

bool plan_leaves_across(const Plan *plan) {
    for (int i = 0; i < plan->groups.count; i++) {
        const Group *group = &plan->groups.at[i];
        for (int k = 0; group->family != F_CHAIN && k < group->nests.count; k++)
            for (int l = 0; l < group->nests.at[k].nodes.count; l++)
                if (dot_is_across(&plan->g->node[group->nests.at[k].nodes.at[l]])) return true;
    }
    return false;
}

PlanReader plan_reader(const Plan *plan) {
    return (PlanReader){.seen = arena_array(plan->g->arena, int, plan->g->count)};
}

/* A worklist, not a recursion: a chain of views may be as long as the source text. */
const NodeVec *plan_reads(const Plan *plan, NodeId id, PlanReader *reader) {
    const Graph *g = plan->g;
    NodeVec *work = &reader->work, *found = &reader->found;
    work->count = found->count = 0;
    reader->call++;
    vec_push(g->arena, work, id);
    while (work->count) {
        const Node *n = &g->node[work->at[--work->count]];
        for (int i = n->src_count - 1; i >= 0; i--) {
            NodeId source = n->src[i];
            if (reader->seen[source] == reader->call) continue;
            reader->seen[source] = reader->call;
            bool holds = plan->group_of[source] >= 0 || g->node[source].op == OP_INPUT;
            vec_push(g->arena, holds ? found : work, source);
        }
    }
    return found;
}

const char *plan_node_name(const Plan *plan, NodeId id) {
    const Graph *g = plan->g;
    const Node *n = &g->node[id];
    for (int i = 0; i < g->outputs.count; i++)
        if (g->outputs.at[i].node == id) return g->outputs.at[i].name;
    if (n->op == OP_INPUT) return g->inputs.at[n->attr[0]].name;
    return arena_printf(g->arena, "%%%d %s", id, node_op_name(g, n));
}

const char *plan_space_text(const Plan *plan, const Space *space) {
    const Graph *g = plan->g;
    Text text = text_new(g->arena);
    text_char(&text, '[');
    for (int i = 0; i < space->rank; i++) {
        if (i) text_str(&text, ", ");
        dim_print(g->dims, space->dim[i], &text);
    }
    text_char(&text, ']');
    const char *before = " along ";
    for (int i = 0; i < space->rank; i++) {
        if (!(space->reduced >> i & 1)) continue;
        text_str(&text, before);
        dim_print(g->dims, space->dim[i], &text);
        before = ", ";
    }
    before = ", in groups along ";
    for (int i = 0; i < space->rank; i++) {
        if (!(space->groups >> i & 1)) continue;
        text_str(&text, before);
        dim_print(g->dims, space->dim[i], &text);
        before = ", ";
    }
    if (space->backward) text_str(&text, " from its end");
    return text_get(&text);
}

/* 0: the size does not fit in 64 bits. */
const char *plan_size_text(const Plan *plan, Dim size) {
    return size ? dim_text(plan->g->dims, size, plan->g->arena) : "unknown";
}

/* A refused pair may still be fused through a third kernel. */
bool plan_is_apart(const Plan *plan, const Decision *decision) {
    int a = plan->group_of[decision->a], b = plan->group_of[decision->b];
    return decision->reason != FUSED && a >= 0 && b >= 0 && a != b;
}

static bool is_same_pair(const Plan *plan, const Decision *x, const Decision *y) {
    int a = plan->group_of[x->a], b = plan->group_of[x->b];
    int c = plan->group_of[y->a], d = plan->group_of[y->b];
    return (a == c && b == d) || (a == d && b == c);
}

const Decision **plan_pairs_apart(const Plan *plan, int *count) {
    const Decision **pairs = arena_array(plan->g->arena, const Decision *, plan->decisions.count);
    *count = 0;
    for (int i = 0; i < plan->decisions.count; i++) {
        const Decision *d = &plan->decisions.at[i];
        int at = 0;
        if (!plan_is_apart(plan, d)) continue;
        while (at < *count && !is_same_pair(plan, pairs[at], d)) at++;
        if (at == *count)
            pairs[(*count)++] = d;
        else if (pairs[at]->horizontal && !d->horizontal)
            pairs[at] = d;
    }
    return pairs;
}

int plan_called(const Plan *plan) {
    int count = 0;
    for (int i = 0; i < plan->groups.count; i++) count += !plan->groups.at[i].once;
    return count;
}

const Group *plan_group(const Plan *plan, NodeId id) {
    return &plan->groups.at[plan->group_of[id]];
}

double plan_seconds(const Plan *plan) {
    double seconds = 0;
    for (int i = 0; i < plan->groups.count; i++)
        if (!plan->groups.at[i].once)
            seconds += cost_estimate(plan->machine, &plan->groups.at[i].work).seconds +
                       1e-9 * plan->machine->launch;
    return seconds;
}

Dim plan_moved(const Plan *plan) {
    Dims *d = plan->g->dims;
    Dim sum = dim_const(d, 0);
    for (int i = 0; i < plan->groups.count && sum; i++) {
        const Group *group = &plan->groups.at[i];
        bool known = group->bytes_read && group->bytes_written;
        if (group->once) continue;
        sum = known ? dim_add(d, dim_add(d, sum, group->bytes_read), group->bytes_written) : 0;
    }
    return sum;
}
