/* phases.c: an axis in turns of several phases, in each of which the conditions on its position are
 * known and what an operand reads lies side by side, as the low and the high halves of bytes do:
 *
 *     position = t / run * (count * run) + phase * run + t % run        for t < extent / count
 *
 *     run 1: neighbours share a byte; run 16: the numbers of a block do; extent / 2: those of two
 *     halves of a row.
 *
 * In: a body. Out: the phases; the body with the values that it has in one of them, along t. */
#include "emit/c/gemv.h"

#include <string.h>

enum { PHASES_MOST = 8 };

static int64_t extent_of(const Writer *w, int axis) {
    int64_t extent;
    return dim_is_const(w->b->indices->dims, w->b->indices->extent[axis], &extent) ? extent : 0;
}

/* ---- a body in a phase ----------------------------------------------------------------------- */

static Ix position(Indices *x, int axis, CPhases p, int phase) {
    const Ix t = ix_axis(x, axis);
    const Dim run = dim_const(x->dims, p.run);
    const Ix turn = ix_scale(x, ix_div(x, t, run), dim_const(x->dims, p.count * p.run));
    const Ix first = ix_const(x, dim_const(x->dims, phase * p.run));
    return ix_add(x, turn, ix_add(x, first, ix_mod(x, t, run)));
}

/* The bounds of an index are known, and on one side of a number. */
static CTruth is_below(const Indices *x, Ix ix, int64_t number) {
    const IxNode *n = &x->node.at[ix];
    int64_t lo, hi;
    if (n->hi && dim_is_const(x->dims, n->hi, &hi) && hi < number) return C_TRUE;
    return n->lo && dim_is_const(x->dims, n->lo, &lo) && lo >= number ? C_FALSE : C_UNKNOWN;
}

static CTruth is_inside(const Indices *x, const Value *v) {
    int64_t lo = INT64_MIN, hi = INT64_MAX;
    if (v->attr && !dim_is_const(x->dims, v->attr, &lo)) return C_UNKNOWN;
    if (v->attr2 && !dim_is_const(x->dims, v->attr2, &hi)) return C_UNKNOWN;
    const CTruth below = is_below(x, v->ix, lo), before_end = is_below(x, v->ix, hi);
    if (below == C_TRUE || before_end == C_FALSE) return C_FALSE;
    return below == C_FALSE && before_end == C_TRUE ? C_TRUE : C_UNKNOWN;
}

static CTruth truth_by_bounds(const Body *b, int value, const void *context) {
    const Value *v = &b->values.at[value];
    int64_t number;
    bool is_left;
    (void)context;
    if (v->kind == V_INSIDE) return is_inside(b->indices, v);
    const Value *index = c_compared_index(b, value, &number, &is_left);
    if (!index) return C_UNKNOWN;
    const CTruth below = is_below(b->indices, index->ix, number);
    return is_left || below == C_UNKNOWN ? below : below == C_TRUE ? C_FALSE : C_TRUE;
}

Body c_body_of_phase(const Writer *w, int axis, CPhases p, int phase, int *root) {
    const Indices *from = w->b->indices;
    Indices *x = indices_new(w->arena, from->dims);
    Ix by_axis[2 * RANK_MAX];
    memcpy(x->extent, from->extent, sizeof x->extent);
    x->extent[axis] = dim_const(x->dims, extent_of(w, axis) / p.count);
    for (int i = 0; i < 2 * RANK_MAX; i++) by_axis[i] = -1;
    by_axis[axis] = position(x, axis, p, phase);
    Body moved = *w->b;
    Value *values = arena_array(w->arena, Value, moved.values.count + 1);
    memcpy(values, w->b->values.at, sizeof *values * (size_t)moved.values.count);
    for (int i = 1; i < moved.values.count; i++)
        if (values[i].ix) values[i].ix = ix_move(x, from, values[i].ix, by_axis, 2 * RANK_MAX);
    moved.values.at = values;
    moved.indices = x;
    return c_body_settled(w->arena, &moved, truth_by_bounds, NULL, root);
}

/* ---- which phases ---------------------------------------------------------------------------- */

static bool is_axis(const Indices *x, Ix ix, int axis) {
    const int atom = ix_only_atom(x, ix);
    return atom >= 0 && x->atom.at[atom].kind == ATOM_AXIS && x->atom.at[atom].a == axis;
}

