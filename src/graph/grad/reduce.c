/* reduce.c: derivatives of reductions and of running sums. */
#include "graph/grad/grad_private.h"

#include <string.h>

NodeId stretched(const Steps *s, NodeId x, const Node *like) {
    return graph_broadcast(s->g, x, like->rank, like->shape, s->at);
}

static const Node *operand(const Rule *r) { return &r->sweep->f->node[r->n->src[0]]; }

/* Elements that are equal to the extreme share the cotangent. Next to a NaN there is none. */
static bool extreme_rule(const Rule *r) {
    const Steps *s = &r->s;
    const NodeId is = step2(s, OP_EQ, rule_reduced(r, 0), rule_value(r));
    const NodeId ones = step(s, OP_WHERE, is, step_number(s, 1), step_number(s, 0));
    const NodeId count = step_reduce(s, OP_SUM, ones, (uint32_t)r->n->attr[0]);
    const NodeId share = step_div(s, r->dy, count);
    return rule_give(r, 0, step(s, OP_WHERE, is, share, step_number(s, 0)));
}

/* ---- products ------------------------------------------------------------------------------- */

/* The reduced axes come last, as one. */
typedef struct Rows {
    int perm[RANK_MAX], rank; /* of the rows: without the reduced axes */
    Dim shape[RANK_MAX + 1];  /* with one axis for them, at shape[rank] */
} Rows;

static Rows rows_of(const Rule *r, const Node *x, uint32_t axes) {
    Rows rows = {0};
    int at = 0;
    Dim size = dim_const(r->s.g->dims, 1);
    for (int reduced = 0; reduced < 2; reduced++)
        for (int i = 0; i < x->rank; i++)
            if ((axes >> i & 1) == (uint32_t)reduced) rows.perm[at++] = i;
    for (int i = 0; i < x->rank; i++) {
        if (axes >> i & 1)
            size = dim_mul(r->s.g->dims, size, x->shape[i]);
        else
            rows.shape[rows.rank++] = x->shape[i];
    }
    rows.shape[rows.rank] = size;
    return rows;
}

/* others[.., i] = product over k of (k == i ? 1 : x[.., k]) */
static NodeId product_of_others(const Rule *r, NodeId x, const Rows *rows) {
    const Steps *s = &r->s;
    Dim column[RANK_MAX], row[RANK_MAX], one = dim_const(s->g->dims, 1);
    const Dim size = rows->shape[rows->rank];
    const int rank = rows->rank + 2;
    for (int i = 0; i < rank - 2; i++) column[i] = row[i] = one;
    column[rank - 2] = size, column[rank - 1] = one;
    row[rank - 2] = one, row[rank - 1] = size;
    const NodeId iota = graph_iota(s->g, size, s->at);
    const NodeId same = step2(s, OP_EQ, graph_reshape(s->g, iota, rank, column, s->at),
                              graph_reshape(s->g, iota, rank, row, s->at));
    memcpy(row, rows->shape, sizeof *row * (size_t)rows->rank);
    x = graph_reshape(s->g, x, rank, row, s->at);
    const NodeId others = step(s, OP_WHERE, same, step_number(s, 1), x);
    const NodeId product = step_reduce(s, OP_PROD, others, 1u << (rank - 1));
    return graph_reshape(s->g, product, rows->rank + 1, rows->shape, s->at);
}

static bool prod_rule(const Rule *r) {
    const Steps *s = &r->s;
    const Node *x = operand(r);
    const Rows rows = rows_of(r, x, (uint32_t)r->n->attr[0]);
    Dim moved[RANK_MAX];
    int back[RANK_MAX];
    if (!rank_check(s->g, rows.rank + 2, s->at)) return false;
    for (int i = 0; i < x->rank; i++) {
        back[rows.perm[i]] = i;
        moved[i] = x->shape[rows.perm[i]];
    }
    NodeId flat = graph_permute(s->g, rule_source(r, 0), rows.perm, s->at);
    flat = graph_reshape(s->g, flat, rows.rank + 1, rows.shape, s->at);
    NodeId others = flat ? product_of_others(r, flat, &rows) : 0;
    others = graph_reshape(s->g, others, x->rank, moved, s->at);
    others = graph_permute(s->g, others, back, s->at);
    return others && rule_give(r, 0, step_mul(s, r->dy, others));
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The running sum from the other end. */
static bool cumsum_rule(const Rule *r) {
    return rule_give(r, 0,
                     graph_add(r->s.g, &(Node){.op = OP_CUMSUM,
                                               .src_count = 1,
                                               .src = {r->dy},
                                               .attr = {r->n->attr[0], !r->n->attr[1]},
                                               .span = r->s.at}));
}

bool reduce_rule(const Rule *r) {
    switch (r->n->op) {
    case OP_SUM: return rule_give(r, 0, stretched(&r->s, r->dy, operand(r)));
    case OP_PROD: return prod_rule(r);
    case OP_RMAX:
    case OP_RMIN: return extreme_rule(r);
    case OP_CUMSUM: return cumsum_rule(r);
    default: BUG("no derivative of %s", op_info[r->n->op].name);
    }
}
