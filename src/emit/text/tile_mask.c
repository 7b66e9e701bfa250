/* tile_mask.c: the effect of a mask on a tile of scores, by interval analysis: conditions on
 * indices are bounded over the tile, so that fully masked tiles are skipped and tiles without
 * masked scores have no mask. It works for any comparisons of integers that are monotonic along the
 * tile's axes: causal, windowed, padded masks.
 * In: the argument of a softmax. Out: conditions over m_start, m_last, n_start and n_last, the
 * first and last query and key of a tile, valid in C and CUDA. They hold for any number of adjacent
 * tiles. */
#include "emit/text/writer.h"

#include <string.h>

enum { TILE_AXES = 1 << ATTENTION_QUERY | 1 << ATTENTION_KEY };

/* ---- text, and what it reads ---------------------------------------------------------------- */

/* Remainders have two bits each of `reads`, after those of TileReads: see remainder_bit. */
enum { REMAINDERS_FROM = 8, REMAINDERS_MOST = (64 - REMAINDERS_FROM) / 2 };

static const MaskText nothing = {0};

static MaskText plain(const char *text) { return (MaskText){text, 0}; }

static bool is_text(MaskText a, const char *text) { return a.text && !strcmp(a.text, text); }

static MaskText format2(Writer *w, const char *format, MaskText a, MaskText b) {
    if (!a.text || !b.text) return nothing;
    return (MaskText){arena_printf(w->arena, format, a.text, b.text), a.reads | b.reads};
}

static MaskText all_of(Writer *w, MaskText a, MaskText b) {
    if (!a.text || !b.text) return nothing;
    if (is_text(a, "1")) return b;
    return is_text(b, "1") ? a : format2(w, "(%s && %s)", a, b);
}

static MaskText any_of(Writer *w, MaskText a, MaskText b) {
    if (!a.text || !b.text) return a.text ? a : b;
    if (is_text(a, "1") || is_text(b, "1")) return plain("1");
    return format2(w, "(%s || %s)", a, b);
}

/* ---- integers over a tile ------------------------------------------------------------------- */

/* Inclusive bounds, in idx, which does not wrap; NULL: not known. They hold if the model's integers
 * do not wrap either. */
typedef struct Bounds {
    MaskText lo, hi;
    MaskText fits;       /* when nothing wraps; "1": never does any */
    int64_t least, most; /* of whatever tile and sizes */
} Bounds;

/* MOST_INDEX: far more than the keys of any scores. A function of two operands, or of one and a
 * factor, fits in 64 bits. */
#define MOST_INDEX   ((int64_t)1 << 28)
#define MOST_OPERAND ((int64_t)1 << 40)
#define MOST_FACTOR  ((int64_t)1 << 20)

static const Bounds unknown = {0};

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

static bool is_minimum(int way, int side) { return way * side <= 0; }

/* The index at the corner of the tile where it is least, or largest. */
static MaskText corner(Writer *w, Ix ix, int query, int key, int side) {
    const char *at_query = w->axis_name[ATTENTION_QUERY], *at_key = w->axis_name[ATTENTION_KEY];
    const bool first_query = is_minimum(query, side), first_key = is_minimum(key, side);
    w->axis_name[ATTENTION_QUERY] = first_query ? "m_start" : "m_last";
    w->axis_name[ATTENTION_KEY] = first_key ? "n_start" : "n_last";
    const uint32_t before = axes_taken(w);
    const char *text = text_inside(w->arena, index_text(w, ix));
    const uint32_t axes = axes_taken(w);
    w->used.axes = before;
    w->axis_name[ATTENTION_QUERY] = at_query;
    w->axis_name[ATTENTION_KEY] = at_key;
    MaskText at = {strpbrk(text, " ") ? arena_printf(w->arena, "(%s)", text) : text, 0};
    if (axes >> ATTENTION_QUERY & 1) at.reads |= first_query ? READS_M_START : READS_M_LAST;
    if (axes >> ATTENTION_KEY & 1) at.reads |= first_key ? READS_N_START : READS_N_LAST;
    return at;
}

/* x % q, such as the query of one head among several: of a tile within one period, else all of
 * it. */
static MaskText remainder_text(Writer *w, const IxAtom *t, int side) {
    Dims *d = w->b->indices->dims;
    int query = way_along(w, t->a, ATTENTION_QUERY), key = way_along(w, t->a, ATTENTION_KEY);
    const MaskText lo = corner(w, t->a, query, key, -1), hi = corner(w, t->a, query, key, 1);
    const char *q = size_text(w, t->q), *outside = "0";
    if (side > 0) outside = size_text(w, dim_sub(d, t->q, dim_const(d, 1)));
    const char *text = arena_printf(w->arena, "(%s / (%s) == %s / (%s) ? %s %% (%s) : %s)", lo.text,
                                    q, hi.text, q, side > 0 ? hi.text : lo.text, q, outside);
    return (MaskText){text, lo.reads | hi.reads};
}