/* Phases that such a part of a condition asks for: position % count, position % (count * run) /
 * run. */
static CPhases phases_of_atom(const Indices *x, const IxAtom *atom, int axis) {
    const CPhases none = {.count = 1};
    int64_t q, whole;
    if (!dim_is_const(x->dims, atom->q, &q)) return none;
    if (atom->kind == ATOM_MOD && is_axis(x, atom->a, axis))
        return (CPhases){.count = q, .run = 1};
    const int inner = atom->kind == ATOM_DIV ? ix_only_atom(x, atom->a) : -1;
    if (inner < 0) return none;
    const IxAtom *mod = &x->atom.at[inner];
    if (mod->kind != ATOM_MOD || !is_axis(x, mod->a, axis)) return none;
    if (!dim_is_const(x->dims, mod->q, &whole) || whole % q) return none;
    return (CPhases){.count = whole / q, .run = q};
}

static CPhases phases_of(const Writer *w, int value, int axis) {
    const Indices *x = w->b->indices;
    const Value *v = &w->b->values.at[value];
    const int64_t extent = extent_of(w, axis);
    CPhases p = {.count = 1};
    int64_t at;
    if (v->kind != V_INSIDE && v->kind != V_INDEX) return p;
    for (int i = 0; i < x->node.at[v->ix].count && p.count == 1; i++)
        p = phases_of_atom(x, &x->atom.at[x->node.at[v->ix].term[i].atom], axis);
    /* Of halves the condition is a bound of the position itself. */
    const Dim bound = v->kind == V_INSIDE ? v->attr ? v->attr : v->attr2 : 0;
    if (p.count == 1 && bound && is_axis(x, v->ix, axis) && dim_is_const(x->dims, bound, &at) &&
        at > 0 && extent % at == 0)
        p = (CPhases){.count = extent / at, .run = at};
    return p;
}

static bool are_whole(int64_t extent, CPhases p) {
    return p.count > 1 && p.count <= PHASES_MOST && extent % (p.count * p.run) == 0 &&
           extent / p.count % PAIRS_STEP == 0;
}

/* Are all loads below a value of vectors, or of one element for all lanes, and no condition left?
 * `shared` gets the text of an address of vectors, the first one. */
static bool is_plain(Writer *w, int value, const char **shared) {
    const Value *v = &w->b->values.at[value];
    const bool in_lanes = v->axes >> w->s->lane & 1;
    if (v->kind == V_CONST || v->kind == V_UNIFORM) return true;
    if (v->kind != V_LOAD && v->kind != V_OP && v->kind != V_CAST) return !in_lanes;
    if (v->guard) return false;
    if (v->kind == V_LOAD && c_lane_step(w, v->ix) > 1) return false;
    if (v->kind == V_LOAD && c_lane_step(w, v->ix) == 1 && !*shared)
        *shared = address_text(w, v->attr, v->ix);
    for (int i = 0; i < value_sources(v); i++)
        if (!is_plain(w, v->src[i], shared)) return false;
    return true;
}

/* Does the operand read the same vectors in all phases? */
static bool shares_loads(Writer *w, int operand, int axis, CPhases p) {
    const Body *all = w->b;
    const char *first = NULL;
    bool good = true;
    c_piece(w, PIECE_OPERAND, operand, axis);
    w->is_aligned = true;
    for (int phase = 0; phase < p.count && good; phase++) {
        int root = schedule_find(w->schedule, PIECE_OPERAND, operand)->roots[0];
        const char *shared = NULL;
        const Body within = c_body_of_phase(w, axis, p, phase, &root);
        w->b = &within;
        good = is_plain(w, root, &shared) && shared && (!first || !strcmp(first, shared));
        first = shared;
        w->b = all;
    }
    w->is_aligned = false;
    return good;
}

CPhases c_phases(Writer *w, int operand, int axis) {
    const CPhases none = {.count = 1};
    const int64_t extent = extent_of(w, axis);
    c_piece(w, PIECE_OPERAND, operand, axis);
    for (int i = 1; i < w->b->values.count; i++) {
        if (!w->s->value[i].used || !(w->b->values.at[i].axes >> axis & 1)) continue;
        const CPhases p = phases_of(w, i, axis);
        if (are_whole(extent, p)) return shares_loads(w, operand, axis, p) ? p : none;
    }
    return none;
}
