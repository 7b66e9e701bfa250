/* index.c: x[1:, None, ..., 3] to a SLICE and a RESHAPE.
 * In: the index items. Each axis of x gets a first element and an extent; integers and None then
 * decide the axes of the result. Negative bounds count from the end. A bound that is not provably
 * in range becomes a guard; one that is provably out of range, an error. */
#include "graph/lower/lower_private.h"

/* The result so far: the slice of each axis, and the shape after it. */
typedef struct Indexing {
    Lower *l;
    const Ast *e;
    NodeId x;
    int axis, rank; /* next axis of x; rank of the result */
    Dim start[RANK_MAX], extent[RANK_MAX], shape[RANK_MAX];
} Indexing;

static Dim next_size(const Indexing *ix) { return ix->l->g->node[ix->x].shape[ix->axis]; }

static bool report_range(Indexing *ix, Span span) {
    Lower *l = ix->l;
    diag_error(l->diag, span, "this is out of range: axis %d of %s has %s elements", ix->axis,
               node_text(l->g, ix->x), dim_text(l->g->dims, next_size(ix), l->arena));
    return false;
}

/* A position from the start: -1 becomes size - 1. A dim expression of unknown sign counts from the
 * start. */
static Dim from_start(Indexing *ix, Dim at) {
    int64_t lo, hi;
    dim_range(ix->l->g->dims, at, &lo, &hi);
    return hi < 0 ? dim_add(ix->l->g->dims, next_size(ix), at) : at;
}

static Dim lower_bound(Indexing *ix, const Ast *e, Dim otherwise) {
    if (!e) return otherwise;
    Dim at = lower_dim(ix->l, e);
    return at ? dim_checked(ix->l, from_start(ix, at), e->span) : 0;
}

static bool keep_axis(Indexing *ix, Dim size, Span span) {
    if (!rank_check(ix->l->g, ix->rank + 1, span)) return false;
    ix->shape[ix->rank++] = size;
    return true;
}

static bool index_slice(Indexing *ix, const Ast *e) {
    Dims *d = ix->l->g->dims;
    Dim zero = dim_const(d, 0), size = next_size(ix);
    Dim start = lower_bound(ix, e->kid[0], zero), stop = lower_bound(ix, e->kid[1], size);
    if (!start || !stop) return false;
    int64_t lo, hi;
    dim_range(d, stop, &lo, &hi);
    if (hi < 0 || !dim_assume(d, DIM_LE, zero, start, e->span, "slice") ||
        !dim_assume(d, DIM_LE, stop, size, e->span, "slice"))
        return report_range(ix, e->span);
    if (!dim_assume(d, DIM_LT, start, stop, e->span, "slice")) {
        diag_error(ix->l->diag, e->span, "this slice is empty: from %s to %s of %s elements",
                   dim_text(d, start, ix->l->arena), dim_text(d, stop, ix->l->arena),
                   dim_text(d, size, ix->l->arena));
        return false;
    }
    ix->start[ix->axis] = start;
    ix->extent[ix->axis++] = dim_checked(ix->l, dim_sub(d, stop, start), e->span);
    return ix->extent[ix->axis - 1] && keep_axis(ix, ix->extent[ix->axis - 1], e->span);
}

/* An integer: one element; the axis is dropped. */
static bool index_one(Indexing *ix, const Ast *e) {
    Lower *l = ix->l;
    Dims *d = l->g->dims;
    NodeId id = lower_expr(l, e);
    Dim at = id ? dim_of_node(l->g, id) : 0;
    if (!id) return false;
    if (!at && l->g->node[id].type == T_BOOL) {
        diag_error(l->diag, e->span,
                   "an index is an integer or a dim, and this is %s: 'where(mask, x, 0)' keeps the "
                   "shape",
                   node_text(l->g, id));
        return false;
    }
    if (!at) {
        diag_error(l->diag, e->span,
                   "an index is an integer or a dim, and this is %s: "
                   "'take(x, indices, axis = %d)' reads at computed indices",
                   node_text(l->g, id), ix->axis);
        return false;
    }
    at = dim_checked(l, from_start(ix, at), e->span);
    if (!at) return false;
    if (!dim_assume(d, DIM_LE, dim_const(d, 0), at, e->span, "index") ||
        !dim_assume(d, DIM_LT, at, next_size(ix), e->span, "index"))
        return report_range(ix, e->span);
    ix->start[ix->axis] = at;
    ix->extent[ix->axis++] = dim_const(d, 1);
    return true;
}

static bool index_whole(Indexing *ix, Span span) {
    Dim size = next_size(ix);
    ix->start[ix->axis] = dim_const(ix->l->g->dims, 0);
    ix->extent[ix->axis++] = size;
    return keep_axis(ix, size, span);
}

/* Axes of x that the items other than `...` cover; -1 if `...` occurs twice. */
static int axes_named(Lower *l, const Ast *e) {
    int named = 0, ellipses = 0;
    for (int i = 1; i < e->kid_count; i++) {
        AstKind kind = e->kid[i]->kind;
        if (kind == A_ELLIPSIS && ellipses++) {
            diag_error(l->diag, e->kid[i]->span, "'...' can stand only once in an index");
            return -1;
        }
        named += kind != A_ELLIPSIS && kind != A_NONE;
    }
    return named;
}

static bool index_item(Indexing *ix, const Ast *item, int hidden) {
    switch (item->kind) {
    case A_SLICE: return index_slice(ix, item);
    case A_NONE: return keep_axis(ix, dim_const(ix->l->g->dims, 1), item->span);
    case A_ELLIPSIS:
        while (hidden-- > 0)
            if (!index_whole(ix, item->span)) return false;
        return true;
    default: return index_one(ix, item);
    }
}

static NodeId index_result(Indexing *ix) {
    Graph *g = ix->l->g;
    NodeId x = ix->x;
    if (!shape_equal(g->node[x].rank, g->node[x].shape, g->node[x].rank, ix->extent))
        x = graph_slice(g, x, ix->start, ix->extent, ix->e->span);
    return x ? graph_reshape(g, x, ix->rank, ix->shape, ix->e->span) : 0;
}

NodeId lower_index(Lower *l, const Ast *e) {
    Indexing ix = {.l = l, .e = e, .x = lower_expr(l, e->kid[0])};
    if (!ix.x) return 0;
    int rank = l->g->node[ix.x].rank, named = axes_named(l, e);
    if (named < 0) return 0;
    if (named > rank) {
        diag_error(l->diag, e->span, "%d indices for %d axes: this is %s", named, rank,
                   node_text(l->g, ix.x));
        return 0;
    }
    ix.x = strengthen(l->g, ix.x, e->kid[0]->span);
    for (int i = 1; ix.x && i < e->kid_count; i++)
        if (!index_item(&ix, e->kid[i], rank - named)) return 0;
    while (ix.x && ix.axis < rank)
        if (!index_whole(&ix, e->span)) return 0;
    return ix.x ? index_result(&ix) : 0;
}
