/* one_pass.c: one pass over the scores in the backward of attention: dq = dS k becomes a
 * contraction of dS^T, which the kernel of dk and dv has in its tiles, as it has k; it is marked
 * DOT_ACROSS. A thread of a CPU adds up all of a batch's, in order; blocks of a GPU add in any
 * order.
 *
 * needs: mirrored, simplified. keeps: meaning. breaks: nothing. */
#include "sched/split/split.h"

#include <string.h>

/* A contraction whose weights are those of another chain, transposed: dq, where the kernel of dk
 * and dv has dS^T and k in its tiles. `batch`, `again`: of the other chain's scores. */
typedef struct Across {
    NodeId dot, other; /* the other chain's result of these weights */
    int batch, again;
} Across;

typedef struct Acrosses {
    const Machine *machine;
    Vec(Chain) chains;
    Vec(Across) found;
} Acrosses;

/* What lies below permutations: axis i of the node is axis perm[i] of it. */
static NodeId below_permutes(const Graph *g, NodeId id, int *perm) {
    for (; g->node[id].op == OP_PERMUTE; id = g->node[id].src[0])
        for (int i = 0; i < g->node[id].rank; i++) perm[i] = g->node[id].attr[perm[i]];
    return id;
}

/* Does the other chain have this right operand in its tiles, as the left operand of a score? */
static bool has_left(const Graph *g, const Chain *c, NodeId right) {
    for (int i = 0; i < c->count; i++) {
        const Node *s = &g->node[c->scores[i]];
        const int rank = g->node[s->src[0]].rank, depth = s->attr[1], batch = s->attr[0];
        int left[RANK_MAX], own[RANK_MAX];
        if (rank != g->node[right].rank) continue;
        for (int k = 0; k < rank; k++) {
            left[k] = k < batch ? k : k < batch + depth ? k + rank - batch - depth : k - depth;
            own[k] = k;
        }
        if (below_permutes(g, s->src[0], left) == below_permutes(g, right, own) &&
            !memcmp(left, own, sizeof *left * (size_t)rank))
            return true;
    }
    return false;
}

static bool shares_scores(const Acrosses *a, int number) {
    const Chain *x = &a->chains.at[number];
    for (int i = 0; i < a->chains.count; i++)
        for (int k = 0; i != number && k < a->chains.at[i].count; k++)
            for (int l = 0; l < x->count; l++)
                if (x->scores[l] == a->chains.at[i].scores[k]) return true;
    return false;
}

static bool is_known(const Graph *g, NodeId id) {
    int64_t size;
    for (int i = 0; i < g->node[id].rank; i++)
        if (!dim_is_const(g->dims, g->node[id].shape[i], &size)) return false;
    return true;
}

static bool is_f32(const Graph *g, NodeId dot) {
    return g->node[g->node[dot].src[0]].type == T_F32;
}

/* The most elements of a row of left operands, which stay in shared memory. On tensor cores,
 * positions of 64 bits take more registers. */
static int longest_row(const Machine *machine, const Graph *g, const Chain *c) {
    enum { LONGEST = 128, SHORT = 64, LARGE = 128 << 10 };
    const bool more =
        is_f32(g, c->out) ? machine->shared_block >= LARGE : is_known(g, c->scores[0]);
    return more ? LONGEST : SHORT;
}

/* Of 16 bits on tensor cores, or of f32 by fused multiply-adds. */
static bool may_multiply(const Graph *g, Dtype type) {
    return type == T_BF16 || type == T_F16 || (type == T_F32 && g->attrs.precision == P_IEEE);
}

/* Whatever the tile: known lengths of rows in shared memory. */
static bool has_tiles(const Machine *machine, const Graph *g, const Chain *c) {
    if (!machine_is_gpu(machine)) return true;
    const int longest = longest_row(machine, g, c);
    for (int i = -1; i < c->count; i++) {
        const Node *n = &g->node[i < 0 ? c->out : c->scores[i]], *left = &g->node[n->src[0]];
        const Node *sized = i < 0 ? n : left; /* its last axes: columns, or a depth */
        const Dtype type = left->type;
        int64_t size, all = 1;
        if (g->node[n->src[1]].type != type || !may_multiply(g, type)) return false;
        for (int k = left->rank - n->attr[1]; k < sized->rank; k++) {
            if (!dim_is_const(g->dims, sized->shape[k], &size)) return false;
            all *= size;
        }
        if (all > longest) return false;
    }
    return true;
}

