/* view.c: calls that move elements: reshape, permute, flip, broadcast, x.T, full, split. */
#include "graph/lower/lower_private.h"

NodeId lower_viewed(Lower *l, const Args *a, int i) {
    NodeId x = arg_value(l, a, i);
    return x ? strengthen(l->g, x, a->value[i]->span) : 0;
}

bool lower_sizes(Lower *l, const Args *a, Dim *shape) {
    if (!rank_check(l->g, a->rest_count, a->call->span)) return false;
    for (int i = 0; i < a->rest_count; i++)
        if (!(shape[i] = lower_size(l, a->rest[i]))) return false;
    return true;
}

static const char *shape_text(Lower *l, Dtype type, int rank, const Dim *shape) {
    Text text = text_new(l->arena);
    shape_print(l->g->dims, type, rank, shape, &text);
    return text_get(&text);
}

/* ---- reshape ------------------------------------------------------------------------------ */

/* The sizes as written; *open is the index of -1, or -1. *product is their product. */
static bool reshape_sizes(Lower *l, const Args *a, Dim *shape, int *open, Dim *product) {
    Dims *d = l->g->dims;
    *open = -1;
    *product = dim_const(d, 1);
    if (!rank_check(l->g, a->rest_count, a->call->span)) return false;
    for (int i = 0; i < a->rest_count; i++) {
        Span at = a->rest[i]->span;
        if (!(shape[i] = lower_dim(l, a->rest[i]))) return false;
        if (!dim_is(d, shape[i], -1)) {
            if (!size_check(l, shape[i], at)) return false;
            *product = dim_checked(l, dim_mul(d, *product, shape[i]), at);
        } else if (*open < 0) {
            *open = i;
        } else {
            diag_error(l->diag, at, "only one size can be -1");
            return false;
        }
        if (!*product) return false;
    }
    return true;
}

NodeId lower_reshape(Lower *l, const Args *a) {
    Dims *d = l->g->dims;
    Dim shape[RANK_MAX], product;
    int open;
    NodeId x = lower_viewed(l, a, 0);
    if (!x || !reshape_sizes(l, a, shape, &open, &product)) return 0;
    Dim elements = dim_checked(l, node_elements(l->g, x), a->call->span);
    if (!elements) return 0;
    if (open >= 0) shape[open] = dim_div(d, elements, product, a->call->span);
    if (open >= 0 ? !shape[open] : !dim_equal(d, elements, product)) {
        diag_error(l->diag, a->call->span, "%s has %s elements, and the new shape has %s%s",
                   node_text(l->g, x), dim_text(d, elements, l->arena),
                   open >= 0 ? "a multiple of " : "", dim_text(d, product, l->arena));
        return 0;
    }
    return graph_reshape(l->g, x, a->rest_count, shape, a->call->span);
}

/* ---- permute ------------------------------------------------------------------------------ */

NodeId lower_permute(Lower *l, const Args *a) {
    NodeId x = lower_viewed(l, a, 0);
    int perm[RANK_MAX] = {0};
    uint32_t seen = 0;
    if (!x) return 0;
    int rank = l->g->node[x].rank;
    if (a->rest_count != rank) {
        diag_error(l->diag, a->call->span, "'permute' names every axis once: %s has %d, not %d",
                   node_text(l->g, x), rank, a->rest_count);
        return 0;
    }
    for (int i = 0; i < rank; i++) {
        int64_t axis;
        Span at = a->rest[i]->span;
        if (!lower_int(l, a->rest[i], &axis) || !axis_normal(l, axis, rank, at, &perm[i])) return 0;
        if (seen & 1u << perm[i]) {
            diag_error(l->diag, at, "axis %d is named twice: 'permute' names every axis once",
                       perm[i]);
            return 0;
        }
        seen |= 1u << perm[i];
    }
    return graph_permute(l->g, x, perm, a->call->span);
}

