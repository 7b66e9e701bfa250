/* tile_mask.c: what a mask does to a tile of scores, by interval analysis: conditions on indices
 * are bounded over the tile, so that tiles which are masked altogether are skipped and tiles which
 * are not masked at all carry no mask. Nothing is known of causal, windowed or padded masks; all
 * are comparisons of integers that grow or fall along the tile's axes. In: the value that a softmax
 * is taken of. Out: conditions over m_start, m_last, n_start and n_last, the first and last query
 * and key of a tile, in text valid in C and CUDA. They hold for any number of neighbouring
 * tiles. */
#include "emit/text/writer.h"

#include <string.h>

enum { TILE_AXES = 1 << ATTENTION_QUERY | 1 << ATTENTION_KEY };

/* ---- integers over a tile ------------------------------------------------------------------- */

/* Bounds that are reached or not, but never passed, in idx, which does not wrap; NULL: not known.
 * They hold where the integers of the model do not wrap either. */
typedef struct Bounds {
    const char *lo, *hi;
    const char *fits;    /* when nothing wraps; "1": never does any */
    int64_t least, most; /* of whatever tile and sizes */
} Bounds;

/* MOST_INDEX: far more than the keys of any scores. What is made of two operands, or of one and a
 * factor, fits 64 bits. */
#define MOST_INDEX   ((int64_t)1 << 28)
#define MOST_OPERAND ((int64_t)1 << 40)
#define MOST_FACTOR  ((int64_t)1 << 20)

static const Bounds unknown = {0};

static const char *format2(Writer *w, const char *format, const char *a, const char *b) {
    return a && b ? arena_printf(w->arena, format, a, b) : NULL;
}

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
    text = text_inside(w->arena, text);
    return strpbrk(text, " ") ? arena_printf(w->arena, "(%s)", text) : text;
}

/* x % q, such as the query of one head among several: of a tile within one period, else all of
 * it. */
static const char *remainder_text(Writer *w, const IxAtom *t, int side) {
    Dims *d = w->b->indices->dims;
    int query = way_along(w, t->a, ATTENTION_QUERY), key = way_along(w, t->a, ATTENTION_KEY);
    const char *lo = corner(w, t->a, query, key, -1), *hi = corner(w, t->a, query, key, 1);
    const char *q = size_text(w, t->q), *outside = "0";
    if (side > 0) outside = size_text(w, dim_sub(d, t->q, dim_const(d, 1)));
    return arena_printf(w->arena, "(%s / (%s) == %s / (%s) ? %s %% (%s) : %s)", lo, q, hi, q,
                        side > 0 ? hi : lo, q, outside);
}

/* Of queries alone, it is computed before the loop over keys: it divides. */
static const char *remainder_name(Writer *w, int atom, int side) {
    return arena_printf(w->arena, "%s_%d", side > 0 ? "row_most" : "row_least", atom);
}

static Bounds remainder_bounds(Writer *w, int atom) {
    const IxAtom *t = &w->b->indices->atom.at[atom];
    int query = way_along(w, t->a, ATTENTION_QUERY), key = way_along(w, t->a, ATTENTION_KEY);
    if (query == MOVES || key == MOVES) return unknown;
    if (key == STAYS)
        return (Bounds){arena_printf(w->arena, "(idx)%s", remainder_name(w, atom, -1)),
                        arena_printf(w->arena, "(idx)%s", remainder_name(w, atom, 1)), "1",
                        -MOST_INDEX, MOST_INDEX};
    return (Bounds){remainder_text(w, t, -1), remainder_text(w, t, 1), "1", -MOST_INDEX,
                    MOST_INDEX};
}

/* In few registers. */
const char *tile_mask_rows(Writer *w, const TileMask *mask) {
    Text lines = text_new(w->arena);
    for (int atom = 0; atom < w->b->indices->atom.count; atom++)
        for (int side = -1; side <= 1; side += 2) {
            const char *name = remainder_name(w, atom, side);
            const bool skips = mask->masked && text_mentions(mask->masked, name);
            if (!skips && !(mask->clear && text_mentions(mask->clear, name))) continue;
            text_printf(&lines, "const int %s = (int)%s;\n", name,
                        remainder_text(w, &w->b->indices->atom.at[atom], side));
        }
    return text_get(&lines);
}

static Bounds index_bounds(Writer *w, Ix ix) {
    Dims *d = w->b->indices->dims;
    const IxNode *n = &w->b->indices->node.at[ix];
    const int first = n->count ? n->term[0].atom : 0;
    int query = way_along(w, ix, ATTENTION_QUERY), key = way_along(w, ix, ATTENTION_KEY);
    bool turns = query == MOVES || key == MOVES;
    if (turns && n->count == 1 && w->b->indices->atom.at[first].kind == ATOM_MOD &&
        dim_is(d, n->term[0].scale, 1) && dim_is(d, n->offset, 0))
        return remainder_bounds(w, first);
    if (turns) return unknown;
    Bounds of = {corner(w, ix, query, key, -1), corner(w, ix, query, key, 1), "1", -MOST_INDEX,
                 MOST_INDEX};
    int64_t least, most;
    if (n->lo && dim_is_const(d, n->lo, &least) && n->hi && dim_is_const(d, n->hi, &most))
        of.least = least, of.most = most;
    return of;
}

