/* scalar_elements.c: one element of a node, for each step of the loops, as a node of its own. Views
 * change its position; sums along short axes are written out in order.
 * In: a node and a position. Out: the element in the new graph. */
#include "sched/split/scalars.h"

#include <string.h>

/* ---- shapes ---------------------------------------------------------------------------------- */

static NodeId alone(Scalars *s, NodeId x) {
    Dim shape[RANK_MAX];
    for (int i = 0; i < s->loops; i++) shape[i] = dim_const(s->to->dims, 1);
    return graph_reshape(s->to, x, s->loops, shape, s->to->node[x].span);
}

/* Elements in one shape: along each loop that of one that changes with it. */
static void spread(Scalars *s, NodeId *x, int count, Span span) {
    Dim shape[RANK_MAX];
    for (int r = 0; r < s->loops; r++) {
        shape[r] = dim_const(s->to->dims, 1);
        for (int i = 0; i < count; i++)
            if (!dim_is(s->to->dims, s->to->node[x[i]].shape[r], 1))
                shape[r] = s->to->node[x[i]].shape[r];
    }
    for (int i = 0; i < count; i++) x[i] = graph_broadcast(s->to, x[i], s->loops, shape, span);
}

static NodeId combined(Scalars *s, Op op, NodeId a, NodeId b, Span span) {
    NodeId both[] = {a, b};
    spread(s, both, 2, span);
    return graph_map(s->to, op, both[0], both[1], 0, span);
}

/* Elements of a value that is there as a whole. */
static NodeId cut(Scalars *s, NodeId id, const Position at) {
    Graph *g = s->to;
    const NodeId x = scalars_whole(s, id);
    const Node n = g->node[x];
    Dim start[RANK_MAX], extent[RANK_MAX], shape[RANK_MAX];
    int order[RANK_MAX], count = 0;
    for (int i = 0; i < n.rank; i++) {
        start[i] = dim_const(g->dims, at[i] < AT ? 0 : at[i] - AT);
        extent[i] = at[i] < AT ? n.shape[i] : dim_const(g->dims, 1);
    }
    for (int r = 0; r <= s->loops; r++) {
        if (r < s->loops) shape[r] = dim_const(g->dims, 1);
        for (int i = 0; i < n.rank; i++) {
            if (r < s->loops ? at[i] != r : at[i] < AT) continue;
            order[count++] = i;
            if (r < s->loops) shape[r] = extent[i];
        }
    }
    const NodeId part = graph_slice(g, x, start, extent, n.span);
    return graph_reshape(g, graph_permute(g, part, order, n.span), s->loops, shape, n.span);
}

/* ---- views ----------------------------------------------------------------------------------- */

static bool is_one(const Scalars *s, Dim size) { return dim_is(s->from->dims, size, 1); }

/* Constant positions along axes in row-major order, in another shape; false: sizes are open. */
static bool reshaped(const Scalars *s, int rank, const Dim *shape, const int64_t *at, int of_rank,
                     const Dim *of_shape, int64_t *out) {
    int64_t flat = 0, size;
    for (int i = 0; i < rank; i++) {
        if (at[i] < AT || !dim_is_const(s->from->dims, shape[i], &size)) return false;
        flat = flat * size + at[i] - AT;
    }
    for (int i = of_rank - 1; i >= 0; i--) {
        if (!dim_is_const(s->from->dims, of_shape[i], &size)) return false;
        out[i] = AT + flat % size;
        flat /= size;
    }
    return true;
}

/* Are the axes the same but for those of size 1? Then positions are the same, too. */
static bool only_ones_differ(const Scalars *s, const Node *n, const Node *from, const Position at,
                             Position out) {
    int k = 0;
    for (int i = 0; i < from->rank; i++) {
        out[i] = AT;
        if (is_one(s, from->shape[i])) continue;
        while (k < n->rank && is_one(s, n->shape[k])) k++;
        if (k == n->rank || n->shape[k] != from->shape[i]) return false;
        out[i] = at[k++];
    }
    while (k < n->rank && is_one(s, n->shape[k])) k++;
    return k == n->rank;
}

