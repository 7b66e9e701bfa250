/* cluster.c: the groups of nodes while fusion merges them: readers, stored values, and whether a
 * merge would make a cycle.
 * In: Graph. Out: one cluster for each work node, then merges. */
#include "sched/fuse/fuse_private.h"

#include <stdlib.h>

/* clusters visited by one search for cycles: keeps the total near-linear */
enum { SEARCH_LIMIT = 4000 };

/* An output that is a view, a leaf or a scalar of dims is copied by a kernel. */
static void mark_outputs(Clusters *c) {
    for (int i = 0; i < c->g->outputs.count; i++) {
        NodeId s = storage_of(c->g, c->g->outputs.at[i].node);
        c->output[s] = true;
        c->copy[s] = !plan_is_work(c->plan, s);
    }
    for (NodeId id = 1; id < c->g->count; id++) c->copy[id] |= c->plan->kept[id];
}

int source_count(const Graph *g, NodeId id) {
    return is_transparent(g, id) ? 1 : g->node[id].src_count;
}

/* The nodes whose stored values the sources of n read; through free nodes, which are few. */
static void memory_sources(const Clusters *c, NodeId n, NodeVec *found) {
    for (int i = 0; i < source_count(c->g, n); i++) {
        NodeId base = source_of(c->plan, c->g->node[n].src[i]);
        if (c->g->node[base].op == OP_INPUT || plan_is_work(c->plan, base) || c->plan->kept[base])
            vec_push(c->arena, found, base);
        else if (c->plan->free[base])
            memory_sources(c, base, found);
    }
}

/* An output that is an input is a copy of it. */
static void cluster_sources(const Clusters *c, NodeId id, NodeVec *found) {
    found->count = 0;
    if (c->g->node[id].op == OP_INPUT) vec_push(c->arena, found, id);
    memory_sources(c, id, found);
}

static void find_readers(Clusters *c) {
    int n = c->g->count;
    NodeVec sources = {0};
    c->reader_at = arena_array(c->arena, int, n + 2);
    for (int pass = 0; pass < 2; pass++) {
        for (NodeId id = 1; id < n; id++) {
            if (c->of[id] < 0) continue;
            cluster_sources(c, id, &sources);
            for (int i = 0; i < sources.count; i++) {
                NodeId s = sources.at[i];
                if (s == id) continue;
                if (pass == 0)
                    c->reader_at[s + 2]++;
                else
                    c->reader[c->reader_at[s + 1]++] = id;
            }
        }
        if (pass) return;
        for (int i = 2; i <= n + 1; i++) c->reader_at[i] += c->reader_at[i - 1];
        c->reader = arena_array(c->arena, NodeId, c->reader_at[n + 1] + 1);
    }
}

static void insert_sorted(Arena *arena, NodeVec *v, NodeId id) {
    int at = v->count;
    while (at > 0 && v->at[at - 1] > id) at--;
    if (at > 0 && v->at[at - 1] == id) return;
    vec_push(arena, v, id);
    for (int i = v->count - 1; i > at; i--) v->at[i] = v->at[i - 1];
    v->at[at] = id;
}

static Family family_of(Op op) {
    switch (op_info[op].class) {
    case REDUCE:
    case PARTIAL:
    case SCAN: return F_ROW;
    case SEGMENTS: return F_SEGMENTS;
    case DOT: return F_DOT;
    default: return F_POINTWISE;
    }
}

static void cluster_start(Clusters *c, NodeId id) {
    const Node *n = &c->g->node[id];
    Cluster *k = &c->at[c->count];
    k->family = family_of(n->op);
    const bool is_of_source = k->family == F_ROW || k->family == F_SEGMENTS;
    k->space = is_of_source ? space_of(c->g, n->src[0]) : loops_of(c->g, id);
    if (k->family == F_ROW) k->space.reduced = reduced_axes(c->g, n);
    k->space.backward = op_info[n->op].class == SCAN && n->attr[1];
    k->lo = k->hi = id;
    k->dots = k->family == F_DOT;
    k->loops = k->family == F_ROW && op_info[n->op].class != PARTIAL;
    k->scatters = op_info[n->op].class == COMBINE;
    k->joins = join_axis(n) >= 0;
    for (int s = 0; s < n->src_count; s++)
        k->moves += op_info[c->g->node[n->src[s]].op].class == VIEW;
    k->work = cost_node(c->plan->machine, c->g, id);
    vec_push(c->arena, &k->nodes, id);
    c->of[id] = c->count++;
}

static void count_bytes(Clusters *c, int k) {
    const NodeVec *lists[] = {&c->at[k].ins, &c->at[k].outs};
    int64_t bytes = 0;
    for (int l = 0; l < 2; l++)
        for (int i = 0; i < lists[l]->count; i++) bytes += c->bytes[lists[l]->at[i]];
    c->at[k].work.bytes = (double)bytes;
}

Clusters *clusters_new(const Graph *g, Plan *plan) {
    Arena *a = g->arena;
    Clusters *c = arena_new_of(a, Clusters);
    *c = (Clusters){.g = g, .arena = a, .plan = plan};
    c->at = arena_array(a, Cluster, 3 * (size_t)g->count); /* bundles add nests */
    c->of = arena_array(a, int, g->count);
    c->bytes = arena_array(a, int64_t, g->count);
    c->copy = arena_array(a, bool, g->count);
    c->output = arena_array(a, bool, g->count);
    c->inner = plan->inner;
    c->beside = arena_array(c->arena, bool, g->count);
    c->listed = arena_array(a, int, g->count);
    c->crossings = arena_array(a, int, g->count);
    mark_outputs(c);
    for (NodeId id = 0; id < g->count; id++) {
        c->of[id] = -1;
        if (id && (plan_is_work(plan, id) || c->copy[id])) cluster_start(c, id);
        if (id && (c->of[id] >= 0 || g->node[id].op == OP_INPUT)) c->bytes[id] = cost_bytes(g, id);
    }
    find_readers(c);
    NodeVec sources = {0};
    for (int k = 0; k < c->count; k++) {
        NodeId id = c->at[k].nodes.at[0];
        cluster_sources(c, id, &sources);
        for (int i = 0; i < sources.count; i++) insert_sorted(a, &c->at[k].ins, sources.at[i]);
        if (is_stored(c, id, k, -1)) vec_push(a, &c->at[k].outs, id);
        count_bytes(c, k);
    }
    return c;
}