static Bounds same(const char *text, int64_t least, int64_t most) {
    return (Bounds){text, text, "1", least, most};
}

static Bounds any_of_type(const char *text, Dtype type) {
    return same(text, dtype_int_min(type), dtype_int_max(type));
}

/* A number of the whole tile, such as the length of a batch's sequence. */
static Bounds load_bounds(Writer *w, const Value *v) {
    const IxNode *n = &w->b->indices->node.at[v->ix];
    if (v->guard || n->dynamic || index_axes(w->b, v->ix) & TILE_AXES) return unknown;
    const char *name = buffer_name(w, v->attr), *at = index_text(w, v->ix);
    return any_of_type(arena_printf(w->arena, "(idx)%s[%s]", name, at), v->type);
}

static Bounds bounds(Writer *w, int value);

static bool is_positive(const Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    return v->kind == V_CONST && const_int(v) > 0;
}

/* Where they leave this range, nothing is said of them. */
static Bounds within(Writer *w, Bounds a, int64_t least, int64_t most) {
    if (!a.lo || !a.hi || (a.least >= least && a.most <= most)) return a;
    if (a.least > most || a.most < least) return unknown;
    const char *lo = int_text(w->arena, least), *hi = int_text(w->arena, most);
    a.fits =
        all_of(w, a.fits, arena_printf(w->arena, "(%s >= %s && %s <= %s)", a.lo, lo, a.hi, hi));
    a.least = a.least < least ? least : a.least;
    a.most = a.most > most ? most : a.most;
    return a;
}

static Bounds operand_bounds(Writer *w, int value) {
    return within(w, bounds(w, value), -MOST_OPERAND, MOST_OPERAND);
}

static Bounds scaled_bounds(Writer *w, const Value *v, Bounds a, Bounds b) {
    int64_t by = b.least;
    if (v->op == OP_DIV) /* truncates, and so never turns back */
        return (Bounds){format2(w, "%s / %s", a.lo, b.lo), format2(w, "%s / %s", a.hi, b.lo),
                        a.fits, a.least / by, a.most / by};
    if (by > MOST_FACTOR) return unknown;
    return (Bounds){format2(w, "%s * %s", a.lo, b.lo), format2(w, "%s * %s", a.hi, b.lo), a.fits,
                    a.least * by, a.most * by};
}

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }

/* Of two that are the same for the whole tile, and of 32 bits. */
static Bounds product_bounds(Writer *w, Bounds a, Bounds b) {
    if (strcmp(a.lo, a.hi) || strcmp(b.lo, b.hi)) return unknown;
    a = within(w, a, dtype_int_min(T_I32), dtype_int_max(T_I32));
    b = within(w, b, dtype_int_min(T_I32), dtype_int_max(T_I32));
    int64_t low = min64(a.least * b.most, a.most * b.least);
    int64_t high = max64(a.least * b.least, a.most * b.most);
    const char *text = arena_printf(w->arena, "%s * %s", a.lo, b.lo);
    return (Bounds){text, text, all_of(w, a.fits, b.fits), min64(low, a.least * b.least), high};
}

static Bounds op_bounds(Writer *w, const Value *v) {
    if (v->op == OP_NEG) {
        Bounds a = operand_bounds(w, v->src[0]);
        return (Bounds){format2(w, "(%s%s)", "-", a.hi), format2(w, "(%s%s)", "-", a.lo), a.fits,
                        -a.most, -a.least};
    }
    if (v->op != OP_ADD && v->op != OP_SUB && v->op != OP_MUL && v->op != OP_DIV) return unknown;
    bool turned = v->op == OP_MUL && is_positive(w, v->src[0]);
    Bounds a = operand_bounds(w, v->src[turned]), b = operand_bounds(w, v->src[!turned]);
    if (!a.lo || !a.hi || !b.lo || !b.hi) return unknown;
    const char *fits = all_of(w, a.fits, b.fits);
    if (v->op == OP_ADD)
        return (Bounds){format2(w, "(%s + %s)", a.lo, b.lo), format2(w, "(%s + %s)", a.hi, b.hi),
                        fits, a.least + b.least, a.most + b.most};
    if (v->op == OP_SUB)
        return (Bounds){format2(w, "(%s - %s)", a.lo, b.hi), format2(w, "(%s - %s)", a.hi, b.lo),
                        fits, a.least - b.most, a.most - b.least};
    if (is_positive(w, v->src[!turned])) return scaled_bounds(w, v, a, b);
    return v->op == OP_MUL ? product_bounds(w, a, b) : unknown;
}

