/* infer.c: the type and shape of a node.
 * In: a draft whose sources are nodes of the graph. Out: the draft with type, rank, shape and
 * weakness filled in; or a diag_error at the source that does not fit. One function for each shape
 * rule; infer_type.c has the types. */
#include "graph/infer_private.h"

#include <string.h>

const char *infer_text(const Graph *g, const Node *n) {
    Text text = text_new(g->arena);
    shape_print(g->dims, n->type, n->rank, n->shape, &text);
    return text_get(&text);
}

/* ---- shapes: tools ------------------------------------------------------------------------ */

static void set_shape(Node *n, const Node *like) {
    n->rank = like->rank;
    memcpy(n->shape, like->shape, sizeof n->shape);
}

static bool shape_error(Graph *g, const Node *n, const char *rule) {
    if (n->src_count < 2)
        diag_error(g->diag, n->span, "%s %s, but this is %s", infer_name(n), rule,
                   infer_text(g, infer_source(g, n, 0)));
    else
        diag_error(g->diag, n->span, "%s %s, but these are %s and %s", infer_name(n), rule,
                   infer_text(g, infer_source(g, n, 0)), infer_text(g, infer_source(g, n, 1)));
    return false;
}

/* At least 1: known, assumed, or reported. */
static bool check_size(Graph *g, const Node *n, Dim size) {
    int64_t lo, hi;
    dim_range(g->dims, size, &lo, &hi);
    return lo >= 1 || dim_assume(g->dims, DIM_LE, dim_const(g->dims, 1), size, n->span, "size");
}

/* Checks the draft's own shape: rank in range, no size missing, every size at least 1. */
static bool check_own_shape(Graph *g, Node *n) {
    if (n->rank < 0 || n->rank > RANK_MAX) BUG("%s of rank %d", infer_name(n), n->rank);
    for (int i = 0; i < n->rank; i++) {
        if (!n->shape[i]) BUG("%s without the size of axis %d", infer_name(n), i);
        if (check_size(g, n, n->shape[i])) continue;
        diag_error(g->diag, n->span, "%s: axis %d would have %s elements, and needs at least one",
                   infer_name(n), i, dim_text(g->dims, n->shape[i], g->arena));
        return false;
    }
    for (int i = n->rank; i < RANK_MAX; i++) n->shape[i] = 0;
    return true;
}

static void check_axes(const Node *n, int rank) {
    uint32_t axes = (uint32_t)n->attr[0];
    if (!axes || axes >> rank) BUG("%s along axes %x of %d", infer_name(n), axes, rank);
}

/* 0 <= part, start + part <= whole: known, assumed, or reported. */
static bool check_part(Graph *g, const Node *n, int axis, Dim start, Dim part, Dim whole) {
    Dims *d = g->dims;
    if (!start) BUG("%s without a start on axis %d", infer_name(n), axis);
    if (part == whole && dim_is(d, start, 0)) return true;
    Dim end = dim_add(d, start, part);
    if (end && dim_assume(d, DIM_LE, dim_const(d, 0), start, n->span, infer_name(n)) &&
        dim_assume(d, DIM_LE, end, whole, n->span, infer_name(n)))
        return true;
    diag_error(g->diag, n->span, "%s: %s elements from %s on do not fit axis %d of %s elements",
               infer_name(n), dim_text(d, part, g->arena), dim_text(d, start, g->arena), axis,
               dim_text(d, whole, g->arena));
    return false;
}

/* Positions along an axis are counted in i32. */
static bool check_countable(Graph *g, const Node *n, Dim size) {
    Dim most = dim_const(g->dims, INT32_MAX);
    if (dim_assume(g->dims, DIM_LE, size, most, n->span, infer_name(n))) return true;
    diag_error(g->diag, n->span, "%s counts in i32, and %s elements are too many", infer_name(n),
               dim_text(g->dims, size, g->arena));
    return false;
}