static bool reshape_position(const Scalars *s, const Node *n, const Node *from, const Position at,
                             Position out) {
    int left = 0, right = 0;
    if (only_ones_differ(s, n, from, at, out)) return true;
    for (; left < n->rank && left < from->rank && n->shape[left] == from->shape[left]; left++)
        out[left] = at[left];
    while (right < n->rank - left && right < from->rank - left &&
           n->shape[n->rank - 1 - right] == from->shape[from->rank - 1 - right]) {
        out[from->rank - 1 - right] = at[n->rank - 1 - right];
        right++;
    }
    return reshaped(s, n->rank - left - right, n->shape + left, at + left,
                    from->rank - left - right, from->shape + left, out + left);
}

/* The position in the source of a view; along loops the view is taken of the element. False: it is
 * not known. */
static bool view_position(const Scalars *s, const Node *n, const Node *from, const Position at,
                          Position out) {
    int64_t number;
    if (n->op == OP_RESHAPE) return reshape_position(s, n, from, at, out);
    for (int i = 0; i < n->rank; i++) {
        const int to = n->op == OP_PERMUTE ? n->attr[i] : i;
        out[to] = at[i];
        if (n->op == OP_BROADCAST && is_one(s, from->shape[i])) out[to] = AT;
        if (at[i] < AT || n->op == OP_PERMUTE || n->op == OP_BROADCAST) continue;
        if (n->op == OP_FLIP) {
            if (!(n->attr[0] >> i & 1)) continue;
            if (!dim_is_const(s->from->dims, n->shape[i], &number)) return false;
            out[to] = AT + number - 1 - (at[i] - AT);
        } else {
            if (!dim_is_const(s->from->dims, n->attr[i], &number)) return false;
            out[to] = at[i] + (n->op == OP_SLICE ? number : -number);
        }
    }
    return true;
}

/* Is the position in the padding? -1: it is not known. */
static int is_outside(const Scalars *s, const Node *pad, const Node *from, const Position at) {
    int64_t before, size;
    bool is_out = false;
    for (int i = 0; i < pad->rank; i++) {
        if (at[i] < AT) continue;
        if (!dim_is_const(s->from->dims, pad->attr[i], &before) ||
            !dim_is_const(s->from->dims, from->shape[i], &size))
            return -1;
        is_out = is_out || at[i] - AT < before || at[i] - AT >= before + size;
    }
    return is_out;
}

/* A view along loops needs an element that has all of the steps there. */
static NodeId all_steps(Scalars *s, const Node *n, const Node *from, const Position at, NodeId x) {
    const Node *element = &s->to->node[x];
    Dim shape[RANK_MAX];
    memcpy(shape, element->shape, sizeof shape);
    for (int i = 0; i < n->rank; i++)
        if (at[i] < AT) shape[at[i]] = from->shape[i];
    return graph_broadcast(s->to, x, s->loops, shape, n->span);
}

/* What a view does along the loops. */
static NodeId along_loops(Scalars *s, const Node *n, const Node *from, const Position at,
                          NodeId x) {
    Graph *g = s->to;
    Dim start[RANK_MAX], shape[RANK_MAX];
    uint32_t axes = 0;
    if (n->op != OP_SLICE && n->op != OP_PAD && n->op != OP_FLIP) return x;
    if (n->op != OP_FLIP) x = all_steps(s, n, from, at, x);
    for (int r = 0; r < s->loops; r++) {
        start[r] = dim_const(g->dims, 0);
        shape[r] = g->node[x].shape[r];
        for (int i = 0; i < n->rank; i++) {
            if (at[i] != r) continue;
            if (n->op == OP_FLIP) {
                axes |= (n->attr[0] >> i & 1u) << r;
                continue;
            }
            if (from->shape[i] == n->shape[i]) continue;
            start[r] = n->attr[i];
            shape[r] = n->shape[i];
        }
    }
    if (n->op == OP_FLIP) return axes ? graph_flip(g, x, axes, n->span) : x;
    if (n->op == OP_SLICE) return graph_slice(g, x, start, shape, n->span);
    return graph_pad(g, x, start, shape, scalars_whole(s, n->src[1]), n->span);
}

