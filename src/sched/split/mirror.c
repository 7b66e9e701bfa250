/* mirror.c: a product that reads a transposed function of products becomes a chain of its own: the
 * function is computed again, of products whose operands are exchanged. In the backward of
 * attention one kernel has tiles of queries, and the other tiles of keys; neither stores P or dS.
 *
 *     s = q k^T, dq = f(s) k, dk = f(s)^T q       becomes       dk = f(k q^T) q
 *
 * Comparisons of products with what depends on products stay as they are (again.c).
 *
 * needs: simplified. keeps: meaning; kernels may add up in another order. breaks: nothing. */
#include "sched/split/split.h"

#include <string.h>

enum {
    MOST_MADE = 96,  /* nodes of one function */
    MOST_STEPS = 512 /* of a walk through it, which visits values again for each reader */
};

/* A node and what it became: the axes in another order. */
typedef struct Made {
    NodeId from, to;
    int perm[RANK_MAX];
} Made;

typedef struct Mirror {
    Graph *g;
    int batch, rows; /* axes of the left operand that is made: batch.., rows.., and summed ones */
    int again;       /* of its contractions: different numbers have nothing in common */
    bool simplifies; /* as simplify would what is turned */
    Made made[MOST_MADE];
    int count;
    bool failed;
} Mirror;

/* ---- operands of the contractions ------------------------------------------------------------ */

/* Along this axis all elements are equal. */
static bool is_spread(const Graph *g, NodeId id, int axis) {
    for (;;) {
        const Node *n = &g->node[id], *from = &g->node[n->src[0]];
        if (n->op == OP_BROADCAST && from->shape[axis] != n->shape[axis]) return true;
        if (n->op == OP_PERMUTE) axis = n->attr[axis];
        if (n->op != OP_BROADCAST && n->op != OP_CAST && n->op != OP_PERMUTE) return false;
        id = n->src[0];
    }
}

/* An operand of a contraction as that of another. */
typedef struct Operand {
    const Node *dot;
    NodeId id;
    int side;
    const int *perm; /* axes of the result that is wanted, in the contraction's own */
    int from, to;    /* axes of the wanted result, after the batch, that it has to have */
} Operand;

/* The operand's axis that is the contraction's result axis; -1: it has none. */
static int own_axis(const Graph *g, const Operand *o, int axis) {
    const int batch = o->dot->attr[0], m = g->node[o->dot->src[0]].rank - batch - o->dot->attr[1];
    if (axis < batch) return axis;
    if (o->side == 0) return axis < batch + m ? axis : -1;
    return axis < batch + m ? -1 : axis - m;
}

static bool may_drop(const Graph *g, const Operand *o, int wanted) {
    const int axis = own_axis(g, o, o->perm[wanted]);
    return axis < 0 || dim_is(g->dims, g->node[o->id].shape[axis], 1) || is_spread(g, o->id, axis);
}

/* Has it all of its own axes, and nothing along the other operand's? */
static bool may_turn(const Mirror *m, const Operand *o, int rank) {
    for (int i = m->batch; i < rank; i++) {
        const bool own = i >= o->from && i < o->to;
        if (own ? own_axis(m->g, o, o->perm[i]) < 0 : !may_drop(m->g, o, i)) return false;
    }
    return true;
}

/* The first element along axes that are dropped. */
static NodeId sliced(const Mirror *m, const Operand *o, const bool *kept, Span span) {
    Graph *g = m->g;
    Dim start[RANK_MAX], size[RANK_MAX];
    const int rank = g->node[o->id].rank;
    for (int i = 0; i < rank; i++) {
        start[i] = dim_const(g->dims, 0);
        size[i] = kept[i] ? g->node[o->id].shape[i] : dim_const(g->dims, 1);
    }
    return graph_slice(g, o->id, start, size, span);
}

