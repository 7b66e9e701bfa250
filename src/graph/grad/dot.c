/* dot.c: derivatives of contractions, and of attention.
 *
 *     y[B M N] = a[B M K] . b[B N K]     da[B M K] = dy[B M N] . b[B K N]
 *                                        db[B N K] = dy[B N M] . a[B K M]
 * Both products multiply in the type of the operands, to which dy is rounded.
 *
 * A softmax P that only contractions read is not differentiated by rows of P and dP: with O = P V,
 * the sum of P dP along a row is that of dO O, called D. So no row of P has to be complete:
 *     P = exp(x - l)    dV = P' dO    dP = dO V'    dx = P (dP - D)    l: log-sum-exp of x
 * This x is computed again, from contractions of its own (attr[2]): the forward attention is a
 * kernel that does not store its scores. */
#include "graph/grad/grad_private.h"
#include "graph/pass/pass.h"

#include <math.h>

/* The axes of a contraction: batch, only a's, only b's, summed. */
typedef struct Axes {
    int batch, m, n, k;
} Axes;

static Axes axes_of(const Rule *r) {
    const Graph *f = r->sweep->f;
    Axes x = {.batch = r->n->attr[0], .k = r->n->attr[1]};
    x.m = f->node[r->n->src[0]].rank - x.batch - x.k;
    x.n = f->node[r->n->src[1]].rank - x.batch - x.k;
    return x;
}

/* Exchanges the two groups of axes behind the batch. */
static NodeId exchanged(const Rule *r, NodeId x, int batch, int first, int second) {
    int perm[RANK_MAX];
    for (int i = 0; i < batch; i++) perm[i] = i;
    for (int i = 0; i < second; i++) perm[batch + i] = batch + first + i;
    for (int i = 0; i < first; i++) perm[batch + second + i] = batch + i;
    return graph_permute(r->s.g, x, perm, r->s.at);
}

/* dy[B P Q] . other[B K Q] -> [B P K]; without axes Q, a product of each with each. */
static NodeId product(const Rule *r, NodeId dy, NodeId other, int batch, int p, int q, int k) {
    Graph *g = r->s.g;
    if (q) return graph_dot(g, dy, other, batch, q, r->s.at);
    Dim left[RANK_MAX], right[RANK_MAX], one = dim_const(g->dims, 1);
    for (int i = 0; i < batch + p; i++) left[i] = g->node[dy].shape[i];
    for (int i = 0; i < k; i++) left[batch + p + i] = one;
    for (int i = 0; i < batch; i++) right[i] = g->node[other].shape[i];
    for (int i = 0; i < p; i++) right[batch + i] = one;
    for (int i = 0; i < k; i++) right[batch + p + i] = g->node[other].shape[batch + i];
    const NodeId x = graph_reshape(g, dy, batch + p + k, left, r->s.at);
    const NodeId y = graph_reshape(g, other, batch + p + k, right, r->s.at);
    return step_mul(&r->s, graph_cast(g, x, r->s.type, r->s.at),
                    graph_cast(g, y, r->s.type, r->s.at));
}

/* ---- attention ------------------------------------------------------------------------------ */

NodeId log_sum(const Steps *s, NodeId x, uint32_t axes) {
    return graph_add(s->g, &(Node){.op = OP_LOGSUMEXP,
                                   .src_count = 1,
                                   .src = {x},
                                   .attr = {(int32_t)axes},
                                   .span = s->at});
}

NodeId softmax_again(const Steps *s, NodeId x, NodeId l) {
    const NodeId empty = step2(s, OP_EQ, l, step_number(s, -INFINITY));
    const NodeId shift = step(s, OP_WHERE, empty, step_number(s, INFINITY), l);
    return step1(s, OP_EXP, step_sub(s, x, shift));
}

/* The nodes that x is a pointwise function of, down to contractions. */
static const bool *find_scores(const Sweep *w, NodeId x) {
    bool *found = arena_array(w->f->arena, bool, w->f->count);
    found[x] = true;
    for (NodeId id = x; id > 0; id--) {
        const Node *n = &w->f->node[id];
        const OpClass class = op_info[n->op].class;
        for (int i = 0; found[id] && (class == MAP || class == VIEW) && i < n->src_count; i++)
            found[n->src[i]] = true;
    }
    return found;
}

/* What depends on a contraction among them is computed again, from a contraction of its own. */
static bool copy_scores(Sweep *w, NodeId x) {
    const bool *found = find_scores(w, x);
    for (NodeId id = 1; id <= x; id++) {
        Node draft = w->f->node[id];
        bool depends = draft.op == OP_DOT;
        if (!found[id] || w->again[id] || compares_products(w->f, id)) continue;
        for (int i = 0; i < draft.src_count; i++) {
            const NodeId from = draft.src[i], again = draft.op == OP_DOT ? 0 : w->again[from];
            depends = depends || again;
            draft.src[i] = again ? again : w->copy[from];
        }
        if (draft.op == OP_DOT) draft.attr[2] = 1;
        if (depends && !(w->again[id] = graph_add(w->to, &draft))) return false;
    }
    return true;
}

static NodeId weights_again(Sweep *w, NodeId softmax) {
    const Node *n = &w->f->node[softmax];
    const NodeId x = n->src[0];
    const Steps s = {w->to, n->type, n->span};
    if (!copy_scores(w, x)) return 0;
    const NodeId l =
        log_sum(&s, graph_cast(w->to, w->copy[x], n->type, n->span), (uint32_t)n->attr[0]);
    const NodeId again = w->again[x] ? w->again[x] : w->copy[x];
    return w->again[softmax] = softmax_again(&s, graph_cast(w->to, again, n->type, n->span), l);
}

