/* index.c: addresses of elements as expressions of loop axes in a normal form. Reshapes become
 * divisions and remainders, which cancel here.
 * In: index vectors and Dims. Out: Ix. */
#include "kernel/kernel.h"

#include <string.h>

typedef struct Draft { /* an IxNode under construction */
    int count;
    IxTerm term[IX_TERMS];
    Dim offset;
} Draft;

Indices *indices_new(Arena *arena, Dims *dims) {
    Indices *x = arena_new_of(arena, Indices);
    x->arena = arena;
    x->dims = dims;
    IxNode none = {0};
    vec_push(arena, &x->node, none);
    x->table_size = 64;
    x->table = arena_array(arena, int32_t, x->table_size);
    return x;
}

Indices *indices_copy(const Indices *from, Arena *arena) {
    Indices *x = arena_new_of(arena, Indices);
    x->arena = arena;
    x->dims = from->dims;
    memcpy(x->extent, from->extent, sizeof x->extent);
    for (int i = 0; i < from->node.count; i++) vec_push(arena, &x->node, from->node.at[i]);
    for (int i = 0; i < from->atom.count; i++) vec_push(arena, &x->atom, from->atom.at[i]);
    x->table_size = from->table_size;
    x->table = arena_array(arena, int32_t, x->table_size);
    memcpy(x->table, from->table, sizeof *x->table * (size_t)x->table_size);
    return x;
}

/* ---- atoms ---------------------------------------------------------------------------------- */

static int find_atom(Indices *x, AtomKind kind, int32_t a, Dim q, uint32_t axes) {
    for (int i = 0; i < x->atom.count; i++) {
        const IxAtom *t = &x->atom.at[i];
        if (t->kind == kind && t->a == a && t->q == q) return i;
    }
    IxAtom t = {kind, a, q, axes};
    vec_push(x->arena, &x->atom, t);
    return x->atom.count - 1;
}

static Dim minus_one(const Indices *x, Dim a) { return dim_sub(x->dims, a, dim_const(x->dims, 1)); }

Dim ix_atom_hi(const Indices *x, int atom) {
    const IxAtom *t = &x->atom.at[atom];
    Dims *d = x->dims;
    Dim hi;
    switch (t->kind) {
    case ATOM_AXIS: return minus_one(x, x->extent[t->a]);
    case ATOM_VALUE:
    case ATOM_MOD: return minus_one(x, t->q);
    case ATOM_DIV:
        hi = x->node.at[t->a].hi;
        if (!hi) return 0;
        hi = dim_add(d, hi, dim_const(d, 1));
        if (!dim_divides(d, t->q, hi)) return 0;
        return minus_one(x, dim_div(d, hi, t->q, (Span){0}));
    }
    return 0;
}

/* ---- interning ------------------------------------------------------------------------------- */

/* Adds the range of scale * atom to lo and hi; either becomes 0 if it is not known. */
static void add_range(Indices *x, const IxTerm *t, Dim *lo, Dim *hi) {
    int64_t least, most;
    Dim top = ix_atom_hi(x, t->atom);
    Dim reach = top ? dim_mul(x->dims, t->scale, top) : 0;
    dim_range(x->dims, t->scale, &least, &most);
    if (least >= 0) {
        if (*hi) *hi = reach ? dim_add(x->dims, *hi, reach) : 0;
    } else if (most <= 0) {
        if (*lo) *lo = reach ? dim_add(x->dims, *lo, reach) : 0;
    } else {
        *lo = *hi = 0;
    }
}

static bool same(const IxNode *n, const Draft *d) {
    return n->count == d->count && n->offset == d->offset &&
           (!d->count || !memcmp(n->term, d->term, sizeof *d->term * (size_t)d->count));
}

static uint64_t hash_draft(const Draft *d) {
    return hash_bytes(d->term, sizeof *d->term * (size_t)d->count, (uint64_t)d->offset);
}

static void grow_table(Indices *x) {
    int old = x->table_size;
    const int32_t *from = x->table;
    x->table_size *= 2;
    x->table = arena_array(x->arena, int32_t, x->table_size);
    for (int i = 0; i < old; i++) {
        if (!from[i]) continue;
        const IxNode *n = &x->node.at[from[i]];
        uint64_t h = hash_bytes(n->term, sizeof *n->term * (size_t)n->count, (uint64_t)n->offset);
        while (x->table[h & (uint64_t)(x->table_size - 1)]) h++;
        x->table[h & (uint64_t)(x->table_size - 1)] = from[i];
    }
}