/* [batch.. own.. depth..]: axes in the wanted order, without those that are spread. */
static NodeId turned_operand(const Mirror *m, const Operand *o, Span span) {
    Graph *g = m->g;
    const int all = g->node[o->id].rank, depth = o->dot->attr[1];
    bool kept[RANK_MAX] = {0};
    int perm[RANK_MAX], count = 0, rank = 0;
    Dim shape[RANK_MAX], full[RANK_MAX];
    for (int i = 0; i < m->batch + o->to - o->from; i++) {
        const int wanted = i < m->batch ? i : o->from + i - m->batch;
        const int axis = own_axis(g, o, o->perm[wanted]);
        full[rank] = o->dot->shape[o->perm[wanted]];
        shape[rank] = axis < 0 ? dim_const(g->dims, 1) : full[rank];
        rank++;
        if (axis >= 0) kept[axis] = true, perm[count++] = axis;
    }
    for (int i = all - depth; i < all; i++) {
        kept[i] = true, perm[count++] = i;
        full[rank] = shape[rank] = g->node[o->id].shape[i], rank++;
    }
    for (int i = 0; i < all; i++)
        if (!kept[i]) perm[count++] = i;
    NodeId x = graph_permute(g, sliced(m, o, kept, span), perm, span);
    return graph_broadcast(g, graph_reshape(g, x, rank, shape, span), rank, full, span);
}

/* The contraction with its result's axes in another order; 0: its operands do not allow it. */
static NodeId turned_dot(Mirror *m, NodeId id, const int *perm) {
    const Node dot = m->g->node[id];
    for (int side = 0; side < 2; side++) {
        const Operand left = {&dot, dot.src[side], side, perm, m->batch, m->batch + m->rows};
        const Operand right = {&dot, dot.src[!side], !side, perm, m->batch + m->rows, dot.rank};
        if (!may_turn(m, &left, dot.rank) || !may_turn(m, &right, dot.rank)) continue;
        const NodeId a = turned_operand(m, &left, dot.span);
        const NodeId b = turned_operand(m, &right, dot.span);
        return graph_add(m->g, &(Node){.op = OP_DOT,
                                       .src_count = 2,
                                       .src = {a, b},
                                       .attr = {m->batch, dot.attr[1], m->again},
                                       .span = dot.span});
    }
    return 0;
}

/* ---- the function ---------------------------------------------------------------------------- */

/* Is it a contraction, or a function of one, through transpositions? `left`: steps that remain. */
static bool reaches_dot(const Graph *g, NodeId id, int *left) {
    const Node *n = &g->node[id];
    if (n->op == OP_DOT) return true;
    if (op_info[n->op].class != MAP && n->op != OP_PERMUTE) return false;
    for (int i = 0; i < n->src_count && --*left > 0; i++)
        if (reaches_dot(g, n->src[i], left)) return true;
    return false;
}

static NodeId turned(Mirror *m, NodeId id, const int *perm);

/* The operation of turned sources. */
static NodeId turned_map(Mirror *m, NodeId id, const int *perm) {
    Node draft = m->g->node[id];
    for (int i = 0; i < draft.src_count && !m->failed; i++)
        draft.src[i] = turned(m, draft.src[i], perm);
    return m->failed ? 0 : graph_add(m->g, &draft);
}

static bool is_one_element(const Graph *g, const Node *n) {
    for (int i = 0; i < n->rank; i++)
        if (!dim_is(g->dims, n->shape[i], 1)) return false;
    return true;
}

/* permute(id, perm), of what is no function of a contraction. */
static NodeId turned_view(const Mirror *m, NodeId id, const int *perm) {
    const Node n = m->g->node[id];
    Dim shape[RANK_MAX];
    int through[RANK_MAX];
    for (int i = 0; i < n.rank; i++) shape[i] = n.shape[perm[i]], through[i] = n.attr[perm[i]];
    if (n.op == OP_BROADCAST && is_one_element(m->g, &m->g->node[n.src[0]]))
        return graph_broadcast(m->g, n.src[0], n.rank, shape, n.span);
    if (m->simplifies && n.op == OP_PERMUTE) return graph_permute(m->g, n.src[0], through, n.span);
    return graph_permute(m->g, id, perm, n.span);
}

