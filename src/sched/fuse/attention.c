/* attention.c: seeds of the attention family: each softmax between two contractions becomes one
 * cluster before anything else is fused, because no pair of its kernels could be fused. Greedy
 * fusion then adds prologues and epilogues.
 * In: clusters of one node. */
#include "sched/fuse/fuse_private.h"

/* The space of the result; its rows are those of the softmax. */
static Space seed_space(const Graph *g, const Attention *a) {
    const Node *out = &g->node[a->out];
    int kept = g->node[out->src[0]].rank - out->attr[1];
    Space space = space_of(g, a->out);
    for (int i = 0, k = 0; i < out->rank; i++) {
        if (dim_is(g->dims, out->shape[i], 1)) continue;
        if (i >= kept) space.reduced |= 1u << k;
        k++;
    }
    return space;
}

/* Each split has all keys in its shape, but computes only its own tiles: counts the work once. */
static void count_once(Clusters *c, NodeId id, int64_t splits) {
    Work *w = &c->at[c->of[id]].work;
    c->plan->splits[id] = splits;
    w->flops /= (double)splits;
    w->special /= (double)splits;
    w->products /= (double)splits;
}

static void merge_seed(Clusters *c, const Attention *a) {
    Space space = seed_space(c->g, a);
    int into = c->of[a->out];
    for (NodeId id = a->scores; id < c->g->count; id++)
        if (a->between[id] && c->of[id] >= 0) count_once(c, id, a->splits);
    for (NodeId id = a->scores; id < c->g->count; id++) {
        if (!a->between[id] || c->of[id] < 0) continue;
        c->inner[id] = id != a->out;
        if (c->of[id] == into) continue;
        Decision d = {id, a->out, FUSED, 2 * c->bytes[id], 0, false};
        if (c->g->node[id].op == OP_DOT || op_info[c->g->node[id].op].class == REDUCE)
            vec_push(c->arena, &c->plan->decisions, d);
        into = clusters_merge(c, c->of[id], into, &space);
    }
    c->at[into].family = F_ATTENTION;
}

/* The result of one attention may be the scores of the next, but a kernel has one softmax. */
static bool is_taken(const Clusters *c, const Attention *a) {
    for (NodeId id = a->scores; id < c->g->count; id++)
        if (a->between[id] && c->of[id] >= 0 && c->at[c->of[id]].family == F_ATTENTION) return true;
    return false;
}

void fuse_attention(Clusters *c) {
    Attention a;
    for (NodeId id = 1; id < c->g->count; id++)
        if (find_attention(c->g, id, &a) && !is_taken(c, &a) &&
            attention_pays(c->plan->machine, c->g, &a))
            merge_seed(c, &a);
}
