/* chain.c: seeds of the chain family: contractions, a pointwise function of them, and contractions
 * with such functions as left operands become one cluster before anything else is fused, because no
 * pair of its kernels could be fused. Chains that share scores, as those of dK and dV, are one.
 * In: clusters of one node, and seeds of attentions. */
#include "sched/fuse/fuse_private.h"

/* Chains with common scores. */
typedef struct Seed {
    Vec(Chain) chains;
    bool *between; /* the union of theirs */
    NodeId across; /* a contraction of transposed weights of theirs; 0: none */
} Seed;

typedef Vec(Chain) Chains;

static bool is_free_of_seeds(const Clusters *c, const bool *between) {
    for (NodeId id = 1; id < c->g->count; id++)
        if (between[id] && c->of[id] >= 0 && c->at[c->of[id]].family > F_DOT) return false;
    return true;
}

static bool shares_scores(const Chain *x, const Chain *y) {
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < y->count; k++)
            if (x->scores[i] == y->scores[k]) return true;
    return false;
}

/* Do both have a score of the same operands? It may be a contraction of each one's own. */
static bool has_same_operands(const Graph *g, const Chain *x, const Chain *y) {
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < y->count; k++) {
            const Node *a = &g->node[x->scores[i]], *b = &g->node[y->scores[k]];
            if (a->src[0] == b->src[0] && a->src[1] == b->src[1]) return true;
        }
    return false;
}

static bool is_constant(const Clusters *c, NodeId id) {
    return plan_packs_once(c->plan) && c->plan->constancy[id] >= CONSTANT;
}

/* Layers of experts are products of products, too: with one left operand, which is long, or weights
 * that are packed once. */
static bool is_wanted(const Clusters *c, const Chain *x) {
    const Graph *g = c->g;
    bool differs = false;
    for (int i = 0; i < x->count; i++) {
        const Node *n = &g->node[x->scores[i]];
        differs |= n->src[0] != g->node[x->scores[0]].src[0];
        if (is_constant(c, n->src[0]) || is_constant(c, n->src[1])) return false;
    }
    return (differs || chain_is_of_heads(g, x)) && !is_constant(c, g->node[x->out].src[1]);
}

static Chains find_chains(Clusters *c) {
    Chains all = {0}, wanted = {0};
    for (NodeId id = 1; id < c->g->count; id++) {
        Chain x;
        if (!find_chain(c->g, id, &x) || !is_free_of_seeds(c, x.between)) continue;
        if (chain_pays(c->plan->machine, c->g, &x)) vec_push(c->arena, &all, x);
    }
    for (int i = 0; i < all.count; i++) {
        bool is = is_wanted(c, &all.at[i]);
        for (int k = 0; k < all.count; k++)
            is |= is_wanted(c, &all.at[k]) && has_same_operands(c->g, &all.at[i], &all.at[k]);
        if (is) vec_push(c->arena, &wanted, all.at[i]);
    }
    return wanted;
}

/* ---- one seed -------------------------------------------------------------------------------- */

static Space space_of_result(const Graph *g, NodeId id) {
    const Node *out = &g->node[id];
    const int kept = g->node[out->src[0]].rank - out->attr[1];
    Space space = space_of(g, id);
    for (int i = 0, k = 0; i < out->rank; i++) {
        if (dim_is(g->dims, out->shape[i], 1)) continue;
        if (i >= kept) space.reduced |= 1u << k;
        k++;
    }
    return space;
}

static void add_chain(Clusters *c, Seed *s, const Chain *x) {
    vec_push(c->arena, &s->chains, *x);
    for (NodeId id = 1; id < c->g->count; id++) s->between[id] |= x->between[id];
}

static bool is_out(const Seed *s, NodeId id) {
    for (int i = 0; i < s->chains.count; i++)
        if (s->chains.at[i].out == id) return true;
    return false;
}