/* A remainder of queries alone divides, so it is computed before the loop over keys. */
static const char *remainder_name(Writer *w, int atom, int side) {
    return arena_printf(w->arena, "%s_%d", side > 0 ? "row_most" : "row_least", atom);
}

/* What says that text reads it; 0: there are too many. */
static uint64_t remainder_bit(const Writer *w, int atom, int side) {
    int number = 0;
    for (int i = 0; i < atom; i++) number += w->b->indices->atom.at[i].kind == ATOM_MOD;
    if (number >= REMAINDERS_MOST) return 0;
    return (uint64_t)1 << (REMAINDERS_FROM + 2 * number + (side > 0));
}

static MaskText named_remainder(Writer *w, int atom, int side) {
    return (MaskText){arena_printf(w->arena, "(idx)%s", remainder_name(w, atom, side)),
                      remainder_bit(w, atom, side)};
}

static Bounds remainder_bounds(Writer *w, int atom) {
    const IxAtom *t = &w->b->indices->atom.at[atom];
    int query = way_along(w, t->a, ATTENTION_QUERY), key = way_along(w, t->a, ATTENTION_KEY);
    if (query == MOVES || key == MOVES) return unknown;
    if (key != STAYS)
        return (Bounds){remainder_text(w, t, -1), remainder_text(w, t, 1), plain("1"), -MOST_INDEX,
                        MOST_INDEX};
    if (!remainder_bit(w, atom, 1)) return unknown;
    return (Bounds){named_remainder(w, atom, -1), named_remainder(w, atom, 1), plain("1"),
                    -MOST_INDEX, MOST_INDEX};
}

/* In few registers. */
MaskText tile_mask_rows(Writer *w, uint64_t reads) {
    Text lines = text_new(w->arena);
    uint64_t rows_read = 0;
    for (int atom = 0; atom < w->b->indices->atom.count; atom++)
        for (int side = -1; side <= 1; side += 2) {
            const IxAtom *t = &w->b->indices->atom.at[atom];
            if (t->kind != ATOM_MOD || !(reads & remainder_bit(w, atom, side))) continue;
            const MaskText text = remainder_text(w, t, side);
            text_printf(&lines, "const int %s = (int)%s;\n", remainder_name(w, atom, side),
                        text.text);
            rows_read |= text.reads;
        }
    return (MaskText){text_get(&lines), rows_read};
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
    Bounds of = {corner(w, ix, query, key, -1), corner(w, ix, query, key, 1), plain("1"),
                 -MOST_INDEX, MOST_INDEX};
    int64_t least, most;
    if (n->lo && dim_is_const(d, n->lo, &least) && n->hi && dim_is_const(d, n->hi, &most))
        of.least = least, of.most = most;
    return of;
}

static Bounds same(MaskText text, int64_t least, int64_t most) {
    return (Bounds){text, text, plain("1"), least, most};
}

static Bounds any_of_type(MaskText text, Dtype type) {
    return same(text, dtype_int_min(type), dtype_int_max(type));
}

/* A value that is uniform over the tile, such as the length of a batch's sequence. */
static Bounds load_bounds(Writer *w, const Value *v) {
    const IxNode *n = &w->b->indices->node.at[v->ix];
    if (v->guard || n->dynamic || index_axes(w->b, v->ix) & TILE_AXES) return unknown;
    const char *name = buffer_name(w, v->attr), *at = index_text(w, v->ix);
    const char *text = arena_printf(w->arena, "(idx)%s[%s]", name, at);
    return any_of_type((MaskText){text, READS_DATA}, v->type);
}

static Bounds bounds(Writer *w, int value);

static bool is_positive(const Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    return v->kind == V_CONST && const_int(v) > 0;
}

/* Outside of this range, nothing is known. */
static Bounds within(Writer *w, Bounds a, int64_t least, int64_t most) {
    if (!a.lo.text || !a.hi.text || (a.least >= least && a.most <= most)) return a;
    if (a.least > most || a.most < least) return unknown;
    const MaskText low = format2(w, "%s >= %s", a.lo, plain(int_text(w->arena, least)));
    const MaskText high = format2(w, "%s <= %s", a.hi, plain(int_text(w->arena, most)));
    a.fits = all_of(w, a.fits, format2(w, "(%s && %s)", low, high));
    a.least = a.least < least ? least : a.least;
    a.most = a.most > most ? most : a.most;
    return a;
}

