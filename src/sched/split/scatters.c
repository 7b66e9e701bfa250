/* scatters.c: on a GPU the sums of a scatter by pieces of the sorted positions: one thread adds up
 * a column of a row, and of skewed indices, as those of words, some rows have most of the
 * positions. So a kernel adds up each piece that lies within one row, and the row adds those sums
 * to what is left before and behind them. needs: no composites. keeps: meaning; sums are in another
 * order, the same in every run, and a row of -0 that no index names may become 0. breaks: nothing.
 *
 *     combine(base, starts, ends, positions, x)   becomes, with pieces of L positions,
 *
 *     pieces = combine(0, [0, L, ..], [L, 2 L, ..], positions, x)   of pieces within one row
 *     head   = combine(base, starts, L ceil(starts / L), positions, x)
 *     middle = combine(head, ceil(starts / L), floor(ends / L), [0, 1, ..], pieces)
 *     combine(middle, L floor(ends / L), ends, positions, x)
 */
#include "sched/split/split.h"

enum {
    PIECE = 64, /* positions, at least */
    MOST_PIECES = 1024,
    TWIN_OPS = 6,          /* operations one after the other on an element of x */
    LEAST_POSITIONS = 2048 /* below, a launch costs more */
};

/* What takes so few operations, or is gathered, is as well computed by two kernels, each of which
 * has other elements of it. */
static bool may_have_twin(const Graph *g, NodeId id, int ops) {
    const Node *n = &g->node[split_below_views(g, id)];
    const OpClass class = op_info[n->op].class;
    if (n->uniform || (class != MAP && class != GATHER)) return true;
    if (!ops || op_is_call(n->op)) return false;
    for (int i = 0; i < n->src_count; i++)
        if (!may_have_twin(g, n->src[i], ops - 1)) return false;
    return true;
}

static bool is_sum(const Node *n) {
    return n->attr[1] == OP_ADD && dtype_compute(n->type) == n->type;
}

/* Pieces of the positions; 0: too few positions for them. */
static int64_t piece_count(const Graph *g, const Node *n) {
    const Node *positions = &g->node[n->src[3]];
    int64_t count;
    if (!is_sum(n) || !may_have_twin(g, n->src[4], TWIN_OPS)) return 0;
    if (!dim_is_const(g->dims, positions->shape[0], &count)) return MOST_PIECES;
    if (count < LEAST_POSITIONS) return 0;
    return count / PIECE < MOST_PIECES ? count / PIECE : MOST_PIECES;
}

/* The rows of a sort of indices, below its lists of starts, ends and positions. */
static NodeId sorted(const Graph *g, NodeId list) {
    while (op_info[g->node[list].op].class == VIEW) list = g->node[list].src[0];
    return g->node[list].op == OP_SEGMENTS ? g->node[list].src[0] : 0;
}

/* ---- integers of the rewritten graph --------------------------------------------------------- */

typedef struct Pieces {
    Graph *g;
    Span at;
    NodeId positions, rows; /* by position in order: an index, and by index: its row */
    Dim count;              /* of positions */
    int64_t pieces;
} Pieces;

static NodeId spread(const Pieces *p, NodeId scalar, NodeId like) {
    const Node *n = &p->g->node[like];
    return graph_broadcast(p->g, scalar, n->rank, n->shape, p->at);
}

static NodeId scalar(const Pieces *p, int64_t value) {
    return graph_const_int(p->g, T_I32, value, p->at);
}

static NodeId integers(const Pieces *p, Op op, NodeId list, NodeId x) {
    if (!p->g->node[x].rank && p->g->node[list].rank) x = spread(p, x, list);
    return graph_map(p->g, op, list, x, 0, p->at);
}

static NodeId where(const Pieces *p, NodeId condition, NodeId a, NodeId b) {
    return graph_map(p->g, OP_WHERE, condition, a, b, p->at);
}

static NodeId take(const Pieces *p, NodeId list, NodeId indices) {
    const Node draft = {
        .op = OP_GATHER, .src_count = 2, .src = {list, indices}, .attr = {0}, .span = p->at};
    return graph_add(p->g, &draft);
}

/* What pointwise operations compute is computed of what is taken, so that it needs no kernel. */
static NodeId take_computed(const Pieces *p, NodeId list, NodeId indices) {
    const Node *n = &p->g->node[list];
    if (n->op == OP_BROADCAST && node_elements(p->g, n->src[0]) == dim_const(p->g->dims, 1))
        return spread(p, graph_reshape(p->g, n->src[0], 0, NULL, p->at), indices);
    if (op_info[n->op].class != MAP || op_is_call(n->op)) return take(p, list, indices);
    Node draft = *n;
    for (int i = 0; i < draft.src_count; i++)
        draft.src[i] = take_computed(p, draft.src[i], indices);
    return graph_add(p->g, &draft);
}

/* The number of positions, and more. */
static NodeId count_and(const Pieces *p, int64_t more) {
    const Dim all = dim_add(p->g->dims, p->count, dim_const(p->g->dims, more));
    int64_t known;
    if (dim_is_const(p->g->dims, all, &known)) return scalar(p, known);
    return graph_cast(p->g, graph_dim(p->g, all, p->at), T_I32, p->at);
}

