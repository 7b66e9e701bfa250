/* fuse.c: which kernels become one, pairs of the largest gain first, but see apart.c. may_fuse.c
 * gives the facts, and gain.c the numbers. Candidates are the pairs that share an edge, and
 * neighbouring readers of one value, so their number is that of the edges. needs: decomposed graph.
 * keeps: graph. makes: groups and decisions of the plan. */
#include "sched/fuse/fuse_private.h"

#include <stdlib.h>

/* ---- the greedy loop ----------------------------------------------------------------------- */

typedef struct Candidate {
    NodeId a, b; /* nodes; their clusters are looked up when the candidate is tried */
    Gain gain;
    Reason refused;
    bool is_far;  /* readers of a value with others between: a refusal is no news */
    bool is_late; /* others come before, whatever their gain: see apart.c */
} Candidate;

typedef Vec(Candidate) Candidates;

static int candidate_order(const void *x, const void *y) {
    const Candidate *a = x, *b = y;
    if (a->is_late != b->is_late) return a->is_late ? 1 : -1;
    if (a->gain.time != b->gain.time) return a->gain.time > b->gain.time ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static void decide(Clusters *c, const Candidate *x, Reason reason, bool horizontal) {
    Decision d = {x->a, x->b, reason, x->gain.bytes, x->gain.time, horizontal};
    vec_push(c->arena, &c->plan->decisions, d);
}

/* A legal fusion is a candidate only if it gains, or if that is decided elsewhere. */
static void weigh(Clusters *c, Candidate *x, const Space *space) {
    const FusePin *pin = pin_of(c, c->of[x->a], c->of[x->b]);
    x->gain = fuse_gain(c, c->of[x->a], c->of[x->b], x->refused == FUSED ? space : NULL);
    if (x->refused != FUSED) return;
    if (pin ? pin->is_cut : x->gain.time <= 0) x->refused = pin ? NO_PIN : x->gain.lost;
}

typedef bool TryFuse(Clusters *c, Candidate *x);

/* In rounds: a value need no longer be stored after its other readers are fused. */
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
        if (x->refused != FUSED && !x->is_far && c->of[x->a] != c->of[x->b])
            decide(c, x, x->refused, horizontal);
    }
}

static bool try_vertical(Clusters *c, Candidate *x) {
    Space space;
    int a = c->of[x->a], b = c->of[x->b];
    x->refused = may_fuse(c, a, b, &space);
    weigh(c, x, &space);
    if (x->refused == FUSED) clusters_merge(c, a, b, &space);
    return x->refused == FUSED;
}

/* The relation of a value to its reader. Contractions are added first where their sum may be beside
 * others: what reads several sums could take one contraction of each, and no more. A contraction's
 * result is rounded where it is made, before anything else is decided: fewer bytes leave it.
 * Operands come after sources: work between two contractions is computed once if the first takes it
 * into its epilogue. Copies come last: a copy is fused into the kernel that its source is in by
 * then. */
typedef enum Turn {
    TURN_ADDED,
    TURN_ROUNDED,
    TURN_SOURCE,
    TURN_OPERAND,
    TURN_COPY,
    TURN_COUNT
} Turn;

static bool is_rounding(const Graph *g, const Node *n) {
    return n->op == OP_CAST && dtype_size(n->type) < dtype_size(g->node[n->src[0]].type);
}

static Turn turn_of(const Clusters *c, NodeId value, NodeId reader) {
    if (c->beside[reader]) return TURN_ADDED;
    if (c->g->node[value].op == OP_DOT && is_rounding(c->g, &c->g->node[reader]))
        return TURN_ROUNDED;
    const bool may_cut = machine_is_gpu(c->plan->machine) && is_cut_view(c->g, reader);
    if (c->copy[reader] && (is_rearranged(c->g, reader) || may_cut)) return TURN_COPY;
    return c->g->node[reader].op == OP_DOT ? TURN_OPERAND : TURN_SOURCE;
}