static Bounds operand_bounds(Writer *w, int value) {
    return within(w, bounds(w, value), -MOST_OPERAND, MOST_OPERAND);
}

static Bounds scaled_bounds(Writer *w, const Value *v, Bounds a, Bounds b) {
    int64_t by = b.least;
    if (v->op == OP_DIV) /* truncates, and is monotonic */
        return (Bounds){format2(w, "%s / %s", a.lo, b.lo), format2(w, "%s / %s", a.hi, b.lo),
                        a.fits, a.least / by, a.most / by};
    if (by > MOST_FACTOR) return unknown;
    return (Bounds){format2(w, "%s * %s", a.lo, b.lo), format2(w, "%s * %s", a.hi, b.lo), a.fits,
                    a.least * by, a.most * by};
}

static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }

/* Of two values that are uniform over the tile, and 32 bits wide. */
static Bounds product_bounds(Writer *w, Bounds a, Bounds b) {
    if (!is_text(a.lo, a.hi.text) || !is_text(b.lo, b.hi.text)) return unknown;
    a = within(w, a, dtype_int_min(T_I32), dtype_int_max(T_I32));
    b = within(w, b, dtype_int_min(T_I32), dtype_int_max(T_I32));
    int64_t low = min64(a.least * b.most, a.most * b.least);
    int64_t high = max64(a.least * b.least, a.most * b.most);
    const MaskText text = format2(w, "%s * %s", a.lo, b.lo);
    return (Bounds){text, text, all_of(w, a.fits, b.fits), min64(low, a.least * b.least), high};
}

static Bounds op_bounds(Writer *w, const Value *v) {
    if (v->op == OP_NEG) {
        Bounds a = operand_bounds(w, v->src[0]);
        return (Bounds){format2(w, "(%s%s)", plain("-"), a.hi),
                        format2(w, "(%s%s)", plain("-"), a.lo), a.fits, -a.most, -a.least};
    }
    if (v->op != OP_ADD && v->op != OP_SUB && v->op != OP_MUL && v->op != OP_DIV) return unknown;
    bool turned = v->op == OP_MUL && is_positive(w, v->src[0]);
    Bounds a = operand_bounds(w, v->src[turned]), b = operand_bounds(w, v->src[!turned]);
    if (!a.lo.text || !a.hi.text || !b.lo.text || !b.hi.text) return unknown;
    const MaskText fits = all_of(w, a.fits, b.fits);
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
    return a.lo.text ? within(w, a, dtype_int_min(v->type), dtype_int_max(v->type)) : unknown;
}

static Bounds bounds(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (dtype_is_float(v->type) || v->type == T_BOOL) return unknown;
    Bounds of;
    switch (v->kind) {
    case V_INDEX: return index_bounds(w, v->ix);
    case V_CONST: return same(plain(int_text(w->arena, const_int(v))), const_int(v), const_int(v));
    case V_UNIFORM:
        return any_of_type(plain(arena_printf(w->arena, "(idx)%s", uniform_name(w, v->attr))),
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

/* Conditions: true at every element; false at every element. NULL: not known, "1": always. */
typedef struct Truth {
    MaskText always, never;
} Truth;

static const Truth neither = {0};

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
    if (!a.lo.text || !b.lo.text || !a.hi.text || !b.hi.text) return neither;
    const MaskText fits = all_of(w, a.fits, b.fits);
    Truth t = order(w, v->op, a, b);
    return (Truth){all_of(w, fits, t.always), all_of(w, fits, t.never)};
}

static Truth truth(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind == V_CONST)
        return v->bits ? (Truth){plain("1"), nothing} : (Truth){nothing, plain("1")};
    if (v->kind != V_OP) return neither;
    Truth a = neither, b = neither;
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
    default: return neither;
    }
}

/* ---- scores over a tile --------------------------------------------------------------------- */

static bool keeps_infinity(const Value *cast) {
    return dtype_is_float(cast->type) && cast->type != T_F8E4M3;
}

/* A positive number. */
static bool is_factor(const Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    return v->kind == V_CONST && dtype_is_float(v->type) && const_float(v) > 0;
}