/* ---- shapes: leaves, elementwise ---------------------------------------------------------- */

static bool infer_leaf(Graph *g, Node *n) {
    if (n->op == OP_DIM) n->type = T_I64, n->weak = true;
    if (n->op == OP_IOTA && n->type != T_I64) n->type = T_I32;
    if ((n->op == OP_CONST || n->op == OP_DIM) && n->rank) BUG("%s with axes", infer_name(n));
    if (n->op != OP_CONST && n->op != OP_DIM) n->weak = false;
    if (!check_own_shape(g, n)) return false;
    return n->op != OP_IOTA || n->type == T_I64 || check_countable(g, n, n->shape[0]);
}

static bool infer_map(Graph *g, Node *n) {
    bool weak = true;
    for (int i = 0; i < n->src_count; i++) {
        const Node *x = infer_source(g, n, i), *first = infer_source(g, n, 0);
        weak = weak && x->weak;
        if (!shape_equal(x->rank, x->shape, first->rank, first->shape))
            return shape_error(g, n, "needs one shape");
    }
    set_shape(n, infer_source(g, n, 0));
    n->weak = weak && (n->op != OP_CAST || n->weak);
    return true;
}

/* ---- shapes: views ------------------------------------------------------------------------ */

static bool infer_reshape(Graph *g, Node *n) {
    Dim before = node_elements(g, n->src[0]), after = dim_const(g->dims, 1);
    if (!check_own_shape(g, n)) return false;
    for (int i = 0; i < n->rank; i++) after = dim_mul(g->dims, after, n->shape[i]);
    if (dim_equal(g->dims, before, after)) return true;
    const Node *x = infer_source(g, n, 0);
    diag_error(g->diag, n->span,
               "reshape keeps the number of elements: %s has %s, and the new "
               "shape has %s",
               infer_text(g, x), dim_text(g->dims, before, g->arena),
               dim_text(g->dims, after, g->arena));
    return false;
}

static bool infer_permute(Graph *g, Node *n) {
    const Node *x = infer_source(g, n, 0);
    uint32_t seen = 0;
    set_shape(n, x);
    for (int i = 0; i < x->rank; i++) {
        int axis = n->attr[i];
        if (axis < 0 || axis >= x->rank || seen >> axis & 1) BUG("permute names axis %d", axis);
        seen |= 1u << axis;
        n->shape[i] = x->shape[axis];
    }
    return true;
}

static bool infer_broadcast(Graph *g, Node *n) {
    const Node *x = infer_source(g, n, 0);
    if (n->rank != x->rank) BUG("broadcast of rank %d to %d", x->rank, n->rank);
    if (!check_own_shape(g, n)) return false;
    for (int i = 0; i < n->rank; i++) {
        if (x->shape[i] == n->shape[i] || dim_is(g->dims, x->shape[i], 1)) continue;
        diag_error(g->diag, n->span, "%s does not broadcast to %s: axis %d is neither 1 nor %s",
                   infer_text(g, x), infer_text(g, n), i, dim_text(g->dims, n->shape[i], g->arena));
        return false;
    }
    return true;
}

static bool infer_slice(Graph *g, Node *n) {
    const Node *x = infer_source(g, n, 0);
    if (n->rank != x->rank) BUG("slice of rank %d to %d", x->rank, n->rank);
    if (!check_own_shape(g, n)) return false;
    for (int i = 0; i < n->rank; i++)
        if (!check_part(g, n, i, n->attr[i], n->shape[i], x->shape[i])) return false;
    return true;
}

static bool infer_pad(Graph *g, Node *n) {
    const Node *x = infer_source(g, n, 0);
    if (n->rank != x->rank) BUG("pad of rank %d to %d", x->rank, n->rank);
    if (infer_source(g, n, 1)->rank) return shape_error(g, n, "needs one number to pad with");
    if (!check_own_shape(g, n)) return false;
    for (int i = 0; i < n->rank; i++)
        if (!check_part(g, n, i, n->attr[i], x->shape[i], n->shape[i])) return false;
    return true;
}

