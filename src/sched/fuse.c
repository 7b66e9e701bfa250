/* fuse.c: which kernels become one. may_fuse gives facts (with a reason when not), fuse_gain gives
 * numbers, and a greedy loop takes the pairs of the largest gain first. Candidates are the pairs
 * that share an edge, and neighbouring readers of one value, so their number is that of the edges.
 * needs: decomposed graph. keeps: graph. makes: groups and decisions of the plan. */
#include "sched/fusion.h"

#include <stdlib.h>
#include <string.h>

const char *const reason_code[REASON_COUNT] = {"fused",  "cycle", "space",   "axes",     "aligned",
                                               "family", "ops",   "buffers", "recompute"};

const char *const reason_text[REASON_COUNT] = {
    "fused",
    "another kernel lies between them",
    "they iterate over different shapes and the value between them is stored",
    "they reduce along different axes",
    "a reduction would be read through a view that moves elements",
    "a contraction takes pointwise work, and contractions of the same left operand, only",
    "the kernel would exceed limit kernel_ops",
    "the kernel would exceed limit kernel_buffers",
    "recomputing the producer for every reader costs more than storing it"};

/* ---- may we: producer a into reader b ------------------------------------------------------ */

/* Does every value of cluster k that is still stored once a and b are one fit the space? */
static bool stores_fit(const Clusters *c, int k, int a, int b, const Space *space) {
    for (int i = 0; i < c->at[k].outs.count; i++) {
        NodeId n = c->at[k].outs.at[i];
        if (!is_stored(c, n, a, b)) continue;
        uint32_t m = plan_alignment(c->g, n, space);
        if (m == MISALIGNED) return false;
        if (c->at[a].family == F_POINTWISE && c->at[b].family == F_POINTWISE &&
            m != (1u << space->rank) - 1)
            return false;
    }
    return true;
}

static bool any_stored(const Clusters *c, int k, int a, int b) {
    for (int i = 0; i < c->at[k].outs.count; i++)
        if (is_stored(c, c->at[k].outs.at[i], a, b)) return true;
    return false;
}

/* Contractions of one left operand over one space: side by side they read it once. */
static bool same_left(const Clusters *c, int a, int b) {
    const Node *x = NULL, *y = NULL;
    for (int i = 0; i < c->at[a].nodes.count; i++)
        if (c->g->node[c->at[a].nodes.at[i]].op == OP_DOT) x = &c->g->node[c->at[a].nodes.at[i]];
    for (int i = 0; i < c->at[b].nodes.count; i++)
        if (c->g->node[c->at[b].nodes.at[i]].op == OP_DOT) y = &c->g->node[c->at[b].nodes.at[i]];
    return x && y && x->src[0] == y->src[0] && !memcmp(x->attr, y->attr, sizeof x->attr) &&
           x->type == y->type && space_equal(&c->at[a].space, &c->at[b].space) &&
           c->at[a].dots + c->at[b].dots <= DOTS_MAX;
}

/* Does a compute what b contracts? Then it is computed again whenever an operand is read. */
static bool feeds_dot(const Clusters *c, int a, int b) {
    for (int i = 0; i < c->at[b].nodes.count; i++) {
        const Node *n = &c->g->node[c->at[b].nodes.at[i]];
        if (n->op != OP_DOT) continue;
        for (int s = 0; s < 2; s++)
            if (c->of[base_of(c->g, n->src[s])] == a) return true;
    }
    return false;
}

/* Operands are read several times: what is computed on the way must be cheap, and must not read
 * more than storing it would save. */
static Reason join_operand(const Clusters *c, int a) {
    const Cluster *A = &c->at[a];
    int64_t in = 0, out = 0;
    for (int i = 0; i < A->ins.count; i++) in += cost_bytes(c->g, A->ins.at[i]);
    for (int i = 0; i < A->outs.count; i++) out += cost_bytes(c->g, A->outs.at[i]);
    for (int i = 0; i < A->nodes.count; i++)
        if (is_costly(c->g, A->nodes.at[i])) return NO_RECOMPUTE;
    return in > 2 * out ? NO_RECOMPUTE : FUSED;
}

/* A contraction takes pointwise work before its operands and after its result, and contractions of
 * the same left operand beside it. */
