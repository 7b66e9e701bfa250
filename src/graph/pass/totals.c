/* totals.c: the last element of a running sum is the sum. needs: simplified. keeps: meaning, up to
 * the order of a sum, which the language leaves open. breaks: nothing.
 *
 *     c / slice(c), c = cumsum(x)   becomes   c / sum(x)
 *
 * A kernel that computes running sums of a row has its sum at hand, while a slice of what it
 * computes is read by another kernel, once all is stored. So only where something reads both:
 * elsewhere the slice reads one element, the sum all. */
#include "graph/pass/pass.h"

/* Is it the last element of running sums along the last axis, of all of them? Down columns the sum
 * would take another kernel. */
static bool is_total(const Graph *g, const Node *slice) {
    if (slice->op != OP_SLICE) return false;
    const Node *c = &g->node[slice->src[0]];
    if (c->op != OP_CUMSUM || c->attr[0] != c->rank - 1) return false;
    if (!dim_is(g->dims, slice->shape[c->attr[0]], 1)) return false;
    for (int i = 0; i < c->rank; i++) {
        const bool is_own = i == c->attr[0];
        const Dim last = dim_sub(g->dims, c->shape[i], slice->shape[i]);
        const Dim first = is_own && !c->attr[1] ? last : dim_const(g->dims, 0);
        if (!last || !dim_equal(g->dims, slice->attr[i], first)) return false;
        if (!is_own && !dim_equal(g->dims, c->shape[i], slice->shape[i])) return false;
    }
    return true;
}

/* Does an elementwise function take this total, and elements of the running sums, too? */
static bool meets_elements(const Graph *g, NodeId total) {
    enum { ELEMENTS = 1, TOTAL = 2 };
    const NodeId c = g->node[total].src[0];
    unsigned char *has = arena_array(g->arena, unsigned char, g->count);
    has[c] = ELEMENTS, has[total] = TOTAL;
    for (NodeId id = c + 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        unsigned char sources = 0;
        for (int i = 0; i < n->src_count; i++) sources |= has[n->src[i]];
        if (class == MAP && sources == (ELEMENTS | TOTAL)) return true;
        if (class == MAP) has[id] |= sources;
        if (n->op == OP_BROADCAST || n->op == OP_RESHAPE) has[id] |= sources & TOTAL;
    }
    return false;
}

static NodeId add_up(Graph *to, const Graph *from, NodeId old, const Node *draft, void *context) {
    (void)context;
    const Node *was = &from->node[old];
    if (!is_total(from, was) || !meets_elements(from, old)) return graph_add(to, draft);
    const Node *c = &to->node[draft->src[0]];
    return graph_reduce(to, OP_SUM, c->src[0], 1u << c->attr[0], draft->span);
}

Graph *totals(const Graph *g) { return graph_rewrite(g, add_up, NULL); }
