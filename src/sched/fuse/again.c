/* again.c: values that are stored for other kernels, although each of these could compute them from
 * no more bytes than it reads: x - mean(x) of bf16, say, is 4 bytes in memory, and 2 where it is
 * computed again. Each such kernel gets a copy of the nodes for itself: twins.
 * In: a Plan. Out: the graph with twins; `fuse` decides what becomes of it. needs: a plan. keeps:
 * meaning. breaks: equal nodes are one node, but for twins. */
#include "sched/fuse/fuse_private.h"

#include <stdlib.h>

enum {
    OPS = 24,    /* that a value takes to compute again, at most */
    SPREAD = 16, /* elements for each one of a costly operation */
    COSTLY = 4,  /* bytes on a GPU that take longer than one, at least */
    SHARE = 16,  /* of the bytes that a kernel moves, its values have one in so many, at least */
    READERS = 64 /* kernels that get twins at a time */
};

/* A kernel that computes nodes of others `again`. `nodes`: these, and what is free between them and
 * its own, ascending; `twin`: in the graph that is made. */
typedef struct Reader {
    int group;
    NodeVec again, nodes, twin;
    int done; /* how many of `nodes` are made */
} Reader;

/* A value that pays, and what it is computed from. */
typedef struct Found {
    NodeId value;
    NodeVec inside;
} Found;

typedef struct Pass {
    const Plan *plan;
    const Graph *g;
    PlanReader sources;
    IntVec *readers; /* of a stored node: groups, but its own */
    bool *is_output, *is_stored;
    int stamp, *seen;
    Vec(Found) values;
    double *bytes; /* by group: of its values */
    Vec(Reader) found;
    int *reader_of; /* by group: 1 + its place in `found`; 0: none */
} Pass;

/* ---- facts ----------------------------------------------------------------------------------- */

static bool reads(const Pass *p, int group, NodeId value) {
    const IntVec *all = &p->readers[value];
    for (int i = 0; i < all->count; i++)
        if (all->at[i] == group) return true;
    return false;
}

static void note_reader(Pass *p, NodeId value, int group) {
    if (p->plan->group_of[value] != group && !reads(p, group, value))
        vec_push(p->g->arena, &p->readers[value], group);
}

static void find_readers(Pass *p) {
    for (NodeId id = 1; id < p->g->count; id++) {
        if (p->plan->group_of[id] < 0) continue;
        const NodeVec *from = plan_reads(p->plan, id, &p->sources);
        for (int i = 0; i < from->count; i++) note_reader(p, from->at[i], p->plan->group_of[id]);
    }
}

static Pass pass_of(const Plan *plan) {
    const Graph *g = plan->g;
    Arena *arena = g->arena;
    Pass p = {.plan = plan, .g = g, .sources = plan_reader(plan)};
    p.readers = arena_array(arena, IntVec, g->count);
    p.is_output = arena_array(arena, bool, g->count);
    p.is_stored = arena_array(arena, bool, g->count);
    p.seen = arena_array(arena, int, g->count);
    p.bytes = arena_array(arena, double, plan->groups.count);
    p.reader_of = arena_array(arena, int, plan->groups.count);
    for (int i = 0; i < g->outputs.count; i++) p.is_output[g->outputs.at[i].node] = true;
    for (int i = 0; i < plan->groups.count; i++)
        for (int k = 0; k < plan->groups.at[i].nests.count; k++) {
            const NodeVec *stored = &plan->groups.at[i].nests.at[k].stored;
            for (int j = 0; j < stored->count; j++) p.is_stored[stored->at[j]] = true;
        }
    find_readers(&p);
    return p;
}

/* ---- what pays ------------------------------------------------------------------------------- */

/* Is it computed again with the values that read it? Else it is in memory anyway, or cannot be. */
static bool is_inside(const Pass *p, NodeId id, int group) {
    return p->plan->group_of[id] == group && op_info[p->g->node[id].op].class == MAP &&
           !p->is_output[id];
}

/* The nodes that `value` is computed from in its kernel, and what these read; false: it cannot be
 * computed again cheaply. */
static bool find_cone(Pass *p, NodeId value, NodeVec *inside, NodeVec *outside) {
    const int group = p->plan->group_of[value], stamp = ++p->stamp;
    p->seen[value] = stamp;
    vec_push(p->g->arena, inside, value);
    for (int i = 0; i < inside->count; i++) {
        const NodeId id = inside->at[i];
        if (i == OPS || p->g->node[id].op == OP_PHILOX) return false;
        if (op_info[p->g->node[id].op].costly &&
            SPREAD * cost_elements(p->g, id) > cost_elements(p->g, value) &&
            !machine_is_gpu(p->plan->machine))
            return false;
        const NodeVec *reads = plan_reads(p->plan, id, &p->sources);
        for (int j = 0; j < reads->count; j++) {
            const NodeId from = reads->at[j];
            if (p->seen[from] == stamp) continue;
            p->seen[from] = stamp;
            const bool is_part = is_inside(p, from, group);
            if (!is_part && p->g->node[from].op != OP_INPUT && !p->is_stored[from]) return false;
            vec_push(p->g->arena, is_part ? inside : outside, from);
        }
    }
    return true;
}