/* The contraction that the kernel adds up by atomics. */
static NodeId find_across(const Clusters *c, const Seed *s) {
    const Graph *g = c->g;
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; dot_is_across(&g->node[id]) && i < s->chains.count; i++)
            if (g->node[s->chains.at[i].out].src[0] == across_weights(g, id)) return id;
    return 0;
}

/* Takes the first chain of the list, and all that share scores with one of the seed. */
static Seed take_seed(Clusters *c, Chains *list) {
    Seed s = {.between = arena_array(c->arena, bool, c->g->count)};
    Chains rest = {0};
    add_chain(c, &s, &list->at[0]);
    for (bool grows = true; grows;) {
        grows = false;
        for (int i = 1; i < list->count; i++) {
            const Chain *x = &list->at[i];
            bool shares = false;
            for (int k = 0; k < s.chains.count; k++) shares |= shares_scores(x, &s.chains.at[k]);
            if (!shares || is_out(&s, x->out)) continue;
            add_chain(c, &s, x);
            grows = true;
        }
    }
    for (int i = 0; i < list->count; i++)
        if (!is_out(&s, list->at[i].out)) vec_push(c->arena, &rest, list->at[i]);
    *list = rest;
    s.across = find_across(c, &s);
    return s;
}

/* One space of scores, one of results, and not too many of either. */
static bool has_one_space(const Clusters *c, const Seed *s) {
    const Graph *g = c->g;
    const Space first = space_of_result(g, s->chains.at[0].out);
    int scores = 0;
    for (int i = 0; i < s->chains.count; i++) {
        const Space space = space_of_result(g, s->chains.at[i].out);
        if (!space_equal(&first, &space) || first.reduced != space.reduced) return false;
    }
    for (NodeId id = 1; id < g->count; id++)
        scores += s->between[id] && g->node[id].op == OP_DOT && !is_out(s, id);
    return scores <= CHAIN_SCORES && s->chains.count <= CHAIN_SCORES;
}

/* Is nothing between read elsewhere? */
static bool is_closed(const Clusters *c, const Seed *s) {
    for (NodeId id = 1; id < c->g->count; id++) {
        if (!s->between[id] || is_out(s, id)) continue;
        if (c->output[id]) return false;
        for (int i = c->reader_at[id]; i < c->reader_at[id + 1]; i++)
            if (!s->between[c->reader[i]] && c->reader[i] != s->across) return false;
    }
    return true;
}

/* Does something that is computed from the seed feed it? */
static bool has_cycle(const Clusters *c, const Seed *s) {
    const Graph *g = c->g;
    bool *below = arena_array(c->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++) {
            const NodeId from = g->node[id].src[i];
            below[id] |= below[from] || s->between[from];
            if (s->between[id] && below[from] && !s->between[from]) return true;
        }
    return false;
}

static void merge_seed(Clusters *c, const Seed *s) {
    const NodeId out = s->chains.at[0].out;
    const Space space = space_of_result(c->g, out);
    int into = c->of[out];
    for (NodeId id = 1; id < c->g->count; id++) {
        if ((!s->between[id] && id != s->across) || c->of[id] < 0) continue;
        c->inner[id] = !is_out(s, id) && id != s->across;
        if (c->of[id] == into) continue;
        const Decision d = {id, out, FUSED, 2 * c->bytes[id], 0, false};
        if (c->g->node[id].op == OP_DOT) vec_push(c->arena, &c->plan->decisions, d);
        into = clusters_merge(c, c->of[id], into, &space);
    }
    c->at[into].family = F_CHAIN;
}

void fuse_chains(Clusters *c) {
    Chains list = find_chains(c);
    while (list.count) {
        const Seed s = take_seed(c, &list);
        /* a score may be a result of another */
        const bool is_free = is_free_of_seeds(c, s.between);
        if (is_free && has_one_space(c, &s) && is_closed(c, &s) && !has_cycle(c, &s))
            merge_seed(c, &s);
    }
}