static Reason join_contraction(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    *space = A->family == F_DOT ? A->space : B->space;
    if (A->family == F_ROW || B->family == F_ROW) return NO_FAMILY;
    if (A->family == F_DOT && B->family == F_DOT) return same_left(c, a, b) ? FUSED : NO_FAMILY;
    if (A->family == F_DOT) return space_equal(&A->space, &B->space) ? FUSED : NO_SPACE;
    if (any_stored(c, a, a, b)) return feeds_dot(c, a, b) ? NO_RECOMPUTE : NO_SPACE;
    return feeds_dot(c, a, b) ? join_operand(c, a) : FUSED;
}

/* The space of the joined kernel, or why there is none. */
static Reason join_space(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    Space rows;
    if (A->family == F_DOT || B->family == F_DOT) return join_contraction(c, a, b, space);
    if (A->family == F_ROW && B->family == F_ROW) {
        *space = A->space;
        if (!space_equal(&A->space, &B->space)) return NO_SPACE;
        return A->space.reduced == B->space.reduced ? FUSED : NO_AXES;
    }
    if (A->family == F_ROW) {
        *space = A->space;
        rows = space_rows(&A->space);
        return space_equal(&B->space, space) || space_equal(&B->space, &rows) ? FUSED : NO_SPACE;
    }
    *space = B->space;
    if (space_equal(&A->space, space) || !any_stored(c, a, a, b)) return FUSED;
    return stores_fit(c, a, a, b, space) ? FUSED : NO_SPACE;
}

/* In a kernel with reductions or contractions, whatever depends on one must be looked at in its own
 * row (and, for elements, its own column). `taint` marks the nodes that do. Nodes ascending. */
static Reason check_aligned(const Clusters *c, const NodeId *node, int count, const Space *space) {
    bool *taint = arena_array(c->arena, bool, count);
    for (int i = 0; i < count; i++) {
        const Node *n = &c->g->node[node[i]];
        OpClass class = op_info[n->op].class;
        uint32_t m = plan_alignment(c->g, node[i], space);
        if (class == REDUCE) m = ((1u << space->rank) - 1) & ~space->reduced;
        taint[i] = class == REDUCE || class == SCAN || class == DOT;
        int sources = class == VIEW ? 1 : n->src_count;
        for (int s = 0; s < sources; s++) {
            NodeId w = base_of(c->g, class == VIEW ? node[i] : n->src[s]);
            int lo = 0, hi = i;
            while (lo < hi) {
                int mid = (lo + hi) / 2;
                if (node[mid] < w)
                    lo = mid + 1;
                else
                    hi = mid;
            }
            if (lo == i || node[lo] != w) continue;
            uint32_t want = plan_alignment(c->g, w, space);
            if (op_info[c->g->node[w].op].class == REDUCE)
                want = ((1u << space->rank) - 1) & ~space->reduced;
            bool fits = class != DOT && m != MISALIGNED && want != MISALIGNED &&
                        align_source(c->g, node[i], s, m, space) == want;
            if (!taint[lo]) continue;
            if (!fits) return NO_ALIGNED;
            taint[i] = true;
        }
    }
    return FUSED;
}

static int node_order(const void *a, const void *b) {
    NodeId x = *(const NodeId *)a, y = *(const NodeId *)b;
    return x < y ? -1 : x > y;
}

static Reason join_aligned(const Clusters *c, int a, int b, const Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    if (A->family == F_POINTWISE && B->family == F_POINTWISE) return FUSED;
    int count = A->nodes.count + B->nodes.count;
    NodeId *all = arena_array(c->arena, NodeId, count);
    for (int i = 0; i < A->nodes.count; i++) all[i] = A->nodes.at[i];
    for (int i = 0; i < B->nodes.count; i++) all[A->nodes.count + i] = B->nodes.at[i];
    qsort(all, (size_t)count, sizeof *all, node_order);
    return check_aligned(c, all, count, space);
}

enum { RECOMPUTE_FLOPS = 64 << 20 }; /* what a GPU does while a kernel is launched, order of size */

static double elements(const Clusters *c, const Space *s) {
    double n = 1;
    for (int i = 0; i < s->rank; i++) n *= (double)cost_dim(c->g, s->dim[i]);
    return n;
}

/* The leading axes of b are a's: then a's values are computed once a row of b. */
static bool is_row_of(const Space *a, const Space *b) {
    if (a->rank > b->rank) return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dim[i] != b->dim[i]) return false;
    return true;
}

