/* reduce.c: derivatives of reductions and of scans. */
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

/* ---- scans ---------------------------------------------------------------------------------- */

/* The running sum from the other end. */
static bool cumsum_rule(const Rule *r) {
    const Node *n = r->n;
    return rule_give(r, 0, graph_scan(r->s.g, OP_CUMSUM, r->dy, n->attr[0], !n->attr[1], r->s.at));
}

/* A value with two axes instead of one: it is along the first or the second. */
static NodeId along_one_of_two(const Steps *s, NodeId value, int axis, bool first) {
    const Node n = s->g->node[value];
    Dim shape[RANK_MAX];
    for (int i = 0; i < n.rank; i++) shape[i + (i >= axis + first)] = n.shape[i];
    shape[axis + first] = dim_const(s->g->dims, 1);
    return graph_reshape(s->g, value, n.rank + 1, shape, s->at);
}

/* dx[k] = sum over j from k on of dy[j] times the product of x up to j without x[k] */
static bool cumprod_rule(const Rule *r) {
    const Steps *s = &r->s;
    Graph *g = s->g;
    const Node *x = operand(r);
    const int axis = r->n->attr[0];
    const bool reverse = r->n->attr[1];
    Dim along[RANK_MAX];
    if (!rank_check(g, x->rank + 1, s->at)) return false;
    for (int i = 0; i < x->rank; i++) along[i] = i == axis ? x->shape[i] : dim_const(g->dims, 1);
    NodeId at = graph_index(g, x->shape[axis], s->at);
    at = graph_reshape(g, at, x->rank, along, s->at);
    const NodeId k = along_one_of_two(s, at, axis, true), j = along_one_of_two(s, at, axis, false);
    const NodeId own = along_one_of_two(s, rule_source(r, 0), axis, false);
    const NodeId others = step(s, OP_WHERE, step2(s, OP_EQ, j, k), step_number(s, 1), own);
    const NodeId products = graph_scan(g, OP_CUMPROD, others, axis + 1, reverse, s->at);
    const NodeId has = reverse ? step2(s, OP_LE, j, k) : step2(s, OP_LE, k, j);
    const NodeId terms = step_mul(s, along_one_of_two(s, r->dy, axis, false), products);
    const NodeId kept = step(s, OP_WHERE, has, terms, step_number(s, 0));
    const NodeId dx = step_reduce(s, OP_SUM, kept, 2u << axis);
    return rule_give(r, 0, graph_reshape(g, dx, x->rank, x->shape, s->at));
}

/* Where in x, in row-major order, the element is that each result is: of equal ones, and of NaN,
 * the last one of the scan. The first of a row always is one. */
static NodeId chosen_positions(const Rule *r, Dim count) {
    const Steps *s = &r->s;
    Graph *g = s->g;
    const Node *x = operand(r);
    const NodeId own = rule_reduced(r, 0), index = graph_index(g, count, s->at);
    if (!index) return 0;
    const NodeId is_equal = step2(s, OP_EQ, own, rule_value(r));
    const NodeId is_chosen = step2(s, OP_OR, is_equal, step1(s, OP_ISNAN, own));
    const Op scan = r->n->attr[1] ? OP_CUMMIN : OP_CUMMAX;
    const Dtype type = g->node[index].type;
    const int64_t identity = reduction_identity(reduction_of(scan), type).i;
    const NodeId at =
        step(s, OP_WHERE, is_chosen, graph_reshape(g, index, x->rank, x->shape, s->at),
             graph_const_int(g, type, identity, s->at));
    return graph_scan(g, scan, at, r->n->attr[0], r->n->attr[1], s->at);
}

/* Each element has the sum of the cotangents of the results that are it. */
static bool running_extreme_rule(const Rule *r) {
    const Steps *s = &r->s;
    Graph *g = s->g;
    const Node *x = operand(r);
    const Dim count = node_elements(r->sweep->f, r->n->src[0]);
    const NodeId at = chosen_positions(r, count);
    if (!at) return false;
    const NodeId zeros = graph_broadcast(g, step_number(s, 0), 1, &count, s->at);
    const NodeId dx = graph_scatter(g, zeros, graph_reshape(g, at, 1, &count, s->at),
                                    graph_reshape(g, r->dy, 1, &count, s->at), 0, OP_ADD, s->at);
    return rule_give(r, 0, graph_reshape(g, dx, x->rank, x->shape, s->at));
}

/* ---- all ------------------------------------------------------------------------------------ */

bool reduce_rule(const Rule *r) {
    switch (r->n->op) {
    case OP_SUM: return rule_give(r, 0, stretched(&r->s, r->dy, operand(r)));
    case OP_PROD: return prod_rule(r);
    case OP_RMAX:
    case OP_RMIN: return extreme_rule(r);
    case OP_CUMSUM: return cumsum_rule(r);
    case OP_CUMPROD: return cumprod_rule(r);
    case OP_CUMMAX:
    case OP_CUMMIN: return running_extreme_rule(r);
    default: BUG("no derivative of %s", op_info[r->n->op].name);
    }
}
