/* simplify_view.c: rules of views, reductions and scans.
 * In: a draft whose sources are simplified. Out: its replacement. Views of views are one view;
 * along axes of size 1 there is nothing to reduce. */
#include "graph/pass/simplify_private.h"

static const Node *source(const Simplify *s, const Node *n) { return &s->to->node[n->src[0]]; }

/* The draft, reading the source's source. */
static Node skipping(const Simplify *s, const Node *n) {
    Node view = *n;
    view.src[0] = source(s, n)->src[0];
    return view;
}

/* ---- views -------------------------------------------------------------------------------- */

/* The result has the source's shape: a permute may still move elements, the others change
 * nothing. */
NodeId view_identity(Simplify *s, const Node *n) {
    const Node *x = source(s, n);
    return shape_equal(n->rank, n->shape, x->rank, x->shape) ? n->src[0] : 0;
}

/* The same number everywhere, in another shape. */
NodeId view_splat(Simplify *s, const Node *n) {
    Scalar value;
    return is_splat(s->to, n->src[0], &value) ? splat(s, n, value) : 0;
}

/* If sizes are equal only by an assertion, two steps may not be one valid step. */
NodeId reshape_reshape(Simplify *s, const Node *n) {
    const Node *x = source(s, n);
    Graph *g = s->to;
    if (x->op != OP_RESHAPE) return 0;
    if (node_elements(g, x->src[0]) != node_elements(g, n->src[0])) return 0;
    Node view = skipping(s, n);
    return simple_add(s, &view);
}

NodeId broadcast_broadcast(Simplify *s, const Node *n) {
    if (source(s, n)->op != OP_BROADCAST) return 0;
    Node view = skipping(s, n);
    return simple_add(s, &view);
}

NodeId permute_permute(Simplify *s, const Node *n) {
    bool moves = false;
    Node view = *n;
    const Node *x = source(s, n);
    if (x->op == OP_PERMUTE) view = skipping(s, n);
    for (int i = 0; i < n->rank; i++) {
        if (x->op == OP_PERMUTE) view.attr[i] = x->attr[n->attr[i]];
        moves = moves || view.attr[i] != i;
    }
    if (!moves) return view.src[0];
    return x->op == OP_PERMUTE ? simple_add(s, &view) : 0;
}

NodeId slice_slice(Simplify *s, const Node *n) {
    const Node *x = source(s, n);
    if (x->op != OP_SLICE) return 0;
    Node view = skipping(s, n);
    for (int i = 0; i < n->rank; i++) {
        view.attr[i] = dim_add(s->to->dims, n->attr[i], x->attr[i]);
        if (!view.attr[i]) return 0;
    }
    return simple_add(s, &view);
}

/* Along axes of one element there is no order. */
NodeId flip_ones(Simplify *s, const Node *n) {
    uint32_t axes = (uint32_t)n->attr[0], left = 0;
    for (int i = 0; i < n->rank; i++)
        if (axes >> i & 1 && !dim_is(s->to->dims, n->shape[i], 1)) left |= 1u << i;
    if (left == axes) return 0;
    Node fewer = *n;
    fewer.attr[0] = (int32_t)left;
    return left ? simple_add(s, &fewer) : n->src[0];
}

NodeId flip_flip(Simplify *s, const Node *n) {
    const Node *x = source(s, n);
    if (x->op != OP_FLIP) return 0;
    Node view = skipping(s, n);
    view.attr[0] ^= x->attr[0];
    return view.attr[0] ? simple_add(s, &view) : view.src[0];
}

/* ---- reductions --------------------------------------------------------------------------- */

/* One element is its own sum, product and maximum; its index is 0. */
static NodeId reduce_nothing(Simplify *s, const Node *n) {
    if (n->op == OP_ARGMAX) return splat(s, n, (Scalar){.i = 0});
    return source(s, n)->type == n->type ? n->src[0] : simple_cast(s, n->src[0], n->type, n->span);
}

NodeId reduce_ones(Simplify *s, const Node *n) {
    const Node *x = source(s, n);
    uint32_t axes = (uint32_t)n->attr[0], left = 0;
    for (int i = 0; i < x->rank; i++)
        if (axes >> i & 1 && !dim_is(s->to->dims, x->shape[i], 1)) left |= 1u << i;
    if (left == axes) return 0;
    if (s->holds && (n->op == OP_RMAX || n->op == OP_SUM)) return s->held = true, 0;
    if (!left) return reduce_nothing(s, n);
    Node fewer = *n;
    fewer.attr[0] = (int32_t)left;
    return simple_add(s, &fewer);
}

NodeId scan_one(Simplify *s, const Node *n) {
    if (!dim_is(s->to->dims, n->shape[n->attr[0]], 1)) return 0;
    return reduce_nothing(s, n);
}