/* Would a's costly values be computed many times over inside b, which has more elements? */
static bool recomputes(const Clusters *c, int a, int b) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    if (A->family != F_POINTWISE || B->family == F_DOT || is_row_of(&A->space, &B->space))
        return false;
    double large = elements(c, &B->space);
    if (large <= elements(c, &A->space)) return false;
    double flops = 0;
    for (int i = 0; i < A->nodes.count; i++)
        if (is_costly(c->g, A->nodes.at[i])) flops += COSTLY_FLOPS;
    return large * flops > RECOMPUTE_FLOPS;
}

/* Reads of the joined kernel: what one of the two made for the other is read no more. */
static int count_reads(const Clusters *c, int a, int b) {
    const NodeVec *x = &c->at[a].ins, *y = &c->at[b].ins;
    int count = 0;
    for (int i = 0, j = 0; i < x->count || j < y->count;) {
        bool right = i == x->count || (j < y->count && y->at[j] < x->at[i]);
        NodeId n = right ? y->at[j] : x->at[i];
        i += i < x->count && x->at[i] == n;
        j += j < y->count && y->at[j] == n;
        bool inner = c->g->node[n].op != OP_INPUT && (c->of[n] == a || c->of[n] == b);
        count += !inner;
    }
    return count;
}

enum { LOOPS_MAX = 48 }; /* reductions of one kernel: its stages are counted in 64 bits */

static Reason check_limits(const Clusters *c, int a, int b) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    if (A->nodes.count + B->nodes.count > c->g->limits->kernel_ops) return NO_OPS;
    if (A->loops + B->loops > LOOPS_MAX) return NO_OPS;
    int64_t buffers = count_reads(c, a, b);
    for (int i = 0; i < A->outs.count; i++) buffers += is_stored(c, A->outs.at[i], a, b);
    for (int i = 0; i < B->outs.count; i++) buffers += is_stored(c, B->outs.at[i], a, b);
    return buffers > c->g->limits->kernel_buffers ? NO_BUFFERS : FUSED;
}

static Reason may_fuse(Clusters *c, int a, int b, Space *space) {
    Reason r = join_space(c, a, b, space);
    if (r == FUSED) r = check_limits(c, a, b);
    if (r == FUSED && !(stores_fit(c, a, a, b, space) && stores_fit(c, b, a, b, space)))
        r = NO_SPACE;
    if (r == FUSED && recomputes(c, a, b)) r = NO_RECOMPUTE;
    if (r == FUSED) r = join_aligned(c, a, b, space);
    if (r == FUSED && has_path(c, a, b)) r = NO_CYCLE;
    return r;
}

/* ---- is it worth it ----------------------------------------------------------------------------
 */

enum { LAUNCH_BYTES = 1 << 20 }; /* what memory moves while a kernel is launched, order of size */

/* Bytes that need not move: values between the two, and inputs that both read. */
static int64_t fuse_gain(const Clusters *c, int a, int b) {
    int64_t bytes = 0;
    for (int i = 0; i < c->at[a].outs.count; i++) {
        NodeId n = c->at[a].outs.at[i];
        if (!reads_cluster(c, n, b)) continue;
        bytes += cost_bytes(c->g, n) * (is_stored(c, n, a, b) ? 1 : 2);
    }
    const NodeVec *x = &c->at[a].ins, *y = &c->at[b].ins;
    for (int i = 0, j = 0; i < x->count && j < y->count;) {
        if (x->at[i] == y->at[j]) bytes += cost_bytes(c->g, x->at[i]);
        if (x->at[i] <= y->at[j])
            i++;
        else
            j++;
    }
    return bytes;
}

/* ---- the greedy loop ---------------------------------------------------------------------------
 */

typedef struct Candidate {
    NodeId a, b; /* nodes; their clusters are looked up when its turn comes */
    int64_t gain;
    int round; /* last round that refused it */
    Reason refused;
} Candidate;

typedef Vec(Candidate) Candidates;