/* Is one the rest of the other's parts side by side? Each first takes its part into its kernel:
 * kernels of choices alone would read as many buffers as there are parts. */
static bool are_choices(const Graph *g, NodeId rest, NodeId reader) {
    return join_axis(&g->node[rest]) >= 0 && join_axis(&g->node[reader]) >= 0;
}

/* The pairs of a value and its readers. */
static Candidates vertical_pairs(Clusters *c, Turn turn) {
    Candidates list = {0};
    for (NodeId w = 1; w < c->g->count; w++) {
        if (c->of[w] < 0 || c->g->node[w].op == OP_INPUT || c->plan->kept[w]) continue;
        for (int i = c->reader_at[w]; i < c->reader_at[w + 1]; i++) {
            Candidate x = {.a = w, .b = c->reader[i]};
            if (turn_of(c, x.a, x.b) != turn) continue;
            x.gain = fuse_gain(c, c->of[x.a], c->of[x.b], NULL);
            x.is_late = turn == TURN_SOURCE &&
                        (keeps_siblings_apart(c, x.a, x.b) || are_choices(c->g, x.a, x.b));
            vec_push(c->arena, &list, x);
        }
    }
    return list;
}

static void fuse_vertical(Clusters *c, Turn turn) {
    Candidates list = vertical_pairs(c, turn);
    run_candidates(c, &list, try_vertical, false);
}

/* ---- siblings: readers of one value that do not need each other ---------------------------- */

/* One iteration space: both bodies in one loop. */
static bool try_sibling(Clusters *c, Candidate *x) {
    Space space;
    int a = c->of[x->a], b = c->of[x->b];
    x->refused = may_join(c, a, b, &space);
    weigh(c, x, &space);
    if (x->refused == FUSED) clusters_merge(c, a, b, &space);
    return x->refused == FUSED;
}

static void add_pair(Clusters *c, Candidates *list, NodeId a, NodeId b, bool is_far) {
    if (!a || c->of[a] == c->of[b]) return;
    Candidate x = {
        .a = a, .b = b, .is_far = is_far, .gain = fuse_gain(c, c->of[a], c->of[b], NULL)};
    vec_push(c->arena, list, x);
}

/* Neighbours among the kernels that compute one free value. */
static void pair_around_free(Clusters *c, Candidates *list) {
    NodeId *last = arena_array(c->arena, NodeId, c->g->count);
    for (NodeId id = 1; id < c->g->count; id++) {
        if (c->of[id] < 0) continue;
        for (int i = 0; i < source_count(c->g, id); i++) {
            NodeId from = source_of(c->plan, c->g->node[id].src[i]);
            if (!c->plan->free[from] || last[from] == id) continue;
            add_pair(c, list, last[from], id, false);
            last[from] = id;
        }
        if (c->plan->free[id]) last[id] = id; /* an output */
    }
}

/* Does it go through rows for partial sums of columns alone? Any kernel of these rows may. */
static bool only_sums_columns(const Clusters *c, NodeId id) {
    const Cluster *k = &c->at[c->of[id]];
    return k->family == F_ROW && !k->loops;
}

/* Do both reduce the same rows, as partial results do? */
static bool have_same_rows(const Clusters *c, NodeId a, NodeId b) {
    const Cluster *A = &c->at[c->of[a]], *B = &c->at[c->of[b]];
    return A->family == F_ROW && B->family == F_ROW && space_equal(&A->space, &B->space) &&
           A->space.reduced == B->space.reduced;
}

/* Neighbours among the kernels that combine partial results of one kernel: sums of columns, or of
 * chunks. Those of chunks read different values, but wait for the same ones. */
