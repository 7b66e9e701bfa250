/* tile_mask.c: what a mask does to a tile of scores, by interval analysis: conditions on indices
 * are bounded over the tile, so that tiles which are masked altogether are skipped and tiles which
 * are not masked at all carry no mask. Nothing is known of causal, windowed or padded masks; all
 * are comparisons of integers that grow or fall along the tile's axes. In: the value that a softmax
 * is taken of. Out: conditions over m_start, m_last, n_start and n_last, the first and last query
 * and key of a tile, in text valid in C and CUDA. */
#include "emit/writer.h"

#include <math.h>
#include <string.h>

enum { TILE_AXES = 1 << ATTENTION_QUERY | 1 << ATTENTION_KEY };

/* ---- integers over a tile ------------------------------------------------------------------- */

/* Bounds that are reached or not, but never passed; NULL: not known. */
typedef struct Bounds {
    const char *lo, *hi;
} Bounds;

static const Bounds unknown = {NULL, NULL};

static const char *format2(Writer *w, const char *format, const char *a, const char *b) {
    return a && b ? arena_printf(w->arena, format, a, b) : NULL;
}

enum { FALLS = -1, STAYS = 0, GROWS = 1, MOVES = 2 }; /* along an axis; MOVES: in some other way */

static int both_ways(int a, int b) {
    if (a == STAYS || b == STAYS) return a + b;
    return a == b ? a : MOVES;
}

static int sign_of(const Writer *w, Dim scale) {
    int64_t lo, hi;
    dim_range(w->b->indices->dims, scale, &lo, &hi);
    return lo >= 0 ? GROWS : hi <= 0 ? FALLS : MOVES;
}

static int way_along(const Writer *w, Ix ix, int axis) {
    const IxNode *n = &w->b->indices->node.at[ix];
    int way = STAYS;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &w->b->indices->atom.at[n->term[i].atom];
        if (t->kind == ATOM_VALUE) return MOVES;
        int inner = t->kind == ATOM_AXIS ? t->a == axis : way_along(w, t->a, axis);
        if (inner == STAYS) continue;
        int sign = t->kind == ATOM_MOD || inner == MOVES ? MOVES : sign_of(w, n->term[i].scale);
        way = both_ways(way, sign == MOVES ? MOVES : inner * sign);
    }
    return way;
}

/* The index at the corner of the tile where it is least, or largest. */
static const char *corner(Writer *w, Ix ix, int query, int key, int side) {
    const char *at_query = w->axis_name[ATTENTION_QUERY], *at_key = w->axis_name[ATTENTION_KEY];
    w->axis_name[ATTENTION_QUERY] = query * side > 0 ? "m_last" : "m_start";
    w->axis_name[ATTENTION_KEY] = key * side > 0 ? "n_last" : "n_start";
    const char *text = index_text(w, ix);
    w->axis_name[ATTENTION_QUERY] = at_query;
    w->axis_name[ATTENTION_KEY] = at_key;
    return strpbrk(text, " ") ? arena_printf(w->arena, "(%s)", text) : text;
}

/* x % q, such as the query of one head among several: of a tile within one period, else all of it.
 */
static Bounds remainder_bounds(Writer *w, const IxAtom *t) {
    Dims *d = w->b->indices->dims;
    int query = way_along(w, t->a, ATTENTION_QUERY), key = way_along(w, t->a, ATTENTION_KEY);
    if (query == MOVES || key == MOVES) return unknown;
    const char *lo = corner(w, t->a, query, key, -1), *hi = corner(w, t->a, query, key, 1);
    const char *q = dim_text(d, t->q, w->arena),
               *last = dim_text(d, dim_sub(d, t->q, dim_const(d, 1)), w->arena);
    const char *within = arena_printf(w->arena, "%s / (%s) == %s / (%s)", lo, q, hi, q);
    return (Bounds){arena_printf(w->arena, "(%s ? %s %% (%s) : 0)", within, lo, q),
                    arena_printf(w->arena, "(%s ? %s %% (%s) : %s)", within, hi, q, last)};
}