static bool infer_flip(Graph *g, Node *n) {
    set_shape(n, infer_source(g, n, 0));
    check_axes(n, n->rank);
    return true;
}

static bool infer_view(Graph *g, Node *n) {
    switch (n->op) {
    case OP_RESHAPE: return infer_reshape(g, n);
    case OP_PERMUTE: return infer_permute(g, n);
    case OP_BROADCAST: return infer_broadcast(g, n);
    case OP_SLICE: return infer_slice(g, n);
    case OP_PAD: return infer_pad(g, n);
    case OP_FLIP: return infer_flip(g, n);
    default: BUG("no shape rule for %s", infer_name(n));
    }
}

/* ---- shapes: reductions, matmul, take ----------------------------------------------------- */

static bool infer_reduce(Graph *g, Node *n) {
    uint32_t axes = (uint32_t)n->attr[0];
    set_shape(n, infer_source(g, n, 0));
    check_axes(n, n->rank);
    for (int i = 0; i < n->rank; i++) {
        if (!(axes >> i & 1)) continue;
        if (n->op == OP_ARGMAX && axes != 1u << i) BUG("argmax along several axes");
        if (n->op == OP_ARGMAX && !check_countable(g, n, n->shape[i])) return false;
        n->shape[i] = dim_const(g->dims, 1);
    }
    return true;
}

static bool infer_partial_sum(Graph *g, Node *n) {
    const uint32_t axes = (uint32_t)n->attr[0];
    int last = -1;
    set_shape(n, infer_source(g, n, 0));
    check_axes(n, n->rank);
    for (int i = 0; i < n->rank && axes >> i & 1; i++) n->shape[last = i] = dim_const(g->dims, 1);
    if (last < 0 || axes >> (last + 1) || n->attr[1] < 1)
        BUG("%d sums along axes %x", n->attr[1], (unsigned)axes);
    n->shape[last] = dim_const(g->dims, n->attr[1]);
    return true;
}

static bool infer_scan(Graph *g, Node *n) {
    set_shape(n, infer_source(g, n, 0));
    if (n->attr[0] < 0 || n->attr[0] >= n->rank) BUG("%s along axis %d", infer_name(n), n->attr[0]);
    return true;
}

/* a[batch.. m.. k..] . b[batch.. n.. k..] -> [batch.. m.. n..] */
static bool infer_dot(Graph *g, Node *n) {
    const Node *a = infer_source(g, n, 0), *b = infer_source(g, n, 1);
    int batch = n->attr[0], summed = n->attr[1], m = a->rank - batch - summed;
    if (batch < 0 || summed < 0 || m < 0 || b->rank < batch + summed)
        BUG("matmul of ranks %d and %d, batch %d, summed %d", a->rank, b->rank, batch, summed);
    bool fits =
        shape_equal(batch, a->shape, batch, b->shape) &&
        shape_equal(summed, a->shape + a->rank - summed, summed, b->shape + b->rank - summed);
    if (!fits) return shape_error(g, n, "needs equal batch and summed axes");
    int rank = batch + m;
    Dim shape[2 * RANK_MAX];
    memcpy(shape, a->shape, sizeof *shape * (size_t)rank);
    for (int i = batch; i < b->rank - summed; i++) shape[rank++] = b->shape[i];
    if (rank > RANK_MAX) return shape_error(g, n, "would have more than 8 axes");
    n->rank = rank;
    memset(n->shape, 0, sizeof n->shape);
    memcpy(n->shape, shape, sizeof *shape * (size_t)rank);
    return true;
}

