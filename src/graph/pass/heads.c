/* heads.c: a contraction whose columns are split into heads, within which elements then move or are
 * reduced, computes heads:
 *
 *     reshape(map(dot(a, b)))   becomes   map(dot(a, reshape(b)))
 *
 * So the scheduler sees that a head is a part of a row of the result, and can have whole heads in a
 * tile. Contractions of the same left operand whose columns are split alike follow, to stay side by
 * side. needs: decomposed. keeps: meaning, bit for bit. breaks: nothing. */
#include "graph/pass/pass.h"

enum { LEAST_HEAD = 16 };

typedef struct Pass {
    const NodeId *split; /* old contraction -> the reshape whose shape it computes; 0: none */
    bool *is_whole;      /* new node -> a split value, put together again */
    int size;
} Pass;

/* ---- which contractions ---------------------------------------------------------------------- */

/* Does a node reduce its source along the innermost axis, or move elements along it? */
static bool moves_innermost(const Graph *g, const Node *n) {
    const Node *x = &g->node[n->src[0]];
    int last = x->rank - 1;
    while (last >= 0 && dim_is(g->dims, x->shape[last], 1)) last--;
    if (last < 0) return false;
    if (op_info[n->op].class == REDUCE || n->op == OP_FLIP) return n->attr[0] >> last & 1;
    return n->op == OP_SLICE && n->shape[last] != x->shape[last];
}

/* By node: does a reader do that, directly or after views and maps? */
static const bool *find_moved(const Graph *g) {
    bool *moved = arena_array(g->arena, bool, g->count);
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        const bool moves = (n->src_count && moves_innermost(g, n)) ||
                           ((class == MAP || class == VIEW) && moved[id]);
        for (int i = 0; i < n->src_count && moves; i++) moved[n->src[i]] = true;
    }
    return moved;
}

/* By node: does a contraction read it, directly or through views? The scheduler looks for that. */
static const bool *find_operands(const Graph *g) {
    bool *operand = arena_array(g->arena, bool, g->count);
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        const bool reads = class == DOT || ((class == VIEW || n->op == OP_CAST) && operand[id]);
        for (int i = 0; i < n->src_count && reads; i++) operand[n->src[i]] = true;
    }
    return operand;
}

/* The shape of heads: that of the reshape. An innermost axis of a few elements, such as pairs, is a
 * part of a head. */
static int head_shape(const Graph *g, const Node *view, Dim *shape) {
    int rank = view->rank;
    int64_t few;
    for (int i = 0; i < rank; i++) shape[i] = view->shape[i];
    while (rank > 1 && dim_is_const(g->dims, shape[rank - 1], &few) && few < LEAST_HEAD) {
        rank--;
        shape[rank - 1] = dim_mul(g->dims, shape[rank - 1], shape[rank]);
    }
    return rank;
}

/* Does a reshape split the columns of the contraction alone? */
static bool splits_columns(const Graph *g, const Node *view, const Node *dot) {
    Dim shape[RANK_MAX];
    const int rank = head_shape(g, view, shape);
    const int rows = g->node[dot->src[0]].rank - dot->attr[1], columns = rank - rows;
    if (rows + 1 != dot->rank || columns < 2 || dot->attr[0] + columns + dot->attr[1] > RANK_MAX)
        return false;
    for (int i = 0; i < rows; i++)
        if (shape[i] != dot->shape[i]) return false;
    return true;
}

/* Is there another contraction of the same left operand that a reshape of this shape splits? */
static bool is_beside(const Graph *g, const NodeId *split, const Node *dot, const Node *view) {
    for (NodeId id = 1; id < g->count; id++) {
        const Node *other = &g->node[split[id]];
        if (split[id] && g->node[id].src[0] == dot->src[0] &&
            shape_equal(view->rank, view->shape, other->rank, other->shape))
            return true;
    }
    return false;
}

/* Gives contractions the reshape that reads them, directly or after maps. moved: those within which
 * elements move; NULL: those beside them. */