static Bounds index_bounds(Writer *w, Ix ix) {
    Dims *d = w->b->indices->dims;
    const IxNode *n = &w->b->indices->node.at[ix];
    const IxAtom *first = n->count ? &w->b->indices->atom.at[n->term[0].atom] : NULL;
    if (n->count == 1 && first->kind == ATOM_MOD && dim_is(d, n->term[0].scale, 1) &&
        dim_is(d, n->offset, 0))
        return remainder_bounds(w, first);
    int query = way_along(w, ix, ATTENTION_QUERY), key = way_along(w, ix, ATTENTION_KEY);
    if (query == MOVES || key == MOVES) return unknown;
    return (Bounds){corner(w, ix, query, key, -1), corner(w, ix, query, key, 1)};
}

static Bounds same(const char *text) { return (Bounds){text, text}; }

/* A number of the whole tile, such as the length of a batch's sequence. */
static Bounds load_bounds(Writer *w, const Value *v) {
    const IxNode *n = &w->b->indices->node.at[v->ix];
    if (v->guard || n->dynamic || index_axes(w->b, v->ix) & TILE_AXES) return unknown;
    return same(arena_printf(w->arena, "(idx)%s[%s]", w->k->buffers.at[v->attr].name,
                             index_text(w, v->ix)));
}

static Bounds bounds(Writer *w, int value);

static bool is_positive(const Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    return v->kind == V_CONST && const_int(v) > 0;
}

static Bounds op_bounds(Writer *w, const Value *v) {
    Bounds a = bounds(w, v->src[0]), b = v->op == OP_NEG ? unknown : bounds(w, v->src[1]);
    switch (v->op) {
    case OP_NEG: return (Bounds){format2(w, "(%s%s)", "-", a.hi), format2(w, "(%s%s)", "-", a.lo)};
    case OP_ADD:
        return (Bounds){format2(w, "(%s + %s)", a.lo, b.lo), format2(w, "(%s + %s)", a.hi, b.hi)};
    case OP_SUB:
        return (Bounds){format2(w, "(%s - %s)", a.lo, b.hi), format2(w, "(%s - %s)", a.hi, b.lo)};
    case OP_MUL:
        if (is_positive(w, v->src[0]))
            a = bounds(w, v->src[1]), b = bounds(w, v->src[0]);
        else if (!is_positive(w, v->src[1]))
            return unknown;
        return (Bounds){format2(w, "%s * %s", a.lo, b.lo), format2(w, "%s * %s", a.hi, b.lo)};
    case OP_DIV: /* truncates, and so never turns back */
        if (!is_positive(w, v->src[1])) return unknown;
        return (Bounds){format2(w, "%s / %s", a.lo, b.lo), format2(w, "%s / %s", a.hi, b.lo)};
    default: return unknown;
    }
}

static Bounds bounds(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (dtype_is_float(v->type) || v->type == T_BOOL) return unknown;
    switch (v->kind) {
    case V_INDEX: return index_bounds(w, v->ix);
    case V_CONST: return same(int_text(w->arena, const_int(v)));
    case V_UNIFORM: return same(w->k->uniforms.at[v->attr].name);
    case V_LOAD: return load_bounds(w, v);
    case V_CAST:
        return dtype_size(v->type) >= dtype_size(v->operand) ? bounds(w, v->src[0]) : unknown;
    case V_OP: return op_bounds(w, v);
    default: return unknown;
    }
}

/* ---- conditions over a tile ----------------------------------------------------------------- */

/* When it holds at every element, and when at none; NULL: that is never known, "1": it always is.
 */
typedef struct Truth {
    const char *always, *never;
} Truth;

static const char *all_of(Writer *w, const char *a, const char *b) {
    if (!a || !b) return NULL;
    if (!strcmp(a, "1")) return b;
    return strcmp(b, "1") ? arena_printf(w->arena, "(%s && %s)", a, b) : a;
}

static const char *any_of(Writer *w, const char *a, const char *b) {
    if (!a || !b) return a ? a : b;
    if (!strcmp(a, "1") || !strcmp(b, "1")) return "1";
    return arena_printf(w->arena, "(%s || %s)", a, b);
}