static Ix intern(Indices *x, const Draft *d) {
    uint64_t h = hash_draft(d), mask = (uint64_t)(x->table_size - 1);
    for (; x->table[h & mask]; h++)
        if (same(&x->node.at[x->table[h & mask]], d)) return x->table[h & mask];
    IxNode n = {.count = d->count, .offset = d->offset, .lo = d->offset, .hi = d->offset};
    n.term = arena_array(x->arena, IxTerm, d->count);
    for (int i = 0; i < d->count; i++) {
        n.term[i] = d->term[i];
        n.axes |= x->atom.at[d->term[i].atom].axes;
        n.dynamic |= x->atom.at[d->term[i].atom].kind == ATOM_VALUE;
        const IxAtom *t = &x->atom.at[d->term[i].atom];
        if (t->kind == ATOM_DIV || t->kind == ATOM_MOD) n.dynamic |= x->node.at[t->a].dynamic;
        add_range(x, &d->term[i], &n.lo, &n.hi);
    }
    vec_push(x->arena, &x->node, n);
    x->table[h & mask] = x->node.count - 1;
    if (x->node.count * 2 > x->table_size) grow_table(x);
    return x->node.count - 1;
}

/* ---- sums ---------------------------------------------------------------------------------- */

static void add_term(Indices *x, Draft *d, Dim scale, int atom) {
    int at = 0;
    while (at < d->count && d->term[at].atom < atom) at++;
    if (at < d->count && d->term[at].atom == atom) {
        d->term[at].scale = dim_add(x->dims, d->term[at].scale, scale);
        if (!dim_is(x->dims, d->term[at].scale, 0)) return;
        memmove(&d->term[at], &d->term[at + 1], sizeof *d->term * (size_t)(--d->count - at));
        return;
    }
    if (dim_is(x->dims, scale, 0)) return;
    if (d->count == IX_TERMS) BUG("index: more than %d terms", IX_TERMS);
    memmove(&d->term[at + 1], &d->term[at], sizeof *d->term * (size_t)(d->count++ - at));
    d->term[at] = (IxTerm){scale, atom};
}

static void add_scaled(Indices *x, Draft *d, Ix a, Dim by) {
    const IxNode n = x->node.at[a];
    for (int i = 0; i < n.count; i++)
        add_term(x, d, dim_mul(x->dims, n.term[i].scale, by), n.term[i].atom);
    d->offset = dim_add(x->dims, d->offset, dim_mul(x->dims, n.offset, by));
}

/* n = a / *p, alone; *p = 0: it is not. */
static Ix divided(const Indices *x, Ix n, Dim *p) {
    const int atom = ix_only_atom(x, n);
    const bool is_div = atom >= 0 && x->atom.at[atom].kind == ATOM_DIV;
    *p = is_div ? x->atom.at[atom].q : 0;
    return is_div ? x->atom.at[atom].a : n;
}

/* Is `high` the quotient that belongs to the remainder `low`: a / q to a % q, or a / pq to
 * (a / p) % q? */
static bool is_quotient(Indices *x, const IxAtom *high, const IxAtom *low) {
    Dim p;
    if (high->kind != ATOM_DIV) return false;
    if (high->a == low->a) return high->q == low->q;
    return high->a == divided(x, low->a, &p) && p && high->q == dim_mul(x->dims, p, low->q);
}

/* Is `high` (a / q) % r, where `low` is a % q? */
static bool is_next_digit(const Indices *x, const IxAtom *high, const IxAtom *low) {
    Dim q;
    return high->kind == ATOM_MOD && divided(x, high->a, &q) == low->a && q == low->q;
}

