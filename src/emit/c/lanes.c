/* lanes.c: how positions change from lane to lane.
 * In: an index, the lane axis of the writer. Out: uniform, contiguous or neither; the text of the
 * position of one lane. */
#include "emit/c/c.h"

#include <string.h>

const char *c_lanes(Writer *w) {
    w->used.lanes = w->used.lanes || strcmp(w->lanes, "VL");
    return w->lanes;
}

/* Is w inside the loop over the lane axis? */
bool c_is_in_lanes(const Writer *w) {
    return w->s->lane >= 0 && (w->level == 2 || (w->level == 1 && w->s->lane_is_row));
}

enum { LONGEST = 16 }; /* vector */

static bool is_multiple(const Dims *d, Dim n, int of) {
    int64_t value;
    return dim_is_const(d, n, &value) && value % of == 0;
}

/* Is an index, apart from the lane axis itself, at multiples of so many lanes? */
static bool is_start_of(const Writer *w, Ix ix, int lane, int lanes) {
    const IxNode *n = &w->b->indices->node.at[ix];
    const Dims *d = w->b->indices->dims;
    if (!is_multiple(d, n->offset, lanes)) return false;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &w->b->indices->atom.at[n->term[i].atom];
        const bool is_lane = atom->kind == ATOM_AXIS && atom->a == lane;
        if (is_lane ? !dim_is(d, n->term[i].scale, 1) : !is_multiple(d, n->term[i].scale, lanes))
            return false;
        if (!is_lane && atom->axes >> lane & 1) return false;
    }
    return true;
}

static bool is_start_of_lanes(const Writer *w, Ix ix, int lane) {
    return is_start_of(w, ix, lane, LONGEST);
}

bool c_is_vector(const Writer *w, Ix ix) {
    return c_is_in_lanes(w) && is_start_of_lanes(w, ix, w->s->lane);
}

/* Is such a part of an index the same for so many lanes, from a multiple of them on: a quotient, or
 * computed from what is the same? */
static bool is_same_atom(const Writer *w, const IxAtom *atom, int lanes) {
    if (atom->kind != ATOM_DIV && atom->kind != ATOM_MOD) return false;
    if (c_is_of_group(w, atom->a, lanes)) return true;
    return atom->kind == ATOM_DIV && is_multiple(w->b->indices->dims, atom->q, lanes) &&
           is_start_of(w, atom->a, w->s->lane, lanes);
}

bool c_is_of_group(const Writer *w, Ix ix, int lanes) {
    const IxNode *n = &w->b->indices->node.at[ix];
    if (!w->is_aligned || n->dynamic) return false;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &w->b->indices->atom.at[n->term[i].atom];
        if (atom->axes >> w->s->lane & 1 && !is_same_atom(w, atom, lanes)) return false;
    }
    return true;
}

int64_t c_group_of(const Writer *w, Ix ix) {
    const IxNode *n = &w->b->indices->node.at[ix];
    int64_t least = 0;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &w->b->indices->atom.at[n->term[i].atom];
        if (atom->kind == ATOM_AXIS || !(atom->axes >> w->s->lane & 1)) continue;
        int64_t group = c_group_of(w, atom->a); /* of what is computed from a quotient: of that */
        if (!group && atom->kind == ATOM_DIV) dim_is_const(w->b->indices->dims, atom->q, &group);
        if (group && (!least || group < least)) least = group;
    }
    return least;
}

/* Is such a part of an index contiguous in aligned vectors: the position, or it in blocks of whole
 * vectors? */
static bool is_contiguous_atom(const Writer *w, const IxAtom *atom) {
    if (atom->kind == ATOM_AXIS) return true;
    return atom->kind == ATOM_MOD && is_multiple(w->b->indices->dims, atom->q, LONGEST) &&
           is_start_of_lanes(w, atom->a, w->s->lane);
}

/* Do aligned vectors lie in blocks, contiguous in each, as at position / block * step + position %
 * block? */
static bool is_in_blocks(const Writer *w, Ix ix) {
    const IxNode *n = &w->b->indices->node.at[ix];
    const Dims *d = w->b->indices->dims;
    int parts = 0;
    if (!w->is_aligned || n->dynamic) return false;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &w->b->indices->atom.at[n->term[i].atom];
        if (!(atom->axes >> w->s->lane & 1) || is_same_atom(w, atom, LONGEST)) continue;
        if (!is_contiguous_atom(w, atom) || !dim_is(d, n->term[i].scale, 1)) return false;
        parts++;
    }
    return parts == 1;
}

/* The only part of ix that depends on the lane, if that is a division or remainder, by a number, of
 * a position in aligned vectors; `scale`: its factor. */
static const IxAtom *only_part(const Writer *w, Ix ix, int lane, int64_t *by, int64_t *scale) {
    const IxNode *n = &w->b->indices->node.at[ix];
    const Dims *d = w->b->indices->dims;
    const IxAtom *only = NULL;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &w->b->indices->atom.at[n->term[i].atom];
        if (!(atom->axes >> lane & 1)) continue;
        const bool is_part = atom->kind == ATOM_DIV || atom->kind == ATOM_MOD;
        if (n->dynamic || only || !is_part || !is_start_of_lanes(w, atom->a, lane)) return NULL;
        if (!dim_is_const(d, atom->q, by) || !dim_is_const(d, n->term[i].scale, scale)) return NULL;
        only = atom;
    }
    return only;
}

