/* view.c: derivatives of what moves elements: each is the transpose of the move. */
#include "graph/grad/grad_private.h"

static const Node *source(const Rule *r, int i) { return &r->sweep->f->node[r->n->src[i]]; }

/* Sums over the axes that were stretched from 1. */
static NodeId unbroadcast(const Rule *r) {
    const Node *x = source(r, 0);
    uint32_t axes = 0;
    for (int i = 0; i < x->rank; i++)
        if (x->shape[i] != r->n->shape[i]) axes |= 1u << i;
    return axes ? step_reduce(&r->s, OP_SUM, r->dy, axes) : r->dy;
}

static NodeId unpermute(const Rule *r) {
    int back[RANK_MAX] = {0};
    for (int i = 0; i < r->n->rank; i++) back[r->n->attr[i]] = i;
    return graph_permute(r->s.g, r->dy, back, r->s.at);
}

static NodeId unslice(const Rule *r) {
    return graph_pad(r->s.g, r->dy, r->n->attr, source(r, 0)->shape, step_number(&r->s, 0),
                     r->s.at);
}

/* What the padding gets, is summed where x is not. */
static NodeId padding_sum(const Rule *r) {
    const Node *x = source(r, 0);
    const NodeId zeros = graph_broadcast(r->s.g, step_number(&r->s, 0), x->rank, x->shape, r->s.at);
    const NodeId outside =
        graph_pad(r->s.g, zeros, r->n->attr, r->n->shape, step_number(&r->s, 1), r->s.at);
    const NodeId all =
        step_reduce(&r->s, OP_SUM, step_mul(&r->s, r->dy, outside), (1u << r->n->rank) - 1);
    return graph_reshape(r->s.g, all, 0, NULL, r->s.at);
}

static bool pad_rule(const Rule *r) {
    const NodeId inside = graph_slice(r->s.g, r->dy, r->n->attr, source(r, 0)->shape, r->s.at);
    return rule_give(r, 0, inside) && (!rule_wants(r, 1) || rule_give(r, 1, padding_sum(r)));
}

bool view_rule(const Rule *r) {
    const Node *x = source(r, 0);
    switch (r->n->op) {
    case OP_RESHAPE:
        return rule_give(r, 0, graph_reshape(r->s.g, r->dy, x->rank, x->shape, r->s.at));
    case OP_PERMUTE: return rule_give(r, 0, unpermute(r));
    case OP_BROADCAST: return rule_give(r, 0, unbroadcast(r));
    case OP_SLICE: return rule_give(r, 0, unslice(r));
    case OP_PAD: return pad_rule(r);
    case OP_FLIP:
        return rule_give(r, 0, graph_flip(r->s.g, r->dy, (uint32_t)r->n->attr[0], r->s.at));
    default: BUG("no derivative of %s", op_info[r->n->op].name);
    }
}