/* With s*q times its quotient, s*(a % q) is s*a; with s*q*((a / q) % r) it is s*(a % qr). */
static bool recombine(Indices *x, Draft *d) {
    const Dim minus = dim_const(x->dims, -1);
    for (int k = 0; k < d->count; k++) {
        const IxTerm low = d->term[k];
        const IxAtom mod = x->atom.at[low.atom];
        if (mod.kind != ATOM_MOD) continue;
        for (int i = 0; i < d->count; i++) {
            const IxTerm high = d->term[i];
            const IxAtom atom = x->atom.at[high.atom];
            const bool is_whole = is_quotient(x, &atom, &mod);
            if (!is_whole && !is_next_digit(x, &atom, &mod)) continue;
            if (dim_mul(x->dims, low.scale, mod.q) != high.scale) continue;
            add_term(x, d, dim_mul(x->dims, high.scale, minus), high.atom);
            add_term(x, d, dim_mul(x->dims, low.scale, minus), low.atom);
            const Ix sum =
                is_whole ? mod.a : ix_mod(x, mod.a, dim_mul(x->dims, mod.q, atom.q));
            add_scaled(x, d, sum, low.scale);
            return true;
        }
    }
    return false;
}

static Ix finish(Indices *x, Draft *d) {
    while (recombine(x, d)) continue;
    return intern(x, d);
}

static Draft empty(Indices *x) { return (Draft){.offset = dim_const(x->dims, 0)}; }

Ix ix_const(Indices *x, Dim value) {
    Draft d = {.offset = value};
    return intern(x, &d);
}

static Ix ix_atom(Indices *x, int atom) {
    Draft d = empty(x);
    add_term(x, &d, dim_const(x->dims, 1), atom);
    return intern(x, &d);
}

Ix ix_axis(Indices *x, int axis) {
    return ix_atom(x, find_atom(x, ATOM_AXIS, axis, 0, 1u << axis));
}

Ix ix_value(Indices *x, int value, Dim extent, uint32_t axes) {
    return ix_atom(x, find_atom(x, ATOM_VALUE, value, extent, axes));
}

Ix ix_add(Indices *x, Ix a, Ix b) {
    Draft d = empty(x);
    add_scaled(x, &d, a, dim_const(x->dims, 1));
    add_scaled(x, &d, b, dim_const(x->dims, 1));
    return finish(x, &d);
}

Ix ix_scale(Indices *x, Ix a, Dim by) {
    Draft d = empty(x);
    add_scaled(x, &d, a, by);
    return finish(x, &d);
}

Ix ix_from_end(Indices *x, Ix a, Dim extent) {
    Dim minus = dim_const(x->dims, -1);
    return ix_add(x, ix_scale(x, a, minus), ix_const(x, dim_add(x->dims, extent, minus)));
}

/* ---- division ------------------------------------------------------------------------------ */

static bool falls(const Indices *x, Dim scale) {
    int64_t least, most;
    dim_range(x->dims, scale, &least, &most);
    return least < 0;
}

/* The most that falling terms of the draft take from its offset; 0: not known. */
static Dim reach_below(const Indices *x, const Draft *d) {
    Dim reach = dim_const(x->dims, 0);
    for (int i = 0; reach && i < d->count; i++) {
        if (!falls(x, d->term[i].scale)) continue;
        const Dim top = ix_atom_hi(x, d->term[i].atom);
        const Dim most = top ? dim_mul(x->dims, d->term[i].scale, top) : 0;
        reach = most ? dim_sub(x->dims, reach, most) : 0;
    }
    return reach;
}

/* The quotient of an offset of which `spare` is left when the part is least; 0: not known. */
static Dim whole_offset(Indices *x, Dim spare, Dim q, bool has_falling) {
    enum { MOST = 4 }; /* steps below 0 that are tried with sizes that are not known */
    int64_t value, by;
    if (has_falling && dim_is_const(x->dims, spare, &value) && dim_is_const(x->dims, q, &by))
        return dim_const(x->dims, value / by - (value % by < 0));
    if (dim_divides(x->dims, q, spare)) return dim_div(x->dims, spare, q, (Span){0});
    for (int i = 0; i <= MOST; i++) {
        const Dim below = dim_mul(x->dims, dim_const(x->dims, i), q);
        if (dim_le(x->dims, dim_const(x->dims, 0), dim_add(x->dims, spare, below)))
            return dim_const(x->dims, -i);
    }
    return 0;
}

/* Shares the offset out, so that the part is not below 0, since C's division truncates: under a
 * guard, 12 i + j - 2 is not below 0, and j - 2 may be. False: it is not known how. */
