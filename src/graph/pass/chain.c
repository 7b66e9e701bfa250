/* chain.c: finds a chain of contractions without a softmax, by structure: contractions with one
 * result space, a pointwise function of them, and a contraction that takes this function as its
 * left operand, as in the backward of attention. In: the last contraction. Out: the nodes of the
 * pattern, and those between them. */
#include "graph/pass/pass.h"

enum { MOST_BETWEEN = 64 }; /* operations of the function */

typedef struct Walk {
    const Graph *g;
    const Node *out;
    NodeId left;
    NodeId node[MOST_BETWEEN]; /* what the function computes; scores are not among them */
    int count;
} Walk;

/* Does the result have the axes batch.., m.. and n.. of the left operand? */
static bool is_score(const Walk *w, NodeId id) {
    const Graph *g = w->g;
    const Node *n = &g->node[id], *left = &g->node[w->left];
    if (n->op != OP_DOT || n->type != T_F32 || n->attr[0] != w->out->attr[0]) return false;
    const int m = g->node[n->src[0]].rank - n->attr[0] - n->attr[1];
    return m == left->rank - w->out->attr[0] - w->out->attr[1];
}

static bool has_shape_of_left(const Walk *w, NodeId id) {
    const Node *n = &w->g->node[id], *left = &w->g->node[w->left];
    return shape_equal(n->rank, n->shape, left->rank, left->shape);
}

static bool add_score(Chain *c, NodeId id) {
    for (int i = 0; i < c->count; i++)
        if (c->scores[i] == id) return true;
    if (c->count == CHAIN_SCORES) return false;
    int at = c->count++;
    for (; at > 0 && c->scores[at - 1] > id; at--) c->scores[at] = c->scores[at - 1];
    c->scores[at] = id;
    return true;
}

static bool add_node(Walk *w, NodeId id) {
    for (int i = 0; i < w->count; i++)
        if (w->node[i] == id) return true;
    if (w->count == MOST_BETWEEN) return false;
    w->node[w->count++] = id;
    return true;
}

/* From the left operand down: pointwise operations of its shape, to scores and to what is read. */
static bool walk(Walk *w, Chain *c) {
    if (is_score(w, w->left)) return add_score(c, w->left);
    if (op_info[w->g->node[w->left].op].class != MAP || !add_node(w, w->left)) return false;
    for (int i = 0; i < w->count; i++) {
        const Node *n = &w->g->node[w->node[i]];
        for (int s = 0; s < n->src_count; s++) {
            const NodeId from = n->src[s];
            if (!has_shape_of_left(w, from)) continue;
            if (is_score(w, from) && !add_score(c, from)) return false;
            if (op_info[w->g->node[from].op].class == MAP && !add_node(w, from)) return false;
        }
    }
    return c->count > 0;
}

/* Marks the nodes between; false if anything else that the chain reads depends on a score. */
static bool is_closed_below(const Walk *w, Chain *c) {
    const Graph *g = w->g;
    bool *below = arena_array(g->arena, bool, g->count), *walked = c->between;
    for (int i = 0; i < c->count; i++) below[c->scores[i]] = walked[c->scores[i]] = true;
    for (int i = 0; i < w->count; i++) walked[w->node[i]] = true;
    for (NodeId id = c->scores[0]; id <= c->out; id++)
        for (int i = 0; i < g->node[id].src_count; i++) below[id] |= below[g->node[id].src[i]];
    for (int k = 0; k < w->count; k++) {
        const Node *n = &g->node[w->node[k]];
        for (int i = 0; i < n->src_count; i++)
            if (below[n->src[i]] && !walked[n->src[i]]) return false;
    }
    for (int i = 0; i < c->count; i++) {
        const Node *n = &g->node[c->scores[i]];
        if (below[n->src[0]] || below[n->src[1]]) return false;
    }
    for (int i = 0; i < w->count; i++) walked[w->node[i]] = below[w->node[i]];
    walked[c->out] = true;
    return !below[w->out->src[1]];
}

bool dot_is_across(const Node *n) { return n->op == OP_DOT && n->attr[2] == DOT_ACROSS; }

NodeId across_weights(const Graph *g, NodeId across) {
    return g->node[g->node[across].src[0]].src[0];
}

bool find_chain(const Graph *g, NodeId out, Chain *found) {
    const Node *n = &g->node[out];
    if (n->op != OP_DOT || n->type != T_F32) return false;
    Walk w = {.g = g, .out = n, .left = n->src[0]};
    *found = (Chain){.out = out};
    if (!walk(&w, found)) return false;
    found->between = arena_array(g->arena, bool, g->count);
    return is_closed_below(&w, found);
}