static Truth equal(Writer *w, Bounds a, Bounds b) {
    return (Truth){
        all_of(w, format2(w, "%s == %s", a.lo, b.hi), format2(w, "%s == %s", a.hi, b.lo)),
        any_of(w, format2(w, "%s < %s", a.hi, b.lo), format2(w, "%s > %s", a.lo, b.hi))};
}

static Truth compare(Writer *w, const Value *v) {
    Bounds a = bounds(w, v->src[0]), b = bounds(w, v->src[1]);
    Truth t;
    switch (v->op) {
    case OP_LT:
        return (Truth){format2(w, "%s < %s", a.hi, b.lo), format2(w, "%s >= %s", a.lo, b.hi)};
    case OP_LE:
        return (Truth){format2(w, "%s <= %s", a.hi, b.lo), format2(w, "%s > %s", a.lo, b.hi)};
    case OP_EQ: return equal(w, a, b);
    default: t = equal(w, a, b); return (Truth){t.never, t.always};
    }
}

static Truth truth(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind == V_CONST) return v->bits ? (Truth){"1", NULL} : (Truth){NULL, "1"};
    if (v->kind != V_OP) return (Truth){NULL, NULL};
    Truth a = {NULL, NULL}, b = a;
    if (v->op == OP_AND || v->op == OP_OR || v->op == OP_NOT) a = truth(w, v->src[0]);
    if (v->op == OP_AND || v->op == OP_OR) b = truth(w, v->src[1]);
    switch (v->op) {
    case OP_AND: return (Truth){all_of(w, a.always, b.always), any_of(w, a.never, b.never)};
    case OP_OR: return (Truth){any_of(w, a.always, b.always), all_of(w, a.never, b.never)};
    case OP_NOT: return (Truth){a.never, a.always};
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE: return compare(w, v);
    default: return (Truth){NULL, NULL};
    }
}

/* ---- scores over a tile --------------------------------------------------------------------- */

static bool is_minus_infinity(const Value *v) {
    return v->kind == V_CONST && dtype_is_float(v->type) && const_float(v) == -INFINITY;
}

/* When all scores are -Inf. */
static const char *masked(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (is_minus_infinity(v)) return "1";
    if (v->kind == V_CAST) return masked(w, v->src[0]);
    if (v->kind != V_OP || v->op != OP_WHERE) return NULL;
    Truth t = truth(w, v->src[0]);
    return any_of(w, all_of(w, t.always, masked(w, v->src[1])),
                  all_of(w, t.never, masked(w, v->src[2])));
}

/* The side of a `where` that a mask lets through: 1 or 2; 0: it is no mask. */
static int open_side(const Writer *w, const Value *v) {
    if (v->kind != V_OP || v->op != OP_WHERE) return 0;
    if (is_minus_infinity(&w->b->values.at[v->src[2]])) return 1;
    return is_minus_infinity(&w->b->values.at[v->src[1]]) ? 2 : 0;
}

/* When no mask changes a score; "1" when there is none. */
static const char *clear(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind == V_CAST) return clear(w, v->src[0]);
    int side = open_side(w, v);
    if (!side) return "1";
    Truth t = truth(w, v->src[0]);
    return all_of(w, side == 1 ? t.always : t.never, clear(w, v->src[side]));
}

TileMask tile_mask(Writer *w, int x) {
    TileMask mask = {masked(w, x), clear(w, x)};
    if (!mask.masked || !mask.clear) return (TileMask){NULL, NULL};
    return mask;
}

int tile_unmasked(Writer *w, int x) {
    Body *b = w->b;
    Value *v = &b->values.at[x];
    if (v->kind == V_CAST) {
        int below = tile_unmasked(w, v->src[0]);
        if (below == v->src[0]) return x;
        Value cast = *v;
        cast.src[0] = below;
        vec_push(w->arena, &b->values, cast);
        return b->values.count - 1;
    }
    int side = open_side(w, v);
    return side ? tile_unmasked(w, v->src[side]) : x;
}