NodeId lower_transpose(Lower *l, const Args *a) {
    NodeId x = lower_viewed(l, a, 0);
    int perm[RANK_MAX];
    if (!x) return 0;
    int rank = l->g->node[x].rank;
    if (rank < 2) {
        diag_error(l->diag, a->call->span, "'.T' swaps the last two axes, and %s has %s",
                   node_text(l->g, x), rank ? "one" : "none");
        return 0;
    }
    for (int i = 0; i < rank; i++) perm[i] = i;
    perm[rank - 1] = rank - 2;
    perm[rank - 2] = rank - 1;
    return graph_permute(l->g, x, perm, a->call->span);
}

/* ---- flip ----------------------------------------------------------------------------------- */

NodeId lower_flip(Lower *l, const Args *a) {
    uint32_t axes;
    NodeId x = lower_viewed(l, a, 0);
    if (!x || !arg_axes(l, a, 1, l->g->node[x].rank, &axes)) return 0;
    return graph_flip(l->g, x, axes, a->call->span);
}

/* ---- broadcast, full ---------------------------------------------------------------------- */

static bool may_broadcast(const Graph *g, NodeId x, int rank, const Dim *shape) {
    const Node *n = &g->node[x];
    if (n->rank > rank) return false;
    for (int i = 1; i <= n->rank; i++) {
        Dim size = n->shape[n->rank - i];
        if (size != shape[rank - i] && !dim_is(g->dims, size, 1)) return false;
    }
    return true;
}

NodeId lower_broadcast(Lower *l, const Args *a) {
    Dim shape[RANK_MAX];
    NodeId x = lower_viewed(l, a, 0);
    if (!x || !lower_sizes(l, a, shape)) return 0;
    if (may_broadcast(l->g, x, a->rest_count, shape))
        return graph_broadcast(l->g, x, a->rest_count, shape, a->call->span);
    diag_error(l->diag, a->call->span, "%s does not broadcast to %s", node_text(l->g, x),
               shape_text(l, l->g->node[x].type, a->rest_count, shape));
    return 0;
}

NodeId lower_full(Lower *l, const Args *a) {
    Dim shape[RANK_MAX];
    NodeId x = lower_viewed(l, a, 0);
    if (!x || !lower_sizes(l, a, shape)) return 0;
    if (!l->g->node[x].rank) return graph_broadcast(l->g, x, a->rest_count, shape, a->call->span);
    diag_error(l->diag, a->value[0]->span,
               "'full' repeats one number, and this is %s: 'broadcast' "
               "repeats tensors",
               node_text(l->g, x));
    return 0;
}

/* ---- split -------------------------------------------------------------------------------- */

static bool split_axis(Lower *l, NodeId x, int axis, int64_t parts, Span span, NodeIds *values) {
    Dims *d = l->g->dims;
    Node n = l->g->node[x];
    Dim start[RANK_MAX], extent[RANK_MAX];
    Dim part = dim_div(d, n.shape[axis], dim_const(d, parts), span);
    if (!part) {
        diag_error(l->diag, span, "axis %d of %s does not split into %lld equal parts", axis,
                   node_text(l->g, x), (long long)parts);
        return false;
    }
    for (int64_t k = 0; k < parts; k++) {
        for (int i = 0; i < n.rank; i++) {
            start[i] = i == axis ? dim_checked(l, dim_mul(d, part, dim_const(d, k)), span)
                                 : dim_const(d, 0);
            extent[i] = i == axis ? part : n.shape[i];
        }
        NodeId slice = start[axis] ? graph_slice(l->g, x, start, extent, span) : 0;
        if (!slice) return false;
        vec_push(l->arena, values, slice);
    }
    return true;
}

bool lower_split(Lower *l, const Args *a, NodeIds *values) {
    int64_t parts;
    int axis;
    NodeId x = lower_viewed(l, a, 0);
    if (!x || !lower_int(l, a->value[1], &parts)) return false;
    if (!arg_axis(l, a, 2, l->g->node[x].rank, &axis)) return false;
    if (parts >= 1 && parts <= l->limits->arguments)
        return split_axis(l, x, axis, parts, a->call->span, values);
    diag_error(l->diag, a->value[1]->span,
               "the number of parts must be from 1 to %lld ('--limit arguments=N' changes this), "
               "and "
               "this is %lld",
               (long long)l->limits->arguments, (long long)parts);
    return false;
}