static bool is_output(const Graph *g, NodeId id) {
    for (int i = 0; i < g->outputs.count; i++)
        if (g->outputs.at[i].node == id) return true;
    return false;
}

static bool is_taken(const Acrosses *a, NodeId other) {
    for (int i = 0; i < a->found.count; i++)
        if (a->found.at[i].other == other) return true;
    return false;
}

/* Has the result of a right operand [batch, columns, summed] the columns of the other chain's
 * result? The kernel has one loop over columns: not of a slice of the keys, say. */
static bool has_columns(const Graph *g, NodeId right, int summed, const Node *other) {
    const Node *own = &g->node[right], *its = &g->node[other->src[1]];
    const int batch = other->attr[0];
    return shape_equal(own->rank - batch - summed, own->shape + batch,
                       its->rank - batch - other->attr[1], its->shape + batch);
}

/* The chain whose kernel computes contraction `number`, too; false: there is none. */
static bool find_across(Acrosses *a, Graph *g, int number, int known, Across *found) {
    const NodeId id = a->chains.at[number].out;
    if ((is_output(g, id) && !is_f32(g, id)) || shares_scores(a, number)) return false;
    for (int i = 0; i < a->chains.count; i++) {
        const Chain *c = &a->chains.at[i];
        const Node dot = g->node[id], other = g->node[c->out];
        const int again = g->node[c->scores[0]].attr[2];
        NodeId weights, right;
        if (i == number || other.attr[0] > dot.attr[0]) continue;
        if (!has_tiles(a->machine, g, c) || is_taken(a, c->out)) continue;
        if (!mirror_operands(g, &dot, other.attr[0], again, &weights, &right)) continue;
        if (weights >= known || weights != other.src[0] || !has_left(g, c, right)) continue;
        if (!has_columns(g, right, dot.attr[1], &other)) continue;
        *found = (Across){id, c->out, other.attr[0], again};
        return true;
    }
    return false;
}

static void find_acrosses(Acrosses *a, Graph *g) {
    const int known = g->count;
    for (NodeId id = 1; id < known; id++) {
        Chain c;
        if (find_chain(g, id, &c) && chain_pays(a->machine, g, &c))
            vec_push(g->arena, &a->chains, c);
    }
    for (int i = 0; i < a->chains.count; i++) {
        Across found;
        if (!find_across(a, g, i, known, &found)) continue;
        vec_push(g->arena, &a->found, found);
        a->chains.at[i] = a->chains.at[--a->chains.count]; /* it gives no tiles any more */
        i = -1;
    }
}

static NodeId across_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    const Acrosses *a = context;
    NodeId weights, right;
    (void)from;
    for (int i = 0; i < a->found.count; i++) {
        const Across *x = &a->found.at[i];
        int perm[RANK_MAX];
        if (x->dot != old) continue;
        if (!mirror_operands(to, draft, x->batch, x->again, &weights, &right))
            BUG("mirror: %%%d has other operands now", old);
        const int rank = to->node[weights].rank, summed = draft->attr[1];
        for (int k = 0; k < rank; k++)
            perm[k] = k < x->batch        ? k
                      : k < rank - summed ? k + summed
                                          : k - rank + x->batch + summed;
        return graph_add(to, &(Node){.op = OP_DOT,
                                     .src_count = 2,
                                     .src = {graph_permute(to, weights, perm, draft->span), right},
                                     .attr = {x->batch, summed, DOT_ACROSS},
                                     .span = draft->span});
    }
    return graph_add(to, draft);
}

/* One kernel goes through the scores, and not two. */
const Graph *one_pass(const Graph *g, const Machine *machine) {
    Acrosses a = {.machine = machine};
    if (machine_is_gpu(machine) && !machine_has_mma(machine)) return g;
    find_acrosses(&a, graph_rewrite(g, NULL, NULL));
    return a.found.count ? graph_rewrite(graph_rewrite(g, NULL, NULL), across_rule, &a) : g;
}