bool is_stored(const Clusters *c, NodeId n, int a, int b) {
    if (c->output[n]) return true;
    for (int i = c->reader_at[n]; i < c->reader_at[n + 1]; i++) {
        int k = c->of[c->reader[i]];
        if (k != a && k != b) return true;
    }
    return false;
}

bool reads_cluster(const Clusters *c, NodeId n, int reader) {
    for (int i = c->reader_at[n]; i < c->reader_at[n + 1]; i++)
        if (c->of[c->reader[i]] == reader) return true;
    return false;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* Counts a range of nodes, from one cluster's first to its last, as crossed by it. */
static void count_crossings(Clusters *c, const Cluster *k, int by) {
    for (NodeId id = k->lo; id < k->hi; id++) c->crossings[id] += by;
}

/* Depth first over clusters. After `to` comes a place that no cluster crosses: those that start
 * behind it cannot reach `to`. If the search gets too long the answer is "yes": it prevents only a
 * fusion. */
bool has_path(Clusters *c, int from, int to) {
    IntVec stack = {0};
    int seen = 0, stamp = ++c->stamp;
    NodeId last = c->at[to].hi;
    while (c->crossings[last]) last++;
    vec_push(c->arena, &stack, from);
    while (stack.count) {
        int k = stack.at[--stack.count];
        for (int o = 0; o < c->at[k].outs.count; o++) {
            NodeId n = c->at[k].outs.at[o];
            for (int i = c->reader_at[n]; i < c->reader_at[n + 1]; i++) {
                int next = c->of[c->reader[i]];
                if (next == to && k != from) return true;
                if (next == to || next == from || c->at[next].stamp == stamp) continue;
                c->at[next].stamp = stamp;
                if (c->at[next].lo > last) continue;
                if (++seen > SEARCH_LIMIT) return true;
                vec_push(c->arena, &stack, next);
            }
        }
    }
    return false;
}

/* ---- merging ------------------------------------------------------------------------------- */

static void merge_ins(Clusters *c, Cluster *into, const Cluster *from, int number) {
    NodeVec all = {0};
    for (int i = 0, j = 0; i < into->ins.count || j < from->ins.count;) {
        NodeId x = i < into->ins.count ? into->ins.at[i] : INT32_MAX;
        NodeId y = j < from->ins.count ? from->ins.at[j] : INT32_MAX;
        NodeId n = x < y ? x : y;
        i += x == n;
        j += y == n;
        if (c->of[n] != number || c->g->node[n].op == OP_INPUT) vec_push(c->arena, &all, n);
    }
    into->ins = all;
}

static void merge_outs(Clusters *c, Cluster *into, const Cluster *from, int number) {
    NodeVec all = {0};
    for (int i = 0; i < into->outs.count; i++)
        if (is_stored(c, into->outs.at[i], number, -1)) vec_push(c->arena, &all, into->outs.at[i]);
    for (int i = 0; i < from->outs.count; i++)
        if (is_stored(c, from->outs.at[i], number, -1)) vec_push(c->arena, &all, from->outs.at[i]);
    into->outs = all;
}

int clusters_merge(Clusters *c, int a, int b, const Space *space) {
    const Work work = fuse_work(c, a, b);
    if (c->at[a].nodes.count < c->at[b].nodes.count) {
        int t = a;
        a = b;
        b = t;
    }
    Cluster *into = &c->at[a], *from = &c->at[b];
    for (int i = 0; i < from->nodes.count; i++) {
        vec_push(c->arena, &into->nodes, from->nodes.at[i]);
        c->of[from->nodes.at[i]] = a;
    }
    if (from->family > into->family) into->family = from->family;
    into->space = *space;
    into->dots += from->dots;
    into->loops += from->loops;
    into->scatters += from->scatters;
    into->joins += from->joins;
    into->moves += from->moves;
    if (from->blocks) into->blocks = from->blocks;
    count_crossings(c, into, -1);
    count_crossings(c, from, -1);
    if (from->lo < into->lo) into->lo = from->lo;
    if (from->hi > into->hi) into->hi = from->hi;
    count_crossings(c, into, 1);
    merge_ins(c, into, from, a);
    merge_outs(c, into, from, a);
    into->work = work;
    count_bytes(c, a);
    *from = (Cluster){.lo = INT32_MAX};
    return a;
}

int node_order(const void *a, const void *b) {
    NodeId x = *(const NodeId *)a, y = *(const NodeId *)b;
    return x < y ? -1 : x > y;
}

const NodeId *clusters_nodes(const Clusters *c, int a, int b, int *count) {
    const NodeVec *x = &c->at[a].nodes, *y = &c->at[b].nodes;
    NodeId *all = arena_array(c->arena, NodeId, x->count + y->count);
    for (int i = 0; i < x->count; i++) all[i] = x->at[i];
    for (int i = 0; i < y->count; i++) all[x->count + i] = y->at[i];
    *count = x->count + y->count;
    qsort(all, (size_t)*count, sizeof *all, node_order);
    return all;
}