static bool split_offset(Indices *x, Dim offset, Dim q, bool has_falling, Draft *whole,
                         Draft *part) {
    const Dim reach = reach_below(x, part), spare = reach ? dim_sub(x->dims, offset, reach) : 0;
    const Dim of_whole = spare ? whole_offset(x, spare, q, has_falling) : 0;
    part->offset = offset;
    if (!of_whole) return whole->count == 0;
    whole->offset = of_whole;
    part->offset = dim_sub(x->dims, offset, dim_mul(x->dims, of_whole, q));
    return true;
}

/* a = quotient * q + rest, where the quotient has the terms that q provably divides, and the rest
 * is not below 0 if a is not. */
static void split(Indices *x, Ix a, Dim q, Ix *quotient, Ix *rest) {
    const IxNode n = x->node.at[a];
    Draft whole = empty(x), part = empty(x);
    bool has_falling = false;
    for (int i = 0; i < n.count; i++) {
        Dim s = n.term[i].scale;
        has_falling = has_falling || falls(x, s);
        if (dim_divides(x->dims, q, s))
            add_term(x, &whole, dim_div(x->dims, s, q, (Span){0}), n.term[i].atom);
        else
            add_term(x, &part, s, n.term[i].atom);
    }
    const bool splits = split_offset(x, n.offset, q, has_falling, &whole, &part);
    *quotient = splits ? finish(x, &whole) : ix_const(x, dim_const(x->dims, 0));
    *rest = splits ? finish(x, &part) : a;
}

static bool is_below(Indices *x, Ix a, Dim q) {
    const IxNode n = x->node.at[a];
    return n.lo && n.hi && dim_le(x->dims, dim_const(x->dims, 0), n.lo) &&
           dim_le(x->dims, n.hi, minus_one(x, q));
}

int ix_only_atom(const Indices *x, Ix a) {
    const IxNode *n = &x->node.at[a];
    bool one =
        n->count == 1 && dim_is(x->dims, n->term[0].scale, 1) && dim_is(x->dims, n->offset, 0);
    return one ? n->term[0].atom : -1;
}

/* a = g * y + r with the largest g that divides q, too; 1: there is none, or sizes are not
 * known. */
static int64_t common_factor(Indices *x, Ix a, Dim q, Ix *y, Dim *r) {
    const IxNode n = x->node.at[a];
    int64_t g, scale, offset;
    if (!n.count || !dim_is_const(x->dims, q, &g) || !dim_is_const(x->dims, n.offset, &offset))
        return 1;
    for (int i = 0; i < n.count; i++) {
        if (!dim_is_const(x->dims, n.term[i].scale, &scale)) return 1;
        while (scale) {
            const int64_t rest = g % scale;
            g = scale, scale = rest;
        }
    }
    if (g < 0) g = -g;
    if (g < 2) return 1;
    Draft d = empty(x);
    for (int i = 0; i < n.count; i++)
        if (dim_is_const(x->dims, n.term[i].scale, &scale))
            add_term(x, &d, dim_const(x->dims, scale / g), n.term[i].atom);
    const int64_t below = (offset % g + g) % g;
    d.offset = dim_const(x->dims, (offset - below) / g);
    *y = finish(x, &d), *r = dim_const(x->dims, below);
    return g;
}

static Ix div_rest(Indices *x, Ix rest, Dim q) {
    int atom = ix_only_atom(x, rest);
    if (atom >= 0 && x->atom.at[atom].kind == ATOM_DIV) /* (a / p) / q */
        return ix_div(x, x->atom.at[atom].a, dim_mul(x->dims, x->atom.at[atom].q, q));
    return ix_atom(x, find_atom(x, ATOM_DIV, rest, q, x->node.at[rest].axes));
}

Ix ix_div(Indices *x, Ix a, Dim q) {
    Ix quotient, rest;
    if (dim_is(x->dims, q, 1)) return a;
    split(x, a, q, &quotient, &rest);
    if (is_below(x, rest, q)) return quotient;
    Ix y;
    Dim r;
    const int64_t g = common_factor(x, rest, q, &y, &r); /* (g y + r) / (g p), r < g, is y / p */
    if (g > 1) {
        const Dim p = dim_div(x->dims, q, dim_const(x->dims, g), (Span){0});
        return ix_add(x, quotient, ix_div(x, y, p));
    }
    return ix_add(x, quotient, div_rest(x, rest, q));
}

