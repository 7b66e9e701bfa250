/* blocks.c: the factors of a contraction of scaled blocks: those that all columns of a tile share,
 * which a thread loads once for a row, and those that all rows share.
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

/* Is it the same along the axis, in runs of so many? */
static bool is_shared(const Body *b, int value, int axis, int run) {
    const Value *v = &b->values.at[value];
    if (v->guard || (v->ix && !is_even(b, v->ix, axis, run))) return false;
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
        if (!is_shared(b, v->src[i], axis, run)) return false;
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

static void add_to(FactorList *list, int value, BlockFactors *f) {
    for (int i = 0; i < list->count; i++)
        if (list->value[i] == value) return;
    if (list->count == BLOCK_FACTORS)
        f->are_shared = false;
    else
        list->value[list->count++] = value;
}

/* A value of rows and columns is computed from those of rows and those of columns. */
static void add(const Body *b, int value, const Tile *t, BlockFactors *f) {
    const Value *v = &b->values.at[value];
    if (value == b->blocks.part || is_known(v)) return;
    if (!reads_part(b, value)) {
        if (is_shared(b, value, DOT_N, t->n)) {
            add_to(&f->of_row, value, f);
            return;
        }
        if (is_shared(b, value, DOT_M, t->m)) {
            add_to(&f->of_column, value, f);
            return;
        }
        if (v->guard || (v->kind != V_OP && v->kind != V_CAST)) {
            f->are_shared = false;
            return;
        }
    }
    for (int i = 0; i < value_sources(v); i++) add(b, v->src[i], t, f);
}

BlockFactors block_factors(const Body *b, const Tile *t) {
    BlockFactors f = {.are_shared = true};
    if (b->blocks.term) add(b, b->blocks.term, t, &f);
    return f;
}