static Bounds cast_bounds(Writer *w, const Value *v) {
    Bounds a = bounds(w, v->src[0]);
    return a.lo ? within(w, a, dtype_int_min(v->type), dtype_int_max(v->type)) : unknown;
}

static Bounds bounds(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (dtype_is_float(v->type) || v->type == T_BOOL) return unknown;
    Bounds of;
    switch (v->kind) {
    case V_INDEX: return index_bounds(w, v->ix);
    case V_CONST: return same(int_text(w->arena, const_int(v)), const_int(v), const_int(v));
    case V_UNIFORM:
        return any_of_type(arena_printf(w->arena, "(idx)%s", uniform_name(w, v->attr)),
                           v->type);
    case V_LOAD: return load_bounds(w, v);
    case V_CAST: return cast_bounds(w, v);
    case V_OP:
        of = op_bounds(w, v);
        return within(w, of, dtype_int_min(v->type), dtype_int_max(v->type));
    default: return unknown;
    }
}

/* ---- conditions over a tile ----------------------------------------------------------------- */

/* When it holds at every element, and when at none; NULL: that is never known, "1": it always
 * is. */
typedef struct Truth {
    const char *always, *never;
} Truth;

static Truth equal(Writer *w, Bounds a, Bounds b) {
    return (Truth){
        all_of(w, format2(w, "%s == %s", a.lo, b.hi), format2(w, "%s == %s", a.hi, b.lo)),
        any_of(w, format2(w, "%s < %s", a.hi, b.lo), format2(w, "%s > %s", a.lo, b.hi))};
}

static Truth order(Writer *w, Op op, Bounds a, Bounds b) {
    Truth t;
    switch (op) {
    case OP_LT:
        return (Truth){format2(w, "%s < %s", a.hi, b.lo), format2(w, "%s >= %s", a.lo, b.hi)};
    case OP_LE:
        return (Truth){format2(w, "%s <= %s", a.hi, b.lo), format2(w, "%s > %s", a.lo, b.hi)};
    case OP_EQ: return equal(w, a, b);
    default: t = equal(w, a, b); return (Truth){t.never, t.always};
    }
}

static Truth compare(Writer *w, const Value *v) {
    Bounds a = bounds(w, v->src[0]), b = bounds(w, v->src[1]);
    if (!a.lo || !b.lo || !a.hi || !b.hi) return (Truth){NULL, NULL};
    const char *fits = all_of(w, a.fits, b.fits);
    Truth t = order(w, v->op, a, b);
    return (Truth){all_of(w, fits, t.always), all_of(w, fits, t.never)};
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

static bool keeps_infinity(const Value *cast) {
    return dtype_is_float(cast->type) && cast->type != T_F8E4M3;
}

/* When all scores are -Inf. */
static const char *masked(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (value_is_minus_inf(v)) return "1";
    if (v->kind == V_CAST) return keeps_infinity(v) ? masked(w, v->src[0]) : NULL;
    if (v->kind != V_OP || v->op != OP_WHERE) return NULL;
    Truth t = truth(w, v->src[0]);
    return any_of(w, all_of(w, t.always, masked(w, v->src[1])),
                  all_of(w, t.never, masked(w, v->src[2])));
}

/* When no mask changes a score; "1" when there is none. */
static const char *clear(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind == V_CAST) return clear(w, v->src[0]);
    int side = value_mask_side(w->b, value);
    if (!side) return "1";
    Truth t = truth(w, v->src[0]);
    return all_of(w, side == 1 ? t.always : t.never, clear(w, v->src[side]));
}

/* What is left of a number of steps through masks and their conditions: values that several read
 * are bounded for each of them, and long conditions cost more than the tiles that they save. */
static int steps_left(const Writer *w, int value, int left) {
    const Value *v = &w->b->values.at[value];
    bool score = v->kind == V_OP && dtype_is_float(v->type) && v->op != OP_WHERE;
    int count = v->kind == V_CAST ? 1 : v->kind == V_OP && !score ? op_sources(v->op) : 0;
    left--;
    for (int i = 0; i < count && left > 0; i++) left = steps_left(w, v->src[i], left);
    return left;
}

TileMask tile_mask(Writer *w, int x) {
    enum { MOST_STEPS = 200 };
    const TileMask none = {NULL, NULL};
    if (steps_left(w, x, MOST_STEPS) <= 0) return none;
    const char *when_masked = masked(w, x), *when_clear = clear(w, x);
    if (!when_masked || !when_clear) return none;
    return (TileMask){text_inside(w->arena, when_masked), text_inside(w->arena, when_clear)};
}
