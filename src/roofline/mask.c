/* mask.c: the share of the scores of an attention, or a chain, that a mask leaves. Kernels skip
 * tiles that it hides, and the counts of a plan do not know that. In: a body. Out: the share, found
 * on a grid of queries and keys; 1 where the mask depends on data. */
#include "roofline/roofline.h"

#include <math.h>

enum { GRID = 32 };

/* A query and a key; other axes are at their start. */
typedef struct Pair {
    const Body *b;
    double at[2 * RANK_MAX]; /* by axis */
    double *value;           /* by value; NAN: not known */
} Pair;

static double size_of(const Body *b, Dim size) { return (double)cost_size(b->indices->dims, size); }

static double index_at(const Pair *p, Ix ix) {
    const Indices *x = p->b->indices;
    const IxNode *n = &x->node.at[ix];
    int64_t offset, scale;
    if (!dim_is_const(x->dims, n->offset, &offset)) return NAN;
    double sum = (double)offset;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &x->atom.at[n->term[i].atom];
        double value = NAN;
        if (atom->kind == ATOM_AXIS) value = p->at[atom->a];
        if (atom->kind == ATOM_DIV) value = floor(index_at(p, atom->a) / size_of(p->b, atom->q));
        if (atom->kind == ATOM_MOD) value = fmod(index_at(p, atom->a), size_of(p->b, atom->q));
        if (!dim_is_const(x->dims, n->term[i].scale, &scale)) return NAN;
        sum += (double)scale * value;
    }
    return sum;
}

static double result_of(const Pair *p, const Value *v) {
    const double a = p->value[v->src[0]], b = v->src[1] ? p->value[v->src[1]] : 0;
    if (isnan(a) || isnan(b)) return NAN;
    switch (v->op) {
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_AND: return a && b;
    case OP_OR: return a || b;
    case OP_NOT: return !a;
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    default: return NAN;
    }
}

static double value_at(const Pair *p, const Value *v) {
    switch (v->kind) {
    case V_CONST: return const_float(v);
    case V_INDEX: return index_at(p, v->ix);
    case V_CAST: return p->value[v->src[0]];
    case V_OP: return result_of(p, v);
    default: return NAN;
    }
}

/* side: of a `where` that is not masked. */
static double share_of(const Kernel *k, const Value *mask, int side) {
    const Body *b = &k->bodies.at[0];
    Pair p = {.b = b, .value = arena_array(k->g->arena, double, b->values.count)};
    const double queries = size_of(b, b->indices->extent[ATTENTION_QUERY]);
    const double keys = size_of(b, b->indices->extent[ATTENTION_KEY]);
    int left = 0;
    for (int i = 0; i < GRID * GRID; i++) {
        p.at[ATTENTION_QUERY] = floor((i / GRID + 0.5) / GRID * queries);
        p.at[ATTENTION_KEY] = floor((i % GRID + 0.5) / GRID * keys);
        for (int v = 1; v <= mask->src[0]; v++) p.value[v] = value_at(&p, &b->values.at[v]);
        if (isnan(p.value[mask->src[0]])) return 1;
        left += (p.value[mask->src[0]] != 0) == (side == 1);
    }
    return (double)left / (GRID * GRID);
}

double mask_share(const Kernel *k) {
    const Body *b = &k->bodies.at[0];
    double share = 1;
    if (k->family != F_ATTENTION && k->family != F_CHAIN) return 1;
    for (int i = 1; i < b->values.count; i++) {
        const int side = value_mask_side(b, i);
        if (side) share = fmin(share, share_of(k, &b->values.at[i], side));
    }
    return share;
}