/* The axis of x becomes the axes of the indices. */
static bool infer_gather(Graph *g, Node *n) {
    const Node *x = infer_source(g, n, 0), *indices = infer_source(g, n, 1);
    int axis = n->attr[0], rank = 0;
    if (axis < 0 || axis >= x->rank) BUG("take along axis %d of %d", axis, x->rank);
    n->rank = x->rank - 1 + indices->rank;
    if (n->rank > RANK_MAX) return shape_error(g, n, "would have more than 8 axes");
    memset(n->shape, 0, sizeof n->shape);
    for (int i = 0; i < axis; i++) n->shape[rank++] = x->shape[i];
    for (int i = 0; i < indices->rank; i++) n->shape[rank++] = indices->shape[i];
    for (int i = axis + 1; i < x->rank; i++) n->shape[rank++] = x->shape[i];
    return true;
}

/* Of starts and positions; see OP_SEGMENTS. */
static Dim segments_size(Graph *g, Dim rows, Dim count) {
    return dim_add(g->dims, dim_add(g->dims, rows, dim_const(g->dims, 1)), count);
}

/* base, and x with the axes of the indices in place of the axis. */
static bool infer_scatter(Graph *g, Node *n) {
    const Node *base = infer_source(g, n, 0), *indices = infer_source(g, n, 1),
               *x = infer_source(g, n, 2);
    const int axis = n->attr[0], added = indices->rank, after = base->rank - axis - 1;
    if (axis < 0 || after < 0) BUG("scatter along axis %d of %d", axis, base->rank);
    const bool fits = x->rank == axis + added + after &&
                      shape_equal(axis, base->shape, axis, x->shape) &&
                      shape_equal(added, indices->shape, added, x->shape + axis) &&
                      shape_equal(after, base->shape + axis + 1, after, x->shape + axis + added);
    if (!fits) return shape_error(g, n, "needs an x like what take gives");
    set_shape(n, base);
    const Dim count = node_elements(g, n->src[1]);
    return !count || check_countable(g, n, segments_size(g, base->shape[axis], count));
}

static bool infer_segments(Graph *g, Node *n) {
    const Node *indices = infer_source(g, n, 0);
    if (indices->rank != 1) BUG("segments of %d axes", indices->rank);
    n->rank = 1;
    n->shape[0] = segments_size(g, n->attr[0], indices->shape[0]);
    return check_countable(g, n, n->shape[0]);
}

static bool infer_grouped(Graph *g, Node *n) {
    const Node *indices = infer_source(g, n, 0);
    const Dim groups = dim_const(g->dims, n->attr[1]);
    n->rank = n->op == OP_TALLY ? 2 : 1;
    if (n->op == OP_TALLY) n->shape[0] = dim_const(g->dims, n->attr[2]), n->shape[1] = groups;
    if (n->op == OP_GROUPS) n->shape[0] = segments_size(g, groups, indices->shape[0]);
    if (n->op == OP_GROUPED) n->shape[0] = segments_size(g, n->attr[0], indices->shape[0]);
    return check_countable(g, n, n->shape[0]);
}

/* Of each part: x with rows in place of the axis of the indices. */
static bool infer_binned(Graph *g, Node *n) {
    const Node *x = infer_source(g, n, 0), *indices = infer_source(g, n, 1);
    const int axis = n->attr[3];
    if (axis < 0 || axis >= x->rank || x->rank == RANK_MAX ||
        !shape_equal(indices->rank, indices->shape, 1, &x->shape[axis]))
        BUG("binned along axis %d of %d", axis, x->rank);
    n->rank = x->rank + 1;
    n->shape[0] = dim_const(g->dims, n->attr[2]);
    for (int i = 0; i < x->rank; i++) n->shape[i + 1] = i == axis ? n->attr[0] : x->shape[i];
    return true;
}

static bool infer_combine(Graph *g, Node *n) {
    const Node *base = infer_source(g, n, 0), *x = infer_source(g, n, 4);
    const int axis = n->attr[0];
    if (axis < 0 || axis >= base->rank || x->rank != base->rank)
        BUG("combine along axis %d of %d", axis, base->rank);
    const Dim size[] = {base->shape[axis], base->shape[axis], x->shape[axis]};
    for (int i = 0; i < 3; i++) {
        const Node *list = infer_source(g, n, 1 + i);
        if (!shape_equal(list->rank, list->shape, 1, &size[i])) BUG("combine by list %d", i);
    }
    set_shape(n, base);
    return true;
}