Ix ix_mod(Indices *x, Ix a, Dim q) {
    Ix quotient, rest;
    if (dim_is(x->dims, q, 1)) return ix_const(x, dim_const(x->dims, 0));
    split(x, a, q, &quotient, &rest);
    if (is_below(x, rest, q)) return rest;
    Ix y;
    Dim r;
    const int64_t g = common_factor(x, rest, q, &y, &r);
    if (g > 1) {
        const Dim by = dim_const(x->dims, g), p = dim_div(x->dims, q, by, (Span){0});
        return ix_add(x, ix_scale(x, ix_mod(x, y, p), by), ix_const(x, r));
    }
    int atom = ix_only_atom(x, rest);
    if (atom >= 0 && x->atom.at[atom].kind == ATOM_MOD &&
        dim_divides(x->dims, q, x->atom.at[atom].q)) /* (a % pq) % q */
        return ix_mod(x, x->atom.at[atom].a, q);
    return ix_atom(x, find_atom(x, ATOM_MOD, rest, q, x->node.at[rest].axes));
}

/* ---- index vectors ------------------------------------------------------------------------- */

Ix ix_flatten(Indices *x, int rank, const Ix *index, const Dim *shape) {
    Ix flat = ix_const(x, dim_const(x->dims, 0));
    for (int i = 0; i < rank; i++) flat = ix_add(x, ix_scale(x, flat, shape[i]), index[i]);
    return flat;
}

void ix_unflatten(Indices *x, Ix flat, int rank, const Dim *shape, Ix *index) {
    for (int i = rank - 1; i > 0; i--) {
        index[i] = ix_mod(x, flat, shape[i]);
        flat = ix_div(x, flat, shape[i]);
    }
    if (rank) index[0] = flat;
}

static Ix move_atom(Indices *x, const Indices *from, int atom, const Ix *by_axis, int count) {
    const IxAtom t = from->atom.at[atom];
    switch (t.kind) {
    case ATOM_AXIS: return t.a < count && by_axis[t.a] >= 0 ? by_axis[t.a] : ix_axis(x, t.a);
    case ATOM_DIV: return ix_div(x, ix_move(x, from, t.a, by_axis, count), t.q);
    case ATOM_MOD: return ix_mod(x, ix_move(x, from, t.a, by_axis, count), t.q);
    default: return ix_value(x, t.a, t.q, t.axes);
    }
}

Ix ix_move(Indices *x, const Indices *from, Ix a, const Ix *by_axis, int count) {
    const IxNode n = from->node.at[a];
    Draft d = {.offset = n.offset};
    for (int i = 0; i < n.count; i++)
        add_scaled(x, &d, move_atom(x, from, n.term[i].atom, by_axis, count), n.term[i].scale);
    return finish(x, &d);
}

Ix ix_replace(Indices *x, Ix a, const Ix *by_axis, int count) {
    return ix_move(x, x, a, by_axis, count);
}

/* ---- questions ----------------------------------------------------------------------------- */

int ix_along(const Indices *x, Ix a, int axis, Dim *scale) {
    const IxNode *n = &x->node.at[a];
    int how = 0;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &x->atom.at[n->term[i].atom];
        if (!(t->axes >> axis & 1)) continue;
        if (t->kind != ATOM_AXIS || how) return 2;
        *scale = n->term[i].scale;
        how = 1;
    }
    return how;
}

bool ix_is_32bit(const Indices *x, Ix a) {
    const IxNode *n = &x->node.at[a];
    int64_t lo, hi;
    bool has_falling = false;
    for (int i = 0; i < n->count; i++) {
        dim_range(x->dims, n->term[i].scale, &lo, &hi);
        has_falling = has_falling || lo < 0;
        const IxAtom *t = &x->atom.at[n->term[i].atom];
        if ((t->kind == ATOM_DIV || t->kind == ATOM_MOD) && !ix_is_32bit(x, t->a)) return false;
    }
    if (!n->lo || !n->hi) return false;
    if (has_falling && !dim_le(x->dims, dim_const(x->dims, 0), n->lo)) return false;
    dim_range(x->dims, n->hi, &lo, &hi);
    return hi <= INT32_MAX;
}