/* Does a contraction of the kernel multiply the value, or what is computed from it? */
static bool is_multiplied(Pass *p, int group, NodeId value) {
    const int stamp = ++p->stamp;
    const NodeVec *own = &p->plan->groups.at[group].nests.at[0].nodes;
    NodeVec work = {0};
    for (int i = 0; i < own->count; i++)
        if (p->g->node[own->at[i]].op == OP_DOT) vec_push(p->g->arena, &work, own->at[i]);
    while (work.count) {
        const NodeVec *from = plan_reads(p->plan, work.at[--work.count], &p->sources);
        for (int i = 0; i < from->count; i++) {
            if (from->at[i] == value) return true;
            if (p->plan->group_of[from->at[i]] != group || p->seen[from->at[i]] == stamp) continue;
            p->seen[from->at[i]] = stamp;
            vec_push(p->g->arena, &work, from->at[i]);
        }
    }
    return false;
}

static bool nest_reads(Pass *p, const LoopNest *nest, NodeId value) {
    for (int i = 0; i < nest->nodes.count; i++) {
        const NodeVec *from = plan_reads(p->plan, nest->nodes.at[i], &p->sources);
        for (int k = 0; k < from->count; k++)
            if (from->at[k] == value) return true;
    }
    return false;
}

/* Is it read in one loop nest of the kernel alone? */
static bool is_for_one_nest(Pass *p, const Group *to, NodeId value) {
    int count = 0;
    if (to->nests.count == 1) return true;
    for (int i = 0; i < to->nests.count; i++) count += nest_reads(p, &to->nests.at[i], value);
    return count == 1;
}

/* Kernels of pointwise work and of rows, and epilogues of products, compute what they read anyway;
 * an operand of a product is better in memory. */
static bool takes_twins(Pass *p, int group, NodeId value) {
    const Group *to = &p->plan->groups.at[group];
    if (to->once || !is_for_one_nest(p, to, value)) return false;
    if (to->family <= F_ROW) return true;
    return to->family == F_DOT && to->nests.count == 1 && !is_multiplied(p, group, value);
}

/* Bytes of a node that a value is computed from, perhaps through a slice. */
static double part_bytes(const Pass *p, NodeId from, NodeId value) {
    const double all = (double)cost_bytes(p->g, from);
    const double part = cost_elements(p->g, value) * (double)dtype_size(p->g->node[from].type);
    return part < all ? part : all;
}

/* Bytes that are saved where no reader loads the value, and each what it is computed from. */
static double saved(Pass *p, NodeId value, const NodeVec *outside) {
    const IntVec *readers = &p->readers[value];
    const double own = (double)cost_bytes(p->g, value);
    double bytes = own;
    for (int i = 0; i < readers->count; i++) {
        if (!takes_twins(p, readers->at[i], value)) return 0;
        bytes += own;
        for (int k = 0; k < outside->count; k++)
            if (!reads(p, readers->at[i], outside->at[k]))
                bytes -= part_bytes(p, outside->at[k], value);
    }
    return bytes;
}

/* Elements of costly operations that the readers compute again. */
static double costly(const Pass *p, NodeId value, const NodeVec *inside) {
    double count = 0;
    for (int i = 0; i < inside->count; i++)
        if (op_info[p->g->node[inside->at[i]].op].costly)
            count += cost_elements(p->g, inside->at[i]);
    return count * p->readers[value].count;
}

static Reader *reader_at(Pass *p, int group) {
    if (!p->reader_of[group]) {
        const Reader r = {.group = group};
        if (p->found.count == READERS) return NULL;
        vec_push(p->g->arena, &p->found, r);
        p->reader_of[group] = p->found.count;
    }
    return &p->found.at[p->reader_of[group] - 1];
}

static void consider(Pass *p, NodeId value) {
    const Group *from = plan_group(p->plan, value);
    const IntVec *readers = &p->readers[value];
    NodeVec inside = {0}, outside = {0};
    if (p->is_output[value] || from->once || from->family > F_ROW || !readers->count) return;
    if (op_info[p->g->node[value].op].class != MAP) return;
    if (!find_cone(p, value, &inside, &outside) ||
        saved(p, value, &outside) <= COSTLY * costly(p, value, &inside))
        return;
    const Found found = {value, inside};
    vec_push(p->g->arena, &p->values, found);
    p->bytes[p->plan->group_of[value]] += (double)cost_bytes(p->g, value);
}