static Candidates pairs_of_partials(Clusters *c) {
    Candidates list = {0};
    NodeId *last = arena_array(c->arena, NodeId, c->count);
    for (NodeId id = 1; id < c->g->count; id++) {
        const OpClass class = op_info[c->g->node[id].op].class;
        if (class != PARTIAL && class != REDUCE) continue;
        for (int i = c->reader_at[id]; i < c->reader_at[id + 1]; i++) {
            const NodeId reader = c->reader[i], before = last[c->of[id]];
            if (c->of[reader] == c->of[id]) continue;
            if (class == REDUCE && c->at[c->of[reader]].family != F_ROW) continue;
            if (class == PARTIAL || (before && have_same_rows(c, before, reader)))
                add_pair(c, &list, before, reader, class == REDUCE);
            last[c->of[id]] = reader;
        }
    }
    return list;
}

/* May they become one kernel although other readers of the value are between them? */
static bool may_meet(const Clusters *c, NodeId a, NodeId b) {
    return only_sums_columns(c, a) || only_sums_columns(c, b) || have_same_rows(c, a, b);
}

/* Neighbours among the readers of a value. Kernels of partial sums, and those of the same rows,
 * also meet those farther away, as other readers may be between them that both wait for. */
static Candidates sibling_pairs(Clusters *c) {
    enum { NEAR = 8 };
    Candidates list = {0};
    for (NodeId w = 1; w < c->g->count; w++)
        for (int i = c->reader_at[w] + 1; i < c->reader_at[w + 1]; i++) {
            const NodeId b = c->reader[i];
            for (int k = i - 1; k >= c->reader_at[w] && i - k <= NEAR; k--)
                if (k == i - 1 || may_meet(c, c->reader[k], b))
                    add_pair(c, &list, c->reader[k], b, k < i - 1);
        }
    pair_around_free(c, &list);
    return list;
}

/* Values that were stored for several kernels, of which siblings have made one. What is refused has
 * been refused before. */
static void fuse_into_siblings(Clusters *c) {
    Candidates list = {0};
    for (NodeId w = 1; w < c->g->count; w++) {
        const int first = c->reader_at[w], end = c->reader_at[w + 1];
        if (c->of[w] < 0 || c->g->node[w].op == OP_INPUT || c->plan->kept[w]) continue;
        for (int i = first; i < end && end - first > 1; i++)
            add_pair(c, &list, w, c->reader[i], true);
    }
    run_candidates(c, &list, try_vertical, false);
}

/* Different spaces: pointwise kernels side by side in one launch, if the launch dominates. A
 * cluster that became a nest has no nodes of its own kernel: `nests` of the first names it. */