/* The roundings and the dropout of the weights: see weight_below. */
static NodeId weight_again(Sweep *w, NodeId id) {
    Node draft = w->f->node[id];
    const NodeId below = weight_below(w->f, id);
    if (w->again[id]) return w->again[id];
    for (int i = 0; i < draft.src_count; i++)
        draft.src[i] = draft.src[i] == below ? weight_again(w, below) : w->copy[draft.src[i]];
    return w->again[id] = graph_add(w->to, &draft);
}

/* The weights of an attention, through their roundings; other operands are copies. */
static NodeId operand(const Rule *r, int i) {
    Sweep *w = r->sweep;
    const NodeId id = r->n->src[i], softmax = softmax_below(w->f, id);
    if (i || !w->weights[id]) return w->copy[id];
    if (!w->again[softmax] && !weights_again(w, softmax)) return 0;
    return weight_again(w, id);
}

/* What alone reads a node; 0: several nodes do, or it is an output. */
static NodeId only_reader(const Sweep *w, NodeId of) {
    const Graph *f = w->f;
    NodeId only = 0;
    for (int i = 0; i < f->outputs.count; i++)
        if (f->outputs.at[i].node == of) return 0;
    for (NodeId id = of + 1; id < f->count; id++)
        for (int i = 0; w->live[id] && i < f->node[id].src_count; i++) {
            if (f->node[id].src[i] != of) continue;
            if (only) return 0;
            only = id;
        }
    return only;
}

/* The result of a contraction as the program goes on with it: rounded, if that is all that it does
 * but for the order of axes. */
static NodeId rounded_result(const Rule *r) {
    const Sweep *w = r->sweep;
    NodeId reader = only_reader(w, r->id);
    const Node *permute =
        reader && w->f->node[reader].op == OP_PERMUTE ? &w->f->node[reader] : NULL;
    if (permute) reader = only_reader(w, reader);
    if (!reader || w->f->node[reader].op != OP_CAST) return rule_value(r);
    int back[RANK_MAX];
    NodeId value = w->copy[reader];
    for (int i = 0; permute && i < permute->rank; i++) back[permute->attr[i]] = i;
    if (permute) value = graph_permute(r->s.g, value, back, r->s.at);
    return graph_cast(r->s.g, value, r->s.type, r->s.at);
}

/* D of the softmax below the left operand gets sum(dy y) over the axes that only b has. */
static bool add_row_dot(const Rule *r, const Axes *axes) {
    Sweep *w = r->sweep;
    if (!w->weights[r->n->src[0]]) return true;
    const NodeId softmax = softmax_below(w->f, r->n->src[0]);
    const Node *p = &w->f->node[softmax];
    Dim shape[RANK_MAX];
    NodeId d = step_mul(&r->s, r->dy, rounded_result(r));
    const uint32_t own = ((1u << axes->n) - 1) << (axes->batch + axes->m);
    if (own) d = step_reduce(&r->s, OP_SUM, d, own);
    for (int i = 0; i < p->rank; i++)
        shape[i] = i < axes->batch + axes->m ? p->shape[i] : dim_const(w->f->dims, 1);
    d = graph_reshape(r->s.g, d, p->rank, shape, r->s.at);
    if (w->row_dot[softmax]) d = step_add(&r->s, w->row_dot[softmax], d);
    w->row_dot[softmax] = d;
    return d != 0;
}

/* ---- the rule ------------------------------------------------------------------------------- */

/* f8 has no range for cotangents: bf16 holds f8 exactly. */
static Dtype product_type(Dtype operand) {
    return operand == T_F8E4M3 || operand == T_F8E5M2 ? T_BF16 : operand;
}

/* Is the operand in memory the other way round, so that its cotangent is, too? */
static bool is_turned(const Rule *r, int i) {
    const Graph *f = r->sweep->f;
    const Node *n = &f->node[r->n->src[i]];
    int axis[RANK_MAX]; /* of what is permuted, possibly several times */
    for (int k = 0; k < RANK_MAX; k++) axis[k] = k;
    for (; n->op == OP_CAST || n->op == OP_PERMUTE; n = &f->node[n->src[0]])
        for (int k = 0; n->op == OP_PERMUTE && k < n->rank; k++) axis[k] = n->attr[axis[k]];
    for (int k = 0; k < n->rank; k++)
        if (axis[k] != k) return true;
    return false;
}

bool dot_rule(const Rule *r) {
    Graph *g = r->s.g;
    const Axes x = axes_of(r);
    const Dtype type = product_type(r->sweep->f->node[r->n->src[0]].type);
    if (!add_row_dot(r, &x)) return false;
    if (rule_wants(r, 0)) {
        const NodeId b = graph_cast(g, operand(r, 1), type, r->s.at);
        const NodeId dy = graph_cast(g, r->dy, x.n ? type : r->s.type, r->s.at);
        const NodeId turned = exchanged(r, b, x.batch, x.n, x.k);
        if (!rule_give(r, 0, product(r, dy, turned, x.batch, x.m, x.n, x.k))) return false;
    }
    if (!rule_wants(r, 1))
        return operand(r, 0) != 0; /* the softmax's rule takes its weights, too */
    const NodeId a = graph_cast(g, operand(r, 0), type, r->s.at);
    NodeId dy = graph_cast(g, r->dy, x.m ? type : r->s.type, r->s.at);
    dy = exchanged(r, dy, x.batch, x.m, x.n);
    const NodeId turned = exchanged(r, a, x.batch, x.m, x.k);
    if (!is_turned(r, 1)) return rule_give(r, 1, product(r, dy, turned, x.batch, x.n, x.m, x.k));
    const NodeId db = product(r, turned, dy, x.batch, x.k, x.m, x.n);
    return rule_give(r, 1, exchanged(r, db, x.batch, x.k, x.n));
}
