/* pixels.c: left operands of products that are pixels of images, with channels last, moved by a few
 * pixels, and 0 where these fall outside, as those of a convolution that is a sum of products: rows
 * are pixels, or, for the gradient of its weights, pixels are summed.
 * In: a Body, an operand. Out: PixelForm. */
#include "kernel/tile/tile_private.h"

enum { FURTHEST = 127 }; /* pixels, that TMA moves its box by */

static Dims *dims_of(const Body *b) { return b->indices->dims; }

static const IxAtom *only_atom(const Body *b, Ix ix) {
    const int atom = ix_only_atom(b->indices, ix);
    return atom < 0 ? NULL : &b->indices->atom.at[atom];
}

static bool is_axis(const Body *b, Ix ix, int axis) {
    const IxAtom *t = only_atom(b, ix);
    return t && t->kind == ATOM_AXIS && t->a == axis;
}

/* The extent of an image along which a position counts pixels, of rows: their width, if it is r % W
 * or r itself, with is_down their height, if it is r / W % H or r / W. 0: it is neither. */
static Dim extent_of(const Body *b, Ix at, int own, bool *is_down, Dim *width) {
    const Dim rows = b->indices->extent[own];
    const IxAtom *t = only_atom(b, at);
    Dim extent = 0;
    *is_down = false;
    if (!t) return 0;
    if (is_axis(b, at, own)) return rows;
    if (t->kind == ATOM_MOD) {
        if (is_axis(b, t->a, own)) return t->q;
        extent = t->q;
        t = only_atom(b, t->a);
    }
    if (!t || t->kind != ATOM_DIV || !is_axis(b, t->a, own)) return 0;
    *is_down = true, *width = t->q;
    if (extent) return extent;
    return dim_divides(dims_of(b), t->q, rows) ? dim_div(dims_of(b), rows, t->q, (Span){0}) : 0;
}

/* Pixels by which a position is moved that is inside from `lo` on, or below `hi`. */
static bool find_move(const Body *b, const Value *inside, Dim extent, int *move) {
    Dims *d = dims_of(b);
    int64_t by;
    if (!inside->attr == !inside->attr2) return false;
    const Dim moved = inside->attr ? dim_sub(d, dim_const(d, 0), inside->attr)
                                   : dim_sub(d, extent, inside->attr2);
    if (!dim_is_const(d, moved, &by) || by < -FURTHEST || by > FURTHEST) return false;
    *move = (int)by;
    return true;
}

static bool add_guard(const Body *b, int guard, int own, PixelForm *p) {
    const Value *g = &b->values.at[guard];
    bool is_down;
    Dim width = 0;
    if (g->kind == V_OP && g->op == OP_AND)
        return add_guard(b, g->src[0], own, p) && add_guard(b, g->src[1], own, p);
    if (g->kind != V_INSIDE) return false;
    const Dim extent = extent_of(b, g->ix, own, &is_down, &width);
    if (!extent) return false;
    if (!is_down) width = extent;
    if ((p->width && p->width != width) || (is_down ? p->down : p->across)) return false;
    p->width = width;
    if (is_down) p->height = extent;
    return find_move(b, g, extent, is_down ? &p->down : &p->across);
}

bool pixel_form(const Body *b, int value, int pixels, int channels, PixelForm *form) {
    const Value *v = &b->values.at[value];
    Dims *d = dims_of(b);
    Dim step = 0, channel = 0;
    int64_t start;
    PixelForm p = {0};
    if (v->kind != V_LOAD || !v->guard || b->indices->node.at[v->ix].dynamic) return false;
    if (b->indices->node.at[v->ix].count != 2 || !add_guard(b, v->guard, pixels, &p)) return false;
    if (index_along(b, v->ix, pixels, &step) != 1 || index_along(b, v->ix, channels, &channel) != 1)
        return false;
    if (!dim_is(d, channel, 1)) return false;
    if (!p.height) p.height = dim_const(d, 1);
    if (!dim_divides(d, dim_mul(d, p.width, p.height), b->indices->extent[pixels])) return false;
    const Dim moved = dim_add(d, dim_mul(d, dim_const(d, p.down), p.width), dim_const(d, p.across));
    p.start = dim_sub(d, b->indices->node.at[v->ix].offset, dim_mul(d, moved, step));
    if (!dim_is_const(d, p.start, &start) || start < 0) return false;
    *form = p;
    return true;
}
