/* scatter.c: derivatives of take and scatter, which are each other's transposes. */
#include "graph/grad/grad_private.h"

#include <string.h>

typedef struct Places {
    const Rule *r;
    NodeId indices;
    const Node *base, *x; /* of f: with the axis, and with those of the indices in its place */
    int axis;
} Places;

static NodeId repeated(const Places *p, NodeId number, const Node *like) {
    return graph_broadcast(p->r->s.g, number, like->rank, like->shape, p->r->s.at);
}

static NodeId zeros(const Places *p, const Node *like) {
    return repeated(p, step_number(&p->r->s, 0), like);
}

static NodeId taken(const Places *p, NodeId x) {
    return graph_add(p->r->s.g, &(Node){.op = OP_GATHER,
                                        .src_count = 2,
                                        .src = {x, p->indices},
                                        .attr = {p->axis},
                                        .span = p->r->s.at});
}

static NodeId scattered(const Places *p, NodeId base, NodeId x, Op with) {
    return graph_scatter(p->r->s.g, base, p->indices, x, p->axis, with, p->r->s.at);
}

bool take_rule(const Rule *r) {
    const Places p = {r, r->sweep->copy[r->n->src[1]], &r->sweep->f->node[r->n->src[0]], r->n,
                      r->n->attr[0]};
    return rule_give(r, 0, scattered(&p, zeros(&p, p.base), r->dy, OP_ADD));
}

/* Is each row of x the last one with its index? In the shape of x. */
static NodeId is_last(const Places *p) {
    Graph *g = p->r->s.g;
    const Steps s = {g, T_I32, p->r->s.at};
    const Node indices = g->node[p->indices];
    const Dim count = node_elements(g, p->indices), rows = p->base->shape[p->axis];
    Dim shape[RANK_MAX];
    const NodeId none = graph_broadcast(g, step_number(&s, 0), 1, &rows, s.at);
    const NodeId own =
        graph_reshape(g, graph_iota(g, count, s.at), indices.rank, indices.shape, s.at);
    Places along = *p;
    along.axis = 0;
    NodeId last = scattered(&along, none, own, OP_NULL);
    last = step2(&s, OP_EQ, taken(&along, last), own);
    for (int i = 0; i < p->x->rank; i++) shape[i] = dim_const(g->dims, 1);
    memcpy(shape + p->axis, indices.shape, sizeof *shape * (size_t)indices.rank);
    return repeated(p, graph_reshape(g, last, p->x->rank, shape, s.at), p->x);
}

static bool set_rule(const Places *p) {
    const Rule *r = p->r;
    const NodeId none = step_number(&r->s, 0);
    if (rule_wants(r, 0) && !rule_give(r, 0, scattered(p, r->dy, zeros(p, p->x), OP_NULL)))
        return false;
    return !rule_wants(r, 2) ||
           rule_give(r, 2, step(&r->s, OP_WHERE, is_last(p), taken(p, r->dy), none));
}

/* Elements that are equal to the extreme share the cotangent. */
static bool extreme_rule(const Places *p) {
    const Rule *r = p->r;
    const Steps *s = &r->s;
    const NodeId one = step_number(s, 1), none = step_number(s, 0), y = rule_value(r);
    const NodeId base = step2(s, OP_EQ, rule_reduced(r, 0), y);
    const NodeId x = step2(s, OP_EQ, rule_reduced(r, 2), taken(p, y));
    const NodeId own = step(s, OP_WHERE, base, one, none);
    const NodeId count = scattered(p, own, step(s, OP_WHERE, x, one, none), OP_ADD);
    const NodeId share = step_div(s, r->dy, count);
    return rule_give(r, 0, step(s, OP_WHERE, base, share, none)) &&
           rule_give(r, 2, step(s, OP_WHERE, x, taken(p, share), none));
}

bool scatter_rule(const Rule *r) {
    const Graph *f = r->sweep->f;
    const Places p = {r, r->sweep->copy[r->n->src[1]], &f->node[r->n->src[0]],
                      &f->node[r->n->src[2]], r->n->attr[0]};
    switch (r->n->attr[1]) {
    case OP_NULL: return set_rule(&p);
    case OP_ADD: return rule_give(r, 0, r->dy) && rule_give(r, 2, taken(&p, r->dy));
    default: return extreme_rule(&p);
    }
}
