/* blocks.c: the factors of a contraction of scaled blocks: which of them a thread loads once for a
 * row of its tile, because all columns of the tile share them.
 * In: a Body with blocks. Out: values. */
#include "kernel/tile/tile.h"

/* Does the index stay the same along the axis, in aligned runs of so many? */
static bool is_even(const Body *b, Ix ix, int axis, int run) {
    const Indices *x = b->indices;
    const IxNode *n = &x->node.at[ix];
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &x->atom.at[n->term[i].atom];
        int64_t by;
        if (t->kind == ATOM_VALUE) return false;
        if (!(t->axes >> axis & 1)) continue;
        if (t->kind != ATOM_DIV || !dim_is_const(x->dims, t->q, &by) || by % run) return false;
        const int from = ix_only_atom(x, t->a);
        if (from < 0 || x->atom.at[from].kind != ATOM_AXIS) return false;
    }
    return true;
}

static bool is_of_row(const Body *b, int value, int columns) {
    const Value *v = &b->values.at[value];
    if (v->guard || (v->ix && !is_even(b, v->ix, DOT_N, columns))) return false;
    switch (v->kind) {
    case V_CONST:
    case V_UNIFORM:
    case V_INDEX:
    case V_LOAD: return true;
    case V_OP:
    case V_CAST: break;
    default: return false;
    }
    for (int i = 0; i < value_sources(v); i++)
        if (!is_of_row(b, v->src[i], columns)) return false;
    return true;
}

static bool reads_part(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    if (value == b->blocks.part) return true;
    for (int i = 0; i < value_sources(v); i++)
        if (reads_part(b, v->src[i])) return true;
    return false;
}

static bool is_known(const Value *v) { return v->kind == V_CONST || v->kind == V_UNIFORM; }

static void add(const Body *b, int value, int columns, BlockFactors *f) {
    const Value *v = &b->values.at[value];
    if (value == b->blocks.part || is_known(v)) return;
    if (!reads_part(b, value)) {
        if (!is_of_row(b, value, columns) || f->count == BLOCK_FACTORS)
            f->are_even = false;
        else
            f->value[f->count++] = value;
        return;
    }
    for (int i = 0; i < value_sources(v); i++) add(b, v->src[i], columns, f);
}

BlockFactors block_factors(const Body *b, int columns) {
    BlockFactors f = {.are_even = true};
    if (b->blocks.term) add(b, b->blocks.term, columns, &f);
    return f;
}