static void choose(const Graph *g, const bool *moved, NodeId *split) {
    const bool *operand = find_operands(g);
    NodeId *view = arena_array(g->arena, NodeId, g->count);
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        const bool is_view = n->op == OP_RESHAPE && (!moved || (moved[id] && !operand[id]));
        const bool passes = op_info[n->op].class == MAP;
        for (int i = 0; i < n->src_count && (is_view || (passes && view[id])); i++)
            if (!view[n->src[i]]) view[n->src[i]] = is_view ? id : view[id];
        if (n->op != OP_DOT || split[id] || !view[id]) continue;
        const Node *by = &g->node[view[id]];
        if (splits_columns(g, by, n) && (moved || is_beside(g, split, n, by))) split[id] = view[id];
    }
}

static const NodeId *find_split(const Graph *g) {
    NodeId *split = arena_array(g->arena, NodeId, g->count);
    choose(g, find_moved(g), split);
    choose(g, NULL, split);
    return split;
}

/* ---- what they become ------------------------------------------------------------------------ */

static bool is_whole(const Pass *p, NodeId id) { return id < p->size && p->is_whole[id]; }

/* Puts a split value together: readers see the shape that they expect. */
static NodeId whole_of(Pass *p, Graph *to, NodeId id, const Node *like) {
    const NodeId whole = graph_reshape(to, id, like->rank, like->shape, like->span);
    if (whole >= p->size) {
        const int size = 2 * whole + 64;
        bool *larger = arena_array(to->arena, bool, size);
        for (int i = 0; i < p->size; i++) larger[i] = p->is_whole[i];
        p->is_whole = larger, p->size = size;
    }
    if (whole) p->is_whole[whole] = true;
    return whole;
}

static NodeId split_dot(Pass *p, Graph *to, const Node *dot, const Node *view) {
    const Node *b = &to->node[dot->src[1]];
    const int batch = dot->attr[0], rows = to->node[dot->src[0]].rank - dot->attr[1];
    Dim heads[RANK_MAX], shape[RANK_MAX];
    const int end = head_shape(to, view, heads);
    int rank = 0;
    for (int i = 0; i < batch; i++) shape[rank++] = b->shape[i];
    for (int i = rows; i < end; i++) shape[rank++] = heads[i];
    for (int i = b->rank - dot->attr[1]; i < b->rank; i++) shape[rank++] = b->shape[i];
    Node draft = *dot;
    draft.src[1] = graph_reshape(to, dot->src[1], rank, shape, dot->span);
    draft.type = T_NONE;
    draft.rank = 0;
    return whole_of(p, to, graph_add(to, &draft), dot);
}

static NodeId split_of(const Pass *p, Graph *to, NodeId id, const Node *like) {
    if (is_whole(p, id)) id = to->node[id].src[0];
    return graph_reshape(to, id, like->rank, like->shape, like->span);
}

static NodeId split_map(Pass *p, Graph *to, const Node *map, NodeId whole) {
    const Node part = to->node[to->node[whole].src[0]];
    Node draft = *map;
    draft.rank = part.rank;
    for (int i = 0; i < part.rank; i++) draft.shape[i] = part.shape[i];
    for (int i = 0; i < map->src_count; i++) draft.src[i] = split_of(p, to, map->src[i], &part);
    return whole_of(p, to, graph_add(to, &draft), map);
}

static NodeId heads_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    Pass *p = context;
    if (p->split[old]) return split_dot(p, to, draft, &from->node[p->split[old]]);
    if (draft->op == OP_RESHAPE && is_whole(p, draft->src[0]))
        return split_of(p, to, draft->src[0], draft);
    for (int i = 0; i < draft->src_count && op_info[draft->op].class == MAP; i++)
        if (is_whole(p, draft->src[i])) return split_map(p, to, draft, draft->src[i]);
    return graph_add(to, draft);
}

Graph *heads(const Graph *g) {
    Pass p = {.split = find_split(g)};
    return graph_rewrite(g, heads_rule, &p);
}