static NodeId make(Mirror *m, NodeId id, const int *perm) {
    const Node n = m->g->node[id];
    int through[RANK_MAX], left = MOST_STEPS;
    if (!reaches_dot(m->g, id, &left) || compares_products(m->g, id))
        return turned_view(m, id, perm);
    if (n.op == OP_DOT) return turned_dot(m, id, perm);
    if (n.op != OP_PERMUTE) return turned_map(m, id, perm);
    for (int i = 0; i < n.rank; i++) through[i] = n.attr[perm[i]];
    return turned(m, n.src[0], through);
}

/* permute(id, perm), with no permutation between the contractions and what is made. */
static NodeId turned(Mirror *m, NodeId id, const int *perm) {
    const size_t bytes = sizeof *perm * (size_t)m->g->node[id].rank;
    for (int i = 0; i < m->count; i++)
        if (m->made[i].from == id && !memcmp(m->made[i].perm, perm, bytes)) return m->made[i].to;
    if (m->count == MOST_MADE) m->failed = true;
    const NodeId to = m->failed ? 0 : make(m, id, perm);
    if (!to || m->count == MOST_MADE) m->failed = true;
    if (m->failed) return 0;
    graph_name(m->g, to, m->g->node[id].name);
    graph_hint(m->g, to, m->g->node[id].hint);
    Made *made = &m->made[m->count++];
    made->from = id, made->to = to;
    memcpy(made->perm, perm, bytes);
    return to;
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* The contractions that a function reads, through transpositions; left < 0: it has too many steps.
 */
typedef struct Reads {
    NodeId dot[CHAIN_SCORES];
    int count, left;
} Reads;

static void find_reads(const Graph *g, NodeId id, Reads *r) {
    const Node *n = &g->node[id];
    if (--r->left <= 0) return;
    if (n->op == OP_DOT) {
        bool known = false;
        for (int i = 0; i < r->count; i++) known |= r->dot[i] == id;
        if (known) return;
        if (r->count == CHAIN_SCORES) r->left = 0;
        if (r->left > 0) r->dot[r->count++] = id;
    } else if (op_info[n->op].class == MAP || n->op == OP_PERMUTE) {
        for (int i = 0; i < n->src_count; i++) find_reads(g, n->src[i], r);
    }
}

/* Marks what an operand reads, if these are contractions of different left operands: the scores of
 * an attention's backward. */
static bool mark_scores(const Graph *g, NodeId operand, bool *is_score) {
    Reads r = {.left = MOST_STEPS};
    bool differs = false;
    find_reads(g, operand, &r);
    for (int i = 1; i < r.count; i++)
        differs |= g->node[r.dot[i]].src[0] != g->node[r.dot[0]].src[0];
    for (int i = 0; differs && i < r.count; i++) is_score[r.dot[i]] = true;
    return differs;
}

static const bool *find_scores(const Graph *g) {
    bool *is_score = arena_array(g->arena, bool, g->count), any = false;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        for (int side = 0; n->op == OP_DOT && n->attr[0] && side < 2; side++)
            any |= mark_scores(g, n->src[side], is_score);
    }
    return any ? is_score : NULL;
}

typedef struct Pass {
    const Machine *machine;
    const bool *is_score;
    bool exchanges;             /* did a contraction exchange its operands? */
    NodeId right[CHAIN_SCORES]; /* right operands with different columns, of all chains made */
    int right_count;
} Pass;

static bool reads_scores(const Pass *p, const Graph *from, NodeId operand) {
    Reads r = {.left = MOST_STEPS};
    find_reads(from, operand, &r);
    for (int i = 0; i < r.count; i++)
        if (!p->is_score[r.dot[i]]) return false;
    return r.count > 0 && r.left > 0;
}

static bool same_columns(const Graph *g, const Node *dot, NodeId a, NodeId b) {
    const Node *x = &g->node[a], *y = &g->node[b];
    bool same = x->rank == y->rank;
    for (int i = dot->attr[0]; same && i < x->rank - dot->attr[1]; i++)
        same = x->shape[i] == y->shape[i];
    return same;
}

/* A kernel has results of one shape, and registers for them. Chains of others, as those of dK and
 * dV where keys are longer than values, have scores of their own: kernels that share them would
 * have to store them. */
