/* neighbours.c: how positions change within a pack of v elements, which starts at a multiple of v
 * along the lane axis: numbers of fewer bits share bytes, and the elements of a group its scale.
 * In: a Body, an index or a load. Out: facts. */
#include "kernel/tile/tile.h"

enum { ACCESS_BYTES = 16 }; /* the widest access */

static const IxAtom *atom_of(const Body *b, const IxTerm *term) {
    return &b->indices->atom.at[term->atom];
}

static bool runs_along(const Body *b, const IxAtom *t, int lane) {
    const uint32_t axes = t->kind == ATOM_VALUE ? b->values.at[t->a].axes : t->axes;
    return axes >> lane & 1;
}

static bool is_multiple(const Body *b, Dim d, int64_t of) {
    return !d || dim_divides(b->indices->dims, dim_const(b->indices->dims, of), d);
}

/* Is an index the lane axis, from a multiple of `of` on? */
static bool is_from_multiple(const Body *b, int lane, Ix ix, int64_t of) {
    const IxNode *n = &b->indices->node.at[ix];
    bool is_lane = false;
    if (!is_multiple(b, n->offset, of)) return false;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = atom_of(b, &n->term[i]);
        if (!runs_along(b, t, lane)) {
            if (!is_multiple(b, n->term[i].scale, of)) return false;
            continue;
        }
        if (t->kind != ATOM_AXIS || !dim_is(b->indices->dims, n->term[i].scale, 1)) return false;
        is_lane = true;
    }
    return is_lane;
}

/* The number by which an atom divides such an index, or of which it is the remainder; else 0. */
static int64_t divisor_of(const Body *b, int lane, const IxAtom *t, AtomKind kind) {
    int64_t by;
    const bool is_known = t->kind == kind && dim_is_const(b->indices->dims, t->q, &by) && by > 1;
    return is_known && is_from_multiple(b, lane, t->a, by) ? by : 0;
}

static bool is_uniform(const Body *b, int lane, Ix ix, int v);

/* As the axes before the last one of rows that are cut into blocks: (k / 16) % 16. */
static bool is_uniform_atom(const Body *b, int lane, const IxAtom *t, int v) {
    const int64_t by = divisor_of(b, lane, t, ATOM_DIV);
    if (!runs_along(b, t, lane) || (by && by % v == 0)) return true;
    return t->kind != ATOM_AXIS && t->kind != ATOM_VALUE && is_uniform(b, lane, t->a, v);
}

static bool is_uniform(const Body *b, int lane, Ix ix, int v) {
    const IxNode *n = &b->indices->node.at[ix];
    for (int i = 0; i < n->count; i++)
        if (!is_uniform_atom(b, lane, atom_of(b, &n->term[i]), v)) return false;
    return true;
}

/* Neighbours that share the value of an atom which is not the same for all; 0: it changes in
 * another way. */
static int64_t atom_sharers(const Body *b, int lane, const IxAtom *t, int v) {
    const int64_t quotient = divisor_of(b, lane, t, ATOM_DIV);
    const int64_t remainder = divisor_of(b, lane, t, ATOM_MOD);
    if (t->kind == ATOM_AXIS || (remainder && remainder % v == 0)) return 1;
    return quotient && v % quotient == 0 ? quotient : 0;
}

int tile_sharers(const Body *b, int lane, Ix ix, int v) {
    const IxNode *n = &b->indices->node.at[ix];
    int64_t sharers = v;
    if (is_uniform(b, lane, ix, v)) return v;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = atom_of(b, &n->term[i]);
        if (is_uniform_atom(b, lane, t, v)) continue;
        if (sharers != v || !dim_is(b->indices->dims, n->term[i].scale, 1)) return 0;
        sharers = atom_sharers(b, lane, t, v);
        if (!sharers) return 0;
    }
    return (int)sharers;
}

int tile_lane_divisor(const Body *b, int lane, int atom, int v) {
    const IxAtom *t = &b->indices->atom.at[atom];
    int64_t by;
    if (t->kind == ATOM_AXIS) return t->a == lane;
    if (t->kind != ATOM_DIV || !dim_is_const(b->indices->dims, t->q, &by) || by < 2 || v % by)
        return 0;
    return is_from_multiple(b, lane, t->a, v) ? (int)by : 0;
}

int tile_remainder(const Body *b, int lane, Ix ix) {
    const IxNode *n = &b->indices->node.at[ix];
    const bool is_atom = n->count == 1 && dim_is(b->indices->dims, n->term->scale, 1) &&
                         dim_is(b->indices->dims, n->offset, 0);
    const int64_t by = is_atom ? divisor_of(b, lane, atom_of(b, n->term), ATOM_MOD) : 0;
    return by <= INT32_MAX ? (int)by : 0;
}

bool tile_is_uniform(const Body *b, int lane, const Value *v, int elements) {
    if (is_uniform(b, lane, v->ix, elements)) return true;
    const int by = tile_remainder(b, lane, v->ix);
    return v->kind == V_INSIDE && by && by % elements == 0 && is_multiple(b, v->attr, elements) &&
           is_multiple(b, v->attr2, elements);
}

/* May the other strides be multiples of v? */
static bool may_align(const Body *b, int lane, Ix ix, int v) {
    const IxNode *n = &b->indices->node.at[ix];
    int64_t known;
    for (int i = 0; i <= n->count; i++) {
        const Dim d = i < n->count ? n->term[i].scale : n->offset;
        if (i < n->count && runs_along(b, atom_of(b, &n->term[i]), lane) &&
            dim_is(b->indices->dims, d, 1))
            continue;
        if (dim_is_const(b->indices->dims, d, &known) && known % v) return false;
    }
    return true;
}

bool tile_is_run(const Body *b, int lane, Ix ix, int v) {
    return lane >= 0 && tile_sharers(b, lane, ix, v) == 1 && may_align(b, lane, ix, v);
}

int tile_pack_sharers(const Kernel *k, const Schedule *s, const Value *v, int elements) {
    const Body *b = s->body;
    const int sharers = s->lane < 0 ? 0 : tile_sharers(b, s->lane, v->ix, elements);
    if (!sharers) return 0;
    const int count = elements / sharers;
    const bool is_access =
        (size_t)count * dtype_size(v->type) <= ACCESS_BYTES && may_align(b, s->lane, v->ix, count);
    if (!is_access) return 0;
    return tile_may_guard(s, v->guard, elements) || load_is_within(k, b, v) ? sharers : 0;
}
