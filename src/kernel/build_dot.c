/* build_dot.c: a contraction becomes a kernel of four flattened axes (batch, m, n, k); its operands
 * are values of the body, evaluated where the views above them say. */
#include "kernel/build.h"

enum { BATCH, M, N, K };

static Dim product(Dims *d, const Dim *shape, int count)
{
    Dim p = dim_const(d, 1);
    for (int i = 0; i < count; i++) p = dim_mul(d, p, shape[i]);
    return p;
}

/* Index of an operand with axes batch.., own.., k.. from the flattened axes. */
static void operand_index(Builder *b, const Node *n, const Node *dot, int own_axis, Ix *index)
{
    int batch = dot->attr[0], summed = dot->attr[1], own = n->rank - batch - summed;
    ix_unflatten(b->x, ix_axis(b->x, BATCH), batch, n->shape, index);
    ix_unflatten(b->x, ix_axis(b->x, own_axis), own, n->shape + batch, index + batch);
    ix_unflatten(b->x, ix_axis(b->x, K), summed, n->shape + batch + own, index + batch + own);
}

void build_dot(Builder *b, NodeId id)
{
    const Node *n = &b->g->node[id], *p = &b->g->node[n->src[0]], *q = &b->g->node[n->src[1]];
    Dims *d = b->g->dims;
    int batch = n->attr[0], summed = n->attr[1];
    Contraction *c = &b->kernel->dot;
    Body body = {.lane = K, .stage_count = 1};
    b->body = &body;
    b->x = body.indices = indices_new(b->arena, d);
    c->batch = product(d, p->shape, batch);
    c->m = product(d, p->shape + batch, p->rank - batch - summed);
    c->n = product(d, q->shape + batch, q->rank - batch - summed);
    c->k = product(d, p->shape + p->rank - summed, summed);
    Dim extent[4] = {c->batch, c->m, c->n, c->k};
    for (int i = 0; i < 4; i++) {
        Axis axis = {i, extent[i], i == K};
        b->x->extent[i] = extent[i];
        vec_push(b->arena, &body.axes, axis);
    }
    body.row_count = 3;
    c->operand = p->type;
    c->type = n->type;
    Ix index[RANK_MAX];
    operand_index(b, p, n, M, index);
    c->a = build_value(b, n->src[0], index, 0);
    operand_index(b, q, n, N, index);
    c->b = build_value(b, n->src[1], index, 0);
    Ix mn = ix_add(b->x, ix_scale(b->x, ix_axis(b->x, M), c->n), ix_axis(b->x, N));
    Ix whole = ix_scale(b->x, ix_axis(b->x, BATCH), dim_mul(d, c->m, c->n));
    c->c_at = ix_add(b->x, whole, mn);
    c->c = kernel_buffer(b, b->plan->groups.at[b->group].writes.at[0], true);
    body_place(&body, false, false);
    vec_push(b->arena, &b->kernel->bodies, body);
}