static int again_number(Pass *p, const Graph *g, const Node *dot) {
    const bool alone = chain_has_own_kernel(p->machine, g, dot);
    int i = 0;
    while (i < p->right_count && (alone || !same_columns(g, dot, p->right[i], dot->src[1]))) i++;
    if (i == p->right_count && i < CHAIN_SCORES) p->right[p->right_count++] = dot->src[1];
    return i;
}

/* The contraction with its own chain; 0: it has none. */
static NodeId mirrored(Pass *p, Graph *to, const Node *dot) {
    const Node *left = &to->node[dot->src[0]];
    int identity[RANK_MAX];
    Mirror m = {.g = to, .batch = dot->attr[0], .again = again_number(p, to, dot)};
    m.rows = left->rank - dot->attr[0] - dot->attr[1];
    for (int i = 0; i < left->rank; i++) identity[i] = i;
    const NodeId own = turned(&m, dot->src[0], identity);
    if (!own) return 0;
    const NodeId out = graph_dot(to, own, dot->src[1], dot->attr[0], dot->attr[1], dot->span);
    Chain chain;
    return find_chain(to, out, &chain) && chain_pays(p->machine, to, &chain) ? out : 0;
}

/* The same where the function is the right operand: a^T b as (b^T a)^T. */
static NodeId exchanged(Pass *p, Graph *to, const Node *dot) {
    const int rank = dot->rank, batch = dot->attr[0];
    const int m = to->node[dot->src[0]].rank - batch - dot->attr[1];
    Node other = *dot;
    int perm[RANK_MAX];
    other.src[0] = dot->src[1], other.src[1] = dot->src[0];
    for (int i = 0; i < rank; i++)
        perm[i] = i < batch ? i : i < batch + m ? i + rank - batch - m : i - m;
    const NodeId out = mirrored(p, to, &other);
    return out ? graph_permute(to, out, perm, dot->span) : 0;
}

static NodeId mirror_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    Pass *p = context;
    NodeId out = 0;
    if (draft->op != OP_DOT || draft->type != T_F32) return graph_add(to, draft);
    const Node *n = &from->node[old];
    if (reads_scores(p, from, n->src[0])) {
        out = mirrored(p, to, draft);
    } else if (reads_scores(p, from, n->src[1])) {
        out = exchanged(p, to, draft);
        p->exchanges |= out != 0;
    }
    return out ? out : graph_add(to, draft);
}

/* ---- the operands of one contraction --------------------------------------------------------- */

bool mirror_operands(Graph *g, const Node *dot, int batch, int again, NodeId *weights,
                     NodeId *right) {
    const int rank = g->node[dot->src[0]].rank, summed = dot->attr[1];
    int perm[RANK_MAX], identity[RANK_MAX];
    Mirror m = {.g = g, .batch = batch, .rows = summed, .again = again, .simplifies = true};
    for (int i = 0; i < rank; i++)
        perm[i] = i < batch ? i : i < batch + summed ? i + rank - batch - summed : i - summed;
    for (int i = 0; i < RANK_MAX; i++) identity[i] = i;
    const Operand values = {dot, dot->src[1], 1, identity, rank - summed, dot->rank};
    if (!may_turn(&m, &values, dot->rank)) return false;
    *right = turned_operand(&m, &values, dot->span);
    *weights = turned(&m, dot->src[0], perm);
    return *weights != 0;
}

const Graph *mirror(const Graph *g, const Machine *machine, bool in_one_pass) {
    Pass p = {.machine = machine, .is_score = find_scores(g)};
    if (!p.is_score) return g;
    const Graph *made = graph_rewrite(g, mirror_rule, &p);
    if (!made) return NULL;
    const bool is_gpu = machine_is_gpu(machine);
    if (p.exchanges) made = simplify(lift(made, is_gpu));
    const bool in_any_order = !is_gpu || made->attrs.nondeterministic;
    return in_one_pass && in_any_order ? one_pass(simplify(lift(made, is_gpu)), machine) : made;
}