/* When all of these are -Inf: scores; with `sums` also what finite numbers are added to. */
static MaskText masked(Writer *w, int value, bool sums) {
    const Value *v = &w->b->values.at[value];
    if (value_is_minus_inf(v)) return plain("1");
    if (v->kind == V_CAST) return keeps_infinity(v) ? masked(w, v->src[0], sums) : nothing;
    if (v->kind != V_OP) return nothing;
    const bool by_right = sums && (v->op == OP_ADD || (v->op == OP_MUL && is_factor(w, v->src[0])));
    const bool by_left = sums && (v->op == OP_ADD || v->op == OP_SUB ||
                                  (v->op == OP_MUL && is_factor(w, v->src[1])));
    if (by_left || by_right)
        return any_of(w, by_left ? masked(w, v->src[0], sums) : nothing,
                      by_right ? masked(w, v->src[1], sums) : nothing);
    if (v->op != OP_WHERE) return nothing;
    Truth t = truth(w, v->src[0]);
    return any_of(w, all_of(w, t.always, masked(w, v->src[1], sums)),
                  all_of(w, t.never, masked(w, v->src[2], sums)));
}

/* When all weights of a chain are 0, if what they are multiplied with is finite. */
static MaskText zero(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind == V_CONST && dtype_is_float(v->type))
        return const_float(v) == 0 ? plain("1") : nothing;
    if (v->kind == V_CAST) return zero(w, v->src[0]);
    if (v->kind != V_OP) return nothing;
    switch (v->op) {
    case OP_MUL: return any_of(w, zero(w, v->src[0]), zero(w, v->src[1]));
    case OP_ADD:
    case OP_SUB: return all_of(w, zero(w, v->src[0]), zero(w, v->src[1]));
    case OP_NEG:
    case OP_DIV: return zero(w, v->src[0]);
    case OP_EXP:
    case OP_EXP2: return masked(w, v->src[0], true);
    default: break;
    }
    if (v->op != OP_WHERE) return nothing;
    Truth t = truth(w, v->src[0]);
    const MaskText yes = zero(w, v->src[1]), no = zero(w, v->src[2]);
    const MaskText by_yes = all_of(w, t.always, yes), by_no = all_of(w, t.never, no);
    if (yes.text && is_text(by_no, yes.text)) return yes; /* (always && yes) || yes */
    if (no.text && is_text(by_yes, no.text)) return no;
    return any_of(w, by_yes, by_no);
}

/* The condition that no mask changes a score; "1": there is none. */
static MaskText clear(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind == V_CAST) return clear(w, v->src[0]);
    int side = value_mask_side(w->b, value);
    if (!side) return plain("1");
    Truth t = truth(w, v->src[0]);
    return all_of(w, side == 1 ? t.always : t.never, clear(w, v->src[side]));
}

/* The steps that remain of `left` after walking through masks and their conditions: values with
 * several readers are bounded for each of them, and long conditions cost more than the tiles they
 * save. */
static int steps_left(const Writer *w, int value, bool sums, int left) {
    const Value *v = &w->b->values.at[value];
    bool score = v->kind == V_OP && dtype_is_float(v->type) && v->op != OP_WHERE && !sums;
    int count = v->kind == V_CAST || (v->kind == V_OP && !score) ? value_sources(v) : 0;
    left--;
    for (int i = 0; i < count && left > 0; i++) left = steps_left(w, v->src[i], sums, left);
    return left;
}

enum { MOST_STEPS = 200 };

TileMask tile_mask(Writer *w, int x) {
    const TileMask none = {nothing, nothing};
    if (steps_left(w, x, false, MOST_STEPS) <= 0) return none;
    if (x == w->b->attention.unmasked) return none; /* masks are inside of the scores, if any */
    MaskText when_masked = masked(w, x, false), when_clear = clear(w, x);
    if (!when_masked.text) return none;
    when_masked.text = text_inside(w->arena, when_masked.text);
    if (when_clear.text) when_clear.text = text_inside(w->arena, when_clear.text);
    return (TileMask){when_masked, when_clear};
}

/* Values with several readers, as P in P (dP - D), are bounded for each of them. */
TileMask tile_mask_chain(Writer *w) {
    const ChainValues *c = &w->b->chain;
    TileMask mask = {plain("1"), nothing};
    for (int i = 0; i < c->out_count; i++) {
        const int weights = w->b->accs.at[c->outs[i]].value;
        if (steps_left(w, weights, true, MOST_STEPS) <= 0) return (TileMask){nothing, nothing};
        const MaskText also = zero(w, weights);
        if (!also.text || !is_text(mask.masked, also.text))
            mask.masked = all_of(w, mask.masked, also);
    }
    int unmasked;
    const int x = mask.masked.text ? chain_mask(w->b, &unmasked) : 0;
    if (x) mask.clear = clear(w, x);
    if (mask.masked.text) mask.masked.text = text_inside(w->arena, mask.masked.text);
    if (mask.clear.text) mask.clear.text = text_inside(w->arena, mask.clear.text);
    return mask;
}