static void note_twins(Pass *p, const Found *f) {
    const IntVec *readers = &p->readers[f->value];
    const int group = p->plan->group_of[f->value];
    if (SHARE * p->bytes[group] < p->plan->groups.at[group].work.bytes) return;
    for (int i = 0; i < readers->count; i++) {
        Reader *r = reader_at(p, readers->at[i]);
        for (int k = 0; r && k < f->inside.count; k++)
            vec_push(p->g->arena, &r->again, f->inside.at[k]);
    }
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* All nodes between the kernel's own and what it reads in the end. */
static void find_between(Pass *p, Reader *r) {
    const int stamp = ++p->stamp, twin = ++p->stamp;
    NodeVec work = {0};
    for (int i = 0; i < r->again.count; i++) p->seen[r->again.at[i]] = twin;
    const Group *group = &p->plan->groups.at[r->group];
    for (int k = 0; k < group->nests.count; k++)
        for (int i = 0; i < group->nests.at[k].nodes.count; i++)
            vec_push(p->g->arena, &work, group->nests.at[k].nodes.at[i]);
    while (work.count) {
        const Node *n = &p->g->node[work.at[--work.count]];
        for (int i = 0; i < n->src_count; i++) {
            const NodeId from = n->src[i];
            const bool is_twin = p->seen[from] == twin;
            if (p->seen[from] == stamp) continue;
            if (!is_twin && (p->plan->group_of[from] >= 0 || !p->g->node[from].src_count)) continue;
            p->seen[from] = stamp;
            vec_push(p->g->arena, &work, from);
            vec_push(p->g->arena, &r->nodes, from);
        }
    }
    qsort(r->nodes.at, (size_t)r->nodes.count, sizeof *r->nodes.at, node_order);
    for (int i = 0; i < r->nodes.count; i++) vec_push(p->g->arena, &r->twin, 0);
}

/* The twin of a node, or 0. */
static NodeId twin_of(const Reader *r, NodeId id) {
    const NodeId *at =
        r->nodes.count ? bsearch(&id, r->nodes.at, (size_t)r->nodes.count, sizeof id, node_order)
                       : NULL;
    return at ? r->twin.at[at - r->nodes.at] : 0;
}

static NodeId copied(Graph *to, const Graph *from, NodeId id, const NodeId *map, const Reader *r,
                     int twin) {
    Node draft = from->node[id];
    for (int i = 0; i < draft.src_count; i++) {
        const NodeId own = r ? twin_of(r, draft.src[i]) : 0;
        draft.src[i] = own ? own : map[draft.src[i]];
    }
    if (twin) draft.twin = twin;
    node_order_sources(&draft);
    const NodeId made = graph_add(to, &draft);
    graph_name(to, made, from->node[id].name);
    graph_hint(to, made, from->node[id].hint);
    return made;
}

/* Makes the twins that stand before the node. What is free between them is copied where a source of
 * it is a twin. */
static void make_twins(const Pass *p, Reader *r, Graph *to, const NodeId *map, NodeId before) {
    for (; r->done < r->nodes.count && r->nodes.at[r->done] < before; r->done++) {
        const NodeId id = r->nodes.at[r->done];
        const bool is_twin = p->plan->group_of[id] >= 0;
        bool reads_twin = false;
        for (int i = 0; i < p->g->node[id].src_count; i++)
            reads_twin = reads_twin || twin_of(r, p->g->node[id].src[i]);
        if (is_twin || reads_twin)
            r->twin.at[r->done] = copied(to, p->g, id, map, r, is_twin ? to->count : 0);
    }
}

static const Graph *with_twins(Pass *p) {
    const Graph *g = p->g;
    Graph *to = graph_like(g);
    NodeId *map = arena_array(g->arena, NodeId, g->count);
    for (int i = 0; i < p->found.count; i++) find_between(p, &p->found.at[i]);
    for (int i = 0; i < g->inputs.count; i++) {
        const GraphInput *input = &g->inputs.at[i];
        const Node *n = &g->node[input->node];
        map[input->node] = graph_input(to, input->name, n->type, n->rank, n->shape, input->span);
    }
    for (NodeId id = 1; id < g->count; id++) {
        if (g->node[id].op == OP_INPUT) continue;
        const int group = p->plan->group_of[id], place = group < 0 ? 0 : p->reader_of[group];
        Reader *r = place ? &p->found.at[place - 1] : NULL;
        if (r) make_twins(p, r, to, map, id);
        map[id] = copied(to, g, id, map, r, 0);
    }
    for (int i = 0; i < g->outputs.count; i++) {
        const GraphOutput *output = &g->outputs.at[i];
        graph_output(to, output->name, map[output->node], output->span);
    }
    return graph_rewrite(to, NULL, NULL);
}

const Graph *computed_again(const Plan *plan) {
    Pass p = pass_of(plan);
    for (NodeId id = 1; id < p.g->count; id++)
        if (plan->group_of[id] >= 0 && p.is_stored[id]) consider(&p, id);
    for (int i = 0; i < p.values.count; i++) note_twins(&p, &p.values.at[i]);
    return p.found.count ? with_twins(&p) : NULL;
}