static bool try_bundle(Clusters *c, Candidate *x) {
    int a = c->of[x->a], b = c->of[x->b];
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    x->refused = may_bundle(c, a, b);
    weigh(c, x, NULL);
    if (x->refused != FUSED) return false;
    Cluster *first = &c->at[a], *second = &c->at[b];
    Cluster nest = *second;
    if (!first->nests.count) {
        c->at[c->count] = *first; /* its own nodes become the first nest */
        vec_push(c->arena, &first->nests, c->count);
        c->count++;
    }
    if (nest.nests.count) {
        for (int i = 0; i < nest.nests.count; i++)
            vec_push(c->arena, &first->nests, nest.nests.at[i]);
    } else {
        c->at[c->count] = nest;
        vec_push(c->arena, &first->nests, c->count);
        c->count++;
    }
    IntVec nests = first->nests;
    int into = clusters_merge(c, a, b, &first->space);
    c->at[into].nests = nests;
    return true;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* Adds the free nodes that nodes of the list depend on. */
static void add_free(Clusters *c, NodeVec *nodes) {
    const int stamp = ++c->stamp;
    for (int i = 0; i < nodes->count; i++) c->listed[nodes->at[i]] = stamp;
    for (int i = 0; i < nodes->count; i++) {
        const Node *n = &c->g->node[nodes->at[i]];
        for (int s = 0; s < source_count(c->g, nodes->at[i]); s++) {
            NodeId from = source_of(c->plan, n->src[s]);
            if (!c->plan->free[from] || c->listed[from] == stamp) continue;
            c->listed[from] = stamp;
            vec_push(c->arena, nodes, from);
        }
    }
}

static void sort_nodes(NodeVec *v) { qsort(v->at, (size_t)v->count, sizeof *v->at, node_order); }

static void add_nest(Clusters *c, Group *group, const Cluster *k, int number) {
    LoopNest nest = {.space = k->space, .blocks = k->blocks};
    NodeVec *nodes = &nest.nodes;
    for (int i = 0; i < k->nodes.count; i++) vec_push(c->arena, nodes, k->nodes.at[i]);
    sort_nodes(nodes);
    if (k->family == F_DOT) nest.sums = nest_sums(c, nodes);
    nest.sums.is_turned = nest.sums.count * nest.sums.terms == 1 && !nest.space.reduced &&
                          !nest.blocks &&
                          cost_is_turned(c->plan->machine, c->g, nest.sums.dot[0][0]);
    for (int i = 0; i < nodes->count; i++) {
        if (is_stored(c, nodes->at[i], number, -1)) vec_push(c->arena, &nest.stored, nodes->at[i]);
        c->plan->nest_of[nodes->at[i]] = group->nests.count;
    }
    add_free(c, nodes);
    sort_nodes(nodes);
    vec_push(c->arena, &group->nests, nest);
}

static void emit_group(Clusters *c, int number) {
    const Cluster *k = &c->at[number];
    Group group = {.family = k->family, .work = k->work};
    if (!k->nests.count) add_nest(c, &group, k, number);
    for (int i = 0; i < k->nests.count; i++) add_nest(c, &group, &c->at[k->nests.at[i]], number);
    for (int i = 0; i < k->nodes.count; i++)
        c->plan->group_of[k->nodes.at[i]] = c->plan->groups.count;
    vec_push(c->arena, &c->plan->groups, group);
}

/* Depth first from the reads, in node order, with an explicit stack: producers come first. */
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

Plan *fuse(const Graph *g, const Machine *machine, int opt, const FusePins *pins) {
    Plan *plan = arena_new_of(g->arena, Plan);
    plan->g = g;
    plan->machine = machine;
    plan->opt = opt;
    plan->group_of = arena_array(g->arena, int, g->count);
    plan->nest_of = arena_array(g->arena, int, g->count);
    for (int i = 0; i < g->count; i++) plan->group_of[i] = plan->nest_of[i] = -1;
    plan->inner = arena_array(g->arena, bool, g->count);
    plan->splits = arena_array(g->arena, int64_t, g->count);
    plan->kept = arena_array(g->arena, bool, g->count);
    plan->free = arena_array(g->arena, bool, g->count);
    if (opt >= 1) find_kept(plan);
    if (opt >= 1) find_free(plan);
    find_constant(plan);
    Clusters *c = clusters_new(g, plan);
    pins_find(c, pins);
    if (opt >= 1) {
        fuse_attention(c);
        fuse_chains(c);
        fuse_blocks(c);
        find_sums_beside(c);
        fuse_vertical(c, TURN_ADDED);
        fuse_vertical(c, TURN_ROUNDED);
        fuse_partials(c);
        for (int turn = TURN_SOURCE; turn < TURN_COUNT; turn++) fuse_vertical(c, (Turn)turn);
    }
    if (opt >= 2) {
        Candidates list = sibling_pairs(c);
        run_candidates(c, &list, try_sibling, true);
        list = pairs_of_partials(c);
        run_candidates(c, &list, try_sibling, true);
        fuse_into_siblings(c);
        list = sibling_pairs(c);
        run_candidates(c, &list, try_bundle, true);
    }
    pins_verify(c);
    order_groups(c);
    if (plan->groups.count > g->limits->kernels)
        diag_error(g->diag, g->span,
                   "%s needs %d kernels ('--limit kernels=N' allows more than %lld)", g->name,
                   plan->groups.count, (long long)g->limits->kernels);
    return plan;
}