/* Positions of a piece, and more. */
static NodeId length_and(const Pieces *p, int64_t more) {
    const int64_t pieces = p->pieces;
    int64_t known;
    if (dim_is_const(p->g->dims, p->count, &known))
        return scalar(p, (known + pieces - 1) / pieces + more);
    const NodeId even = integers(p, OP_DIV, count_and(p, pieces - 1), scalar(p, pieces));
    const NodeId length = integers(p, OP_MAX, even, scalar(p, PIECE));
    return more ? integers(p, OP_ADD, length, scalar(p, more)) : length;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static NodeId combine(const Pieces *p, const Node *like, NodeId base, NodeId starts, NodeId ends,
                      NodeId positions, NodeId x) {
    const Node draft = {.op = OP_COMBINE,
                        .src_count = 5,
                        .src = {base, starts, ends, positions, x},
                        .attr = {like->attr[0], OP_ADD},
                        .span = p->at};
    return graph_add(p->g, &draft);
}

/* The sum of each piece whose positions are of one row; of others, nothing is read. */
static NodeId sums_of_pieces(const Pieces *p, const Node *n, NodeId x) {
    Graph *g = p->g;
    Dim shape[RANK_MAX];
    for (int i = 0; i < n->rank; i++) shape[i] = n->shape[i];
    shape[n->attr[0]] = dim_const(g->dims, p->pieces);
    const NodeId piece = graph_iota(g, shape[n->attr[0]], p->at);
    const NodeId length = length_and(p, 0), all = count_and(p, 0);
    const NodeId start = integers(p, OP_MIN, integers(p, OP_MUL, piece, length), all);
    const NodeId end = integers(p, OP_MIN, integers(p, OP_ADD, start, length), all);
    const NodeId first_at = take(p, p->positions, integers(p, OP_MIN, start, count_and(p, -1)));
    const NodeId last_at = take(p, p->positions, integers(p, OP_SUB, end, scalar(p, 1)));
    const NodeId is_of_one =
        integers(p, OP_EQ, take_computed(p, p->rows, first_at), take_computed(p, p->rows, last_at));
    const NodeId zero = graph_const(g, n->type, 0, p->at);
    const NodeId zeros = graph_broadcast(g, zero, n->rank, shape, p->at);
    const NodeId until = where(p, is_of_one, end, start);
    return graph_hint(g, combine(p, n, zeros, start, until, p->positions, x), "piece_sums");
}

/* The same for another kernel: what is computed is another node. */
static NodeId twin_of(const Pieces *p, NodeId id, int number) {
    Node draft = p->g->node[id];
    const OpClass class = op_info[draft.op].class;
    if (draft.uniform || (class != MAP && class != GATHER && class != VIEW)) return id;
    bool differs = class != VIEW;
    for (int i = 0; i < draft.src_count; i++) {
        const NodeId from = draft.src[i];
        draft.src[i] = twin_of(p, from, number);
        differs |= draft.src[i] != from;
    }
    if (!differs) return id;
    if (class != VIEW) draft.twin = number;
    node_order_sources(&draft);
    return graph_add(p->g, &draft);
}

static NodeId in_pieces(const Pieces *p, const Node *n) {
    Graph *g = p->g;
    const NodeId base = n->src[0], start = n->src[1], end = n->src[2], x = n->src[4];
    const NodeId length = length_and(p, 0), up = integers(p, OP_ADD, start, length_and(p, -1));
    const NodeId first = integers(p, OP_DIV, up, length);
    const NodeId last = integers(p, OP_MAX, integers(p, OP_DIV, end, length), first);
    const NodeId has_pieces = integers(p, OP_LT, first, last);
    const NodeId before = where(p, has_pieces, integers(p, OP_MUL, first, length), end);
    const NodeId behind = where(p, has_pieces, integers(p, OP_MUL, last, length), end);
    const NodeId each = graph_iota(g, dim_const(g->dims, p->pieces), p->at);
    const NodeId sums = sums_of_pieces(p, n, twin_of(p, x, g->count));
    const NodeId head = combine(p, n, base, start, before, p->positions, x);
    const NodeId middle = combine(p, n, head, first, last, each, sums);
    return combine(p, n, middle, behind, end, p->positions, x);
}

/* ---- the pass -------------------------------------------------------------------------------- */

static NodeId scatter_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                           void *context) {
    (void)context;
    const Node *n = &from->node[old];
    const int64_t pieces = n->op == OP_COMBINE ? piece_count(from, n) : 0;
    if (!pieces) return graph_add(to, draft);
    Node shaped = *draft;
    shaped.rank = n->rank, shaped.type = n->type;
    for (int i = 0; i < n->rank; i++) shaped.shape[i] = n->shape[i];
    const Pieces p = {.g = to,
                      .at = draft->span,
                      .positions = draft->src[3],
                      .rows = sorted(to, draft->src[3]),
                      .count = from->node[n->src[3]].shape[0],
                      .pieces = pieces};
    return in_pieces(&p, &shaped);
}

const Graph *split_scatters(const Graph *g) {
    bool any = false;
    if (g->attrs.max_kernels) return g;
    for (NodeId id = 1; id < g->count && !any; id++)
        any = g->node[id].op == OP_COMBINE && piece_count(g, &g->node[id]);
    return any ? graph_rewrite(g, scatter_rule, NULL) : g;
}