CGroups c_groups(const Writer *w, Ix ix, int lane) {
    CGroups groups = {0};
    const IxAtom *part = only_part(w, ix, lane, &groups.lanes, &groups.step);
    const bool is_power = groups.lanes > 1 && !(groups.lanes & (groups.lanes - 1));
    if (!part || part->kind != ATOM_DIV || !is_power || groups.lanes >= LONGEST ||
        groups.step < 1 || groups.step > groups.lanes)
        return (CGroups){0};
    return groups;
}

bool c_is_twice(const Writer *w, Ix ix, int lane) {
    const CGroups groups = c_groups(w, ix, lane);
    return groups.lanes == 2 && groups.step == 1;
}

int c_period(const Writer *w, Ix ix) {
    enum { SHORTEST = 4 }; /* vector */
    const IxNode *n = &w->b->indices->node.at[ix];
    int64_t by = 0, scale = 0;
    if (!w->is_aligned || !c_is_in_lanes(w) || n->count != 1) return 0;
    const IxAtom *part = only_part(w, ix, w->s->lane, &by, &scale);
    if (!part || part->kind != ATOM_MOD || scale != 1) return 0;
    if (!dim_is(w->b->indices->dims, n->offset, 0)) return 0;
    return by == 2 || by == SHORTEST ? (int)by : 0;
}

/* How an address changes with the lane: 0 uniform, 1 contiguous, 2 in another way. */
int c_lane_step(const Writer *w, Ix ix) {
    Dim scale = 0;
    if (!c_is_in_lanes(w) || c_is_of_group(w, ix, LONGEST)) return 0;
    if (is_in_blocks(w, ix)) return 1;
    int how = index_along(w->b, ix, w->s->lane, &scale);
    return how == 1 && !dim_is(w->b->indices->dims, scale, 1) ? 2 : how;
}

const char *c_lane_stride(const Writer *w, Ix ix) {
    Dim scale = 0;
    if (index_along(w->b, ix, w->s->lane, &scale) != 1 || !scale) return NULL;
    return size_text(w, scale);
}

/* ---- all lanes at once ---------------------------------------------------------------------- */

/* A literal that lanes of 32 bits are computed with. */
static bool is_of_32bit(const Dims *d, Dim n) {
    int64_t number;
    return dim_is_const(d, n, &number) && number >= INT32_MIN && number <= INT32_MAX;
}

/* Can the index be computed in 32-bit lanes, by divisors and steps that are such numbers? The step
 * along an axis of size 1 may be any. */
static bool is_of_lanes(const Writer *w, Ix ix) {
    const Indices *x = w->b->indices;
    const IxNode *n = &x->node.at[ix];
    if (!is_of_32bit(x->dims, n->offset)) return false;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &x->atom.at[n->term[i].atom];
        if (!is_of_32bit(x->dims, n->term[i].scale)) return false;
        if (atom->kind == ATOM_AXIS) continue;
        if (atom->kind == ATOM_VALUE) {
            const Value *v = &w->b->values.at[atom->a];
            if (v->kind != V_CLAMP || v->type != T_I32) return false;
        } else if (!is_of_32bit(x->dims, atom->q) || !is_of_lanes(w, atom->a)) {
            return false;
        }
    }
    return true;
}

const char *c_lane_indices(Writer *w, Ix ix) {
    const char *axis_name[2 * RANK_MAX], **index_name = w->index_name;
    if (!w->b->indices->node.at[ix].dynamic || !ix_is_32bit(w->b->indices, ix) ||
        !is_of_lanes(w, ix))
        return NULL;
    memcpy(axis_name, w->axis_name, sizeof axis_name);
    for (int i = 0; i < 2 * RANK_MAX; i++)
        if (strcmp(axis_name[i], "0"))
            w->axis_name[i] = arena_printf(
                w->arena, i == w->s->lane ? "lanes_i32((int32_t)%s)" : "(int32_t)%s", axis_name[i]);
    w->index_name = w->name;
    const char *text = index_text(w, ix);
    memcpy(w->axis_name, axis_name, sizeof axis_name);
    w->index_name = index_name;
    if (!strpbrk(text, " ")) return text;
    const char *name = fresh(w, "of");
    write_line(w, "const i32 %s = %s;", name, text);
    return name;
}

/* ---- one lane ------------------------------------------------------------------------------- */

const char *c_position(const Writer *w, int value, const char *lane) {
    const Value *v = &w->b->values.at[value];
    const bool is_narrow = v->kind == V_CLAMP && v->type == T_I32; /* products of it are not */
    return arena_printf(w->arena, is_narrow ? "(idx)%s[%s]" : "%s[%s]", w->name[value], lane);
}

CLane c_enter_lane(Writer *w) {
    CLane saved = {w->axis_name[w->s->lane], w->index_name};
    w->axis_name[w->s->lane] = arena_printf(w->arena, "(%s + l)", saved.axis);
    w->index_name = arena_array(w->arena, const char *, w->b->values.count + 1);
    for (int i = 1; i < w->b->values.count; i++)
        if (saved.index[i]) w->index_name[i] = c_position(w, i, "l");
    return saved;
}

void c_leave_lane(Writer *w, CLane saved) {
    w->axis_name[w->s->lane] = saved.axis;
    w->index_name = saved.index;
}

const char *c_lane_address(Writer *w, int buffer, Ix ix) {
    CLane saved = c_enter_lane(w);
    const char *text = address_text(w, buffer, ix);
    c_leave_lane(w, saved);
    return text;
}