/* ---- shapes: composites ------------------------------------------------------------------- */

/* x, and rows of the size of its last axis. */
static bool infer_norm(Graph *g, Node *n) {
    const Node *x = infer_source(g, n, 0);
    if (!x->rank) return shape_error(g, n, "needs an axis");
    for (int i = 1; i < n->src_count; i++) {
        const Node *row = infer_source(g, n, i);
        if (shape_equal(row->rank, row->shape, 1, &x->shape[x->rank - 1])) continue;
        diag_error(g->diag, row->span,
                   "%s needs a row like the last axis of %s here, but this is %s", infer_name(n),
                   infer_text(g, x), infer_text(g, row));
        return false;
    }
    set_shape(n, x);
    return true;
}

static bool infer_cross_entropy(Graph *g, Node *n) {
    const Node *logits = infer_source(g, n, 0), *labels = infer_source(g, n, 1);
    if (!logits->rank) return shape_error(g, n, "needs an axis of classes");
    if (!shape_equal(logits->rank - 1, logits->shape, labels->rank, labels->shape))
        return shape_error(g, n, "needs one label for each row");
    set_shape(n, labels);
    return check_countable(g, n, logits->shape[logits->rank - 1]);
}

static bool infer_composite(Graph *g, Node *n) {
    n->weak = false;
    switch (n->op) {
    case OP_MEAN:
    case OP_VAR:
    case OP_LOGSUMEXP: return infer_reduce(g, n);
    case OP_SOFTMAX:
    case OP_LOG_SOFTMAX:
        set_shape(n, infer_source(g, n, 0));
        check_axes(n, n->rank);
        return true;
    case OP_LAYER_NORM:
    case OP_RMS_NORM: return infer_norm(g, n);
    case OP_CROSS_ENTROPY: return infer_cross_entropy(g, n);
    case OP_SCATTER: return infer_scatter(g, n);
    default: {
        bool fits = infer_map(g, n);
        n->weak = false;
        return fits;
    }
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

static void check_sources(const Graph *g, const Node *n) {
    if (n->op <= OP_NULL || n->op >= OP_COUNT || op_info[n->op].class == SUGAR)
        BUG("op %d is no node", (int)n->op);
    const int count = op_is_call(n->op) ? node_function(g, n)->count : op_sources(n->op);
    if (n->src_count != count) BUG("%s with %d sources", infer_name(n), n->src_count);
    for (int i = 0; i < SRC_MAX; i++) {
        bool wanted = i < n->src_count;
        if (wanted ? n->src[i] <= 0 || n->src[i] >= g->count : n->src[i] != 0)
            BUG("%s has source %d: %d of %d", infer_name(n), i, n->src[i], g->count);
    }
}

bool infer(Graph *g, Node *n) {
    check_sources(g, n);
    OpClass class = op_info[n->op].class;
    if (class == LEAF) return infer_leaf(g, n) && infer_type(g, n);
    if (!infer_type(g, n)) return false;
    if (class != MAP) n->weak = false;
    switch (class) {
    case MAP: return infer_map(g, n);
    case VIEW: return infer_view(g, n);
    case REDUCE: return infer_reduce(g, n);
    case PARTIAL: return infer_partial_sum(g, n);
    case SCAN: return infer_scan(g, n);
    case DOT: return infer_dot(g, n);
    case GATHER: return infer_gather(g, n);
    case SEGMENTS:
        return n->op == OP_SEGMENTS ? infer_segments(g, n)
               : n->op == OP_BINNED ? infer_binned(g, n)
                                    : infer_grouped(g, n);
    case COMBINE: return infer_combine(g, n);
    default: return infer_composite(g, n);
    }
}