/* A view along a loop needs the whole length of what it views there. */
static bool is_full(const Scalars *s, const Node *n, const Node *from, const Position at) {
    for (int i = 0; i < n->rank; i++)
        if (at[i] < AT && n->op != OP_RESHAPE && n->op != OP_PERMUTE && n->op != OP_BROADCAST &&
            is_one(s, from->shape[i]) && !is_one(s, n->shape[i]))
            return false;
    return true;
}

static NodeId element_of_view(Scalars *s, NodeId id, const Position at) {
    const Node *n = &s->from->node[id], *from = &s->from->node[n->src[0]];
    Position of = {0};
    if (n->op == OP_PAD) {
        const int outside = is_outside(s, n, from, at);
        if (outside > 0) return alone(s, scalars_whole(s, n->src[1]));
        if (outside < 0) return cut(s, id, at);
    }
    if (!is_full(s, n, from, at) || !view_position(s, n, from, at, of)) return cut(s, id, at);
    return along_loops(s, n, from, at, scalars_element(s, n->src[0], of));
}

/* ---- conditions on positions ----------------------------------------------------------------- */

/* The value of an integer or a truth that constant positions and literals make. `left`: nodes that
 * may still be looked at, since those with several readers are looked at for each. */
static bool is_known(const Scalars *s, NodeId id, const Position at, int *left, int64_t *value) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    Position of = {0};
    int64_t a = 0, b = 0;
    if (dtype_is_float(n->type) || (*left)-- <= 0) return false;
    if (n->op == OP_CONST) return *value = (int64_t)n->bits, true;
    if (n->op == OP_DIM) return dim_is_const(g->dims, n->attr[0], value);
    if (n->op == OP_IOTA) return *value = at[0] - AT, at[0] >= AT;
    if (n->op == OP_PAD || !n->src_count) return false;
    if (op_info[n->op].class == VIEW)
        return view_position(s, n, &g->node[n->src[0]], at, of) &&
               is_known(s, n->src[0], of, left, value);
    if (!is_known(s, n->src[0], at, left, &a)) return false;
    if (n->op == OP_CAST) {
        *value = dtype_convert(g->node[n->src[0]].type, n->type, (Scalar){.i = a}).i;
        return true;
    }
    if (n->src_count != 2 || !is_known(s, n->src[1], at, left, &b)) return false;
    switch (n->op) {
    case OP_LT: return *value = a < b, true;
    case OP_LE: return *value = a <= b, true;
    case OP_EQ: return *value = a == b, true;
    case OP_NE: return *value = a != b, true;
    case OP_AND: return *value = a && b, true;
    case OP_OR: return *value = a || b, true;
    default: return false;
    }
}

/* ---- work ------------------------------------------------------------------------------------ */

static NodeId element_of_map(Scalars *s, NodeId id, const Position at) {
    enum { MOST_NODES = 100 }; /* of a condition */
    Node draft = s->from->node[id];
    int64_t is_first;
    int left = MOST_NODES;
    if (draft.op == OP_WHERE && is_known(s, draft.src[0], at, &left, &is_first))
        return scalars_element(s, draft.src[is_first ? 1 : 2], at);
    for (int i = 0; i < draft.src_count; i++) draft.src[i] = scalars_element(s, draft.src[i], at);
    spread(s, draft.src, draft.src_count, draft.span);
    draft.name = NULL;
    return graph_add(s->to, &draft);
}

NodeId scalars_reduced(Scalars *s, NodeId id, const Position at) {
    const Node *n = &s->from->node[id];
    const Op pair = reduction_of(n->op)->pair;
    const uint32_t axes = (uint32_t)n->attr[0];
    Position of;
    memcpy(of, at, sizeof of);
    for (int i = 0; i < n->rank; i++)
        if (axes >> i & 1 && of[i] >= AT) of[i] = AT;
    NodeId all = 0;
    do {
        const NodeId x = graph_cast(s->to, scalars_element(s, n->src[0], of), n->type, n->span);
        all = all ? combined(s, pair, all, x, n->span) : x;
    } while (scalars_step(s, n->src[0], of, ~axes));
    return all;
}