static int candidate_order(const void *x, const void *y) {
    const Candidate *a = x, *b = y;
    if (a->gain != b->gain) return a->gain > b->gain ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static void decide(Clusters *c, const Candidate *x, Reason reason, bool horizontal) {
    Decision d = {x->a, x->b, reason, x->gain, horizontal};
    vec_push(c->arena, &c->plan->decisions, d);
}

typedef bool TryFuse(Clusters *c, Candidate *x);

/* Rounds, since what a value is stored for may vanish when its other readers have joined. */
static void run_candidates(Clusters *c, Candidates *list, TryFuse *try, bool horizontal) {
    if (!list->count) return;
    qsort(list->at, (size_t)list->count, sizeof *list->at, candidate_order);
    bool again = true;
    for (int round = 0; again && round < 4; round++) {
        again = false;
        for (int i = 0; i < list->count; i++) {
            Candidate *x = &list->at[i];
            if (x->refused == FUSED && round) continue;
            if (c->of[x->a] == c->of[x->b]) {
                x->refused = FUSED;
            } else if (try(c, x)) {
                decide(c, x, FUSED, horizontal);
                again = true;
            }
        }
    }
    for (int i = 0; i < list->count; i++) {
        Candidate *x = &list->at[i];
        if (x->refused != FUSED && c->of[x->a] != c->of[x->b]) decide(c, x, x->refused, horizontal);
    }
}

static bool try_vertical(Clusters *c, Candidate *x) {
    Space space;
    int a = c->of[x->a], b = c->of[x->b];
    x->refused = may_fuse(c, a, b, &space);
    x->gain = fuse_gain(c, a, b);
    if (x->refused == FUSED) clusters_merge(c, a, b, &space);
    return x->refused == FUSED;
}

static void fuse_vertical(Clusters *c) {
    Candidates list = {0};
    for (NodeId w = 1; w < c->g->count; w++) {
        if (c->of[w] < 0 || c->g->node[w].op == OP_INPUT) continue;
        for (int i = c->reader_at[w]; i < c->reader_at[w + 1]; i++) {
            Candidate x = {.a = w, .b = c->reader[i]};
            x.gain = fuse_gain(c, c->of[x.a], c->of[x.b]);
            vec_push(c->arena, &list, x);
        }
    }
    run_candidates(c, &list, try_vertical, false);
}

/* ---- siblings: readers of one value that do not need each other -------------------------------
 */

static bool is_edge(const Clusters *c, int a, int b) {
    for (int i = 0; i < c->at[a].outs.count; i++)
        if (reads_cluster(c, c->at[a].outs.at[i], b)) return true;
    return false;
}

static bool independent(Clusters *c, int a, int b) {
    return !is_edge(c, a, b) && !is_edge(c, b, a) && !has_path(c, a, b) && !has_path(c, b, a);
}

/* One iteration space: both bodies in one loop. */
static bool try_sibling(Clusters *c, Candidate *x) {
    Space space;
    int a = c->of[x->a], b = c->of[x->b];
    x->refused = join_space(c, a, b, &space);
    if (x->refused == FUSED && !space_equal(&c->at[a].space, &c->at[b].space))
        x->refused = NO_SPACE;
    if (x->refused == FUSED) x->refused = check_limits(c, a, b);
    if (x->refused == FUSED) x->refused = join_aligned(c, a, b, &space);
    if (x->refused == FUSED && !independent(c, a, b)) x->refused = NO_CYCLE;
    x->gain = fuse_gain(c, a, b);
    if (x->refused == FUSED) clusters_merge(c, a, b, &space);
    return x->refused == FUSED;
}

static Candidates sibling_pairs(Clusters *c) {
    Candidates list = {0};
    for (NodeId w = 1; w < c->g->count; w++) {
        NodeId last = 0;
        for (int i = c->reader_at[w]; i < c->reader_at[w + 1]; i++) {
            NodeId r = c->reader[i];
            if (last && c->of[last] != c->of[r]) {
                Candidate x = {.a = last, .b = r, .gain = fuse_gain(c, c->of[last], c->of[r])};
                vec_push(c->arena, &list, x);
            }
            last = r;
        }
    }
    return list;
}

/* Different spaces: pointwise kernels side by side in one launch, when launching is what costs. A
 * cluster that became a part is empty of nodes of its own kernel: `parts` of the first names it. */
static bool try_bundle(Clusters *c, Candidate *x) {
    int a = c->of[x->a], b = c->of[x->b];
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    x->refused = NO_FAMILY;
    if (c->at[a].family != F_POINTWISE || c->at[b].family != F_POINTWISE) return false;
    x->refused = check_limits(c, a, b);
    if (x->refused == FUSED && c->at[a].outs.count + c->at[b].outs.count >= 32)
        x->refused = NO_BUFFERS;
    if (x->refused == FUSED && !independent(c, a, b)) x->refused = NO_CYCLE;
    x->gain = fuse_gain(c, a, b) + LAUNCH_BYTES;
    if (x->refused != FUSED) return false;
    Cluster *first = &c->at[a], *second = &c->at[b];
    Cluster part = *second;
    if (!first->parts.count) {
        c->at[c->count] = *first; /* its own nodes become the first part */
        vec_push(c->arena, &first->parts, c->count);
        c->count++;
    }
    if (part.parts.count) {
        for (int i = 0; i < part.parts.count; i++)
            vec_push(c->arena, &first->parts, part.parts.at[i]);
    } else {
        c->at[c->count] = part;
        vec_push(c->arena, &first->parts, c->count);
        c->count++;
    }
    IntVec parts = first->parts;
    int into = clusters_merge(c, a, b, &first->space);
    c->at[into].parts = parts;
    return true;
}

/* ---- the result
 * ----------------------------------------------------------------------------------- */

static void add_part(Clusters *c, Group *group, const Cluster *k, int number) {
    Part part = {.space = k->space};
    NodeId *nodes = arena_array(c->arena, NodeId, k->nodes.count);
    for (int i = 0; i < k->nodes.count; i++) nodes[i] = k->nodes.at[i];
    qsort(nodes, (size_t)k->nodes.count, sizeof *nodes, node_order);
    part.nodes = (NodeVec){nodes, k->nodes.count, k->nodes.count};
    for (int i = 0; i < k->nodes.count; i++) {
        if (is_stored(c, nodes[i], number, -1)) vec_push(c->arena, &part.stored, nodes[i]);
        c->plan->part_of[nodes[i]] = group->parts.count;
    }
    vec_push(c->arena, &group->parts, part);
}

static void emit_group(Clusters *c, int number) {
    const Cluster *k = &c->at[number];
    Group group = {.family = k->family};
    if (!k->parts.count) add_part(c, &group, k, number);
    for (int i = 0; i < k->parts.count; i++) add_part(c, &group, &c->at[k->parts.at[i]], number);
    for (int i = 0; i < k->nodes.count; i++)
        c->plan->group_of[k->nodes.at[i]] = c->plan->groups.count;
    vec_push(c->arena, &c->plan->groups, group);
}

/* Depth first from the reads, by node order, with an explicit stack: producers come out first. */
static void order_groups(Clusters *c) {
    IntVec stack = {0};
    char *state = arena_array(c->arena, char, c->count); /* 0 new, 1 open, 2 done */
    for (NodeId id = 1; id < c->g->count; id++) {
        if (c->of[id] < 0 || state[c->of[id]]) continue;
        vec_push(c->arena, &stack, c->of[id]);
        while (stack.count) {
            int k = stack.at[stack.count - 1];
            if (state[k] == 2) {
                stack.count--;
                continue;
            }
            bool ready = true;
            for (int i = c->at[k].ins.count - 1; i >= 0 && state[k] == 0; i--) {
                int from = c->of[c->at[k].ins.at[i]];
                if (from < 0 || from == k || c->g->node[c->at[k].ins.at[i]].op == OP_INPUT)
                    continue;
                if (state[from] == 1) BUG("fuse: cycle through %%%d", c->at[k].ins.at[i]);
                if (state[from] == 2) continue;
                vec_push(c->arena, &stack, from);
                ready = false;
            }
            state[k] = state[k] == 0 && !ready ? 1 : 2;
            if (state[k] == 2) emit_group(c, k);
        }
    }
}

Plan *fuse(const Graph *g, int opt) {
    Plan *plan = arena_new_of(g->arena, Plan);
    plan->g = g;
    plan->opt = opt;
    plan->group_of = arena_array(g->arena, int, g->count);
    plan->part_of = arena_array(g->arena, int, g->count);
    for (int i = 0; i < g->count; i++) plan->group_of[i] = plan->part_of[i] = -1;
    Clusters *c = clusters_new(g, plan);
    if (opt >= 1) fuse_vertical(c);
    if (opt >= 2) {
        Candidates list = sibling_pairs(c);
        run_candidates(c, &list, try_sibling, true);
        list = sibling_pairs(c);
        run_candidates(c, &list, try_bundle, true);
    }
    order_groups(c);
    if (plan->groups.count > g->limits->kernels)
        diag_error(g->diag, g->span,
                   "%s needs %d kernels ('--limit kernels=N' allows more than %lld)", g->name,
                   plan->groups.count, (long long)g->limits->kernels);
    return plan;
}