static NodeId element_of_scan(Scalars *s, NodeId id, const Position at) {
    const Node *n = &s->from->node[id];
    const int axis = n->attr[0];
    int64_t size = 0;
    Position before;
    memcpy(before, at, sizeof before);
    const NodeId x = graph_cast(s->to, scalars_element(s, n->src[0], at), n->type, n->span);
    if (!dim_is_const(s->from->dims, n->shape[axis], &size)) BUG("scalars: an open scan");
    before[axis] += n->attr[1] ? 1 : -1;
    if (before[axis] < AT || before[axis] >= AT + size) return x;
    return combined(s, reduction_of(n->op)->pair, scalars_element(s, id, before), x, n->span);
}

static NodeId element_of_product(Scalars *s, NodeId id, const Position at) {
    const Node *n = &s->from->node[id];
    const int batch = n->attr[0], a_rank = s->from->node[n->src[0]].rank,
              b_rank = s->from->node[n->src[1]].rank, kept = a_rank - n->attr[1];
    const uint32_t not_summed = (1u << kept) - 1;
    Position a = {0}, b = {0};
    for (int i = 0; i < a_rank; i++) a[i] = i < kept ? at[i] : AT;
    for (int i = 0; i < b_rank; i++)
        b[i] = i < batch ? at[i] : i < b_rank - n->attr[1] ? at[i - batch + kept] : AT;
    NodeId sum = 0;
    do {
        for (int i = 0; i < n->attr[1]; i++) b[b_rank - n->attr[1] + i] = a[kept + i];
        const NodeId x = graph_cast(s->to, scalars_element(s, n->src[0], a), n->type, n->span);
        const NodeId y = graph_cast(s->to, scalars_element(s, n->src[1], b), n->type, n->span);
        const NodeId product = combined(s, OP_MUL, x, y, n->span);
        sum = sum ? combined(s, OP_ADD, sum, product, n->span) : product;
    } while (scalars_step(s, n->src[0], a, not_summed));
    return sum;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool has_loops(const Node *n, const Position at) {
    for (int i = 0; i < n->rank; i++)
        if (at[i] < AT) return true;
    return false;
}

static NodeId make(Scalars *s, NodeId id, const Position at) {
    enum { CHEAP = 16 }; /* operations */
    const Node *n = &s->from->node[id];
    const OpClass class = op_info[n->op].class;
    /* what does not change with the loops is computed in each step if it is cheap */
    const bool is_again =
        class == MAP && !op_info[n->op].costly && !has_loops(n, at) && s->ops[id] <= CHEAP;
    if (!n->rank) return alone(s, scalars_whole(s, id));
    if (n->op == OP_IOTA && at[0] >= AT)
        return alone(s, graph_const_int(s->to, n->type, at[0] - AT, n->span));
    if (class == VIEW) return element_of_view(s, id, at);
    if (!s->replaced[id] && !is_again) return cut(s, id, at);
    if (class == SCAN && at[n->attr[0]] < AT) return cut(s, id, at); /* equal axes, permuted */
    switch (class) {
    case MAP: return element_of_map(s, id, at);
    case REDUCE: return scalars_reduced(s, id, at);
    case SCAN: return element_of_scan(s, id, at);
    case DOT: return element_of_product(s, id, at);
    default: BUG("scalars: op %s", op_info[n->op].name);
    }
}

NodeId scalars_element(Scalars *s, NodeId id, const Position at) {
    const Node *n = &s->from->node[id];
    const Elements *all = &s->element[id];
    for (int i = 0; i < all->count; i++)
        if (!memcmp(all->at[i].at, at, sizeof *at * (size_t)n->rank)) return all->at[i].made;
    Element e = {.made = make(s, id, at)};
    memcpy(e.at, at, sizeof e.at);
    graph_hint(s->to, e.made, n->name ? n->name : n->hint);
    vec_push(s->from->arena, &s->element[id], e);
    return e.made;
}
