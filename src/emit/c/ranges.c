/* ranges.c: ranges of an axis in which all conditions on its position are known, as in the parts of
 * a concat.
 * In: a body. Out: the ranges; the body with the values that it has in one of them. */
#include "emit/c/c.h"

/* The positions from..to-1 along an axis at which a value is true. */
typedef struct Truth {
    int64_t from, to;
} Truth;

/* Is ix the position along the axis plus a number? */
static bool is_position(const Body *b, Ix ix, int axis, int64_t *offset) {
    const IxNode *n = &b->indices->node.at[ix];
    if (n->count != 1 || !dim_is(b->indices->dims, n->term[0].scale, 1)) return false;
    const IxAtom *atom = &b->indices->atom.at[n->term[0].atom];
    return atom->kind == ATOM_AXIS && atom->a == axis &&
           dim_is_const(b->indices->dims, n->offset, offset);
}

static bool truth_of_inside(const Body *b, const Value *v, int axis, Truth *truth) {
    int64_t offset, lo = INT64_MIN, hi = INT64_MAX;
    if (!is_position(b, v->ix, axis, &offset)) return false;
    if (v->attr && !dim_is_const(b->indices->dims, v->attr, &lo)) return false;
    if (v->attr2 && !dim_is_const(b->indices->dims, v->attr2, &hi)) return false;
    *truth = (Truth){v->attr ? lo - offset : lo, v->attr2 ? hi - offset : hi};
    return true;
}

const Value *c_compared_index(const Body *b, int value, int64_t *number, bool *is_left) {
    const Value *v = &b->values.at[value];
    if (v->kind != V_OP || (v->op != OP_LT && v->op != OP_LE)) return NULL;
    const Value *left = &b->values.at[v->src[0]], *right = &b->values.at[v->src[1]];
    *is_left = left->kind == V_INDEX;
    const Value *index = *is_left ? left : right, *other = *is_left ? right : left;
    if (index->kind != V_INDEX || other->kind != V_CONST || dtype_is_float(other->type))
        return NULL;
    *number = const_int(other) + ((v->op == OP_LE) == *is_left);
    return index;
}

static bool truth_of_comparison(const Body *b, int value, int axis, Truth *truth) {
    int64_t number, offset;
    bool is_left;
    const Value *index = c_compared_index(b, value, &number, &is_left);
    if (!index || !is_position(b, index->ix, axis, &offset)) return false;
    const int64_t at = number - offset;
    *truth = is_left ? (Truth){INT64_MIN, at} : (Truth){at, INT64_MAX};
    return true;
}

static bool truth_of(const Body *b, int value, int axis, Truth *truth) {
    const Value *v = &b->values.at[value];
    if (v->kind == V_INSIDE) return truth_of_inside(b, v, axis, truth);
    return truth_of_comparison(b, value, axis, truth);
}

/* ---- the ranges ------------------------------------------------------------------------------ */

/* Ends a range at `at`; the ranges stay in order. */
static void cut_at(CRanges *r, int64_t at) {
    for (int i = 0; i < r->count; i++) {
        if (at <= r->at[i].from || at >= r->at[i].to) continue;
        for (int j = r->count++; j > i; j--) r->at[j] = r->at[j - 1];
        r->at[i].to = r->at[i + 1].from = at;
        return;
    }
}

static bool is_whole(int64_t at) { return at == INT64_MIN || at == INT64_MAX || at % 16 == 0; }

static void mark(const Body *b, int source, void *context) {
    bool *read = context;
    (void)b;
    read[source] = true;
}

/* The values that stores and accumulators read. */
static const bool *read_values(Arena *arena, const Body *b) {
    bool *read = arena_array(arena, bool, b->values.count + 1);
    for (int i = 0; i < b->stores.count; i++) read[b->stores.at[i].value] = true;
    for (int i = 0; i < b->accs.count; i++) {
        const Accumulator *a = &b->accs.at[i];
        read[a->value] = read[a->index] = read[a->online_x] = true;
    }
    for (int i = b->values.count - 1; i > 0; i--)
        if (read[i]) each_source(b, i, mark, read);
    return read;
}

/* By conditions that are read; `whole`: they start and end at multiples of 16. */
static CRanges ranges_of(const Writer *w, int axis, const bool *read, bool whole) {
    CRanges ranges = {.at = arena_array(w->arena, CRange, BODY_PIECES + 2)};
    const CRanges none = ranges;
    Truth truth;
    int64_t extent;
    if (!dim_is_const(w->b->indices->dims, w->b->indices->extent[axis], &extent)) return none;
    if (whole && !is_whole(extent)) return none;
    ranges.at[ranges.count++] = (CRange){0, extent};
    for (int i = 1; i < w->b->values.count; i++) {
        if (!w->s->value[i].used || (read && !read[i])) continue;
        if (!truth_of(w->b, i, axis, &truth)) continue;
        if (whole && !(is_whole(truth.from) && is_whole(truth.to))) return none;
        cut_at(&ranges, truth.from);
        cut_at(&ranges, truth.to);
        if (ranges.count > BODY_PIECES) return none;
    }
    return ranges;
}

CRanges c_ranges(const Writer *w, int axis) { return ranges_of(w, axis, NULL, true); }

CRanges c_parts_of(const Writer *w, int axis) {
    return ranges_of(w, axis, read_values(w->arena, w->b), false);
}

/* ---- a body within one ----------------------------------------------------------------------- */

static Value constant(const Value *v, bool bit) {
    return (Value){.kind = V_CONST, .type = v->type, .bits = bit, .node = v->node};
}

/* Reads the selected values in place of those that select. */
static void follow(Value *v, const Body *b, const int *same) {
    for (int i = 0; i < value_sources(v); i++) v->src[i] = same[v->src[i]];
    v->guard = same[v->guard];
    if (!v->guard || b->values.at[v->guard].kind != V_CONST) return;
    if (!b->values.at[v->guard].bits) *v = constant(v, false);
    v->guard = 0;
}

/* Of `where` and `and` whose conditions are known: the value that they are; else the value
 * itself. */
static int selected(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    if (v->kind != V_OP || (v->op != OP_WHERE && v->op != OP_AND)) return value;
    const Value *first = &b->values.at[v->src[0]], *second = &b->values.at[v->src[1]];
    if (v->op == OP_WHERE) return first->kind == V_CONST ? v->src[first->bits ? 1 : 2] : value;
    if (first->kind == V_CONST) return v->src[first->bits ? 1 : 0];
    return second->kind == V_CONST ? v->src[second->bits ? 0 : 1] : value;
}

/* Values that nothing reads: no variable of a row is declared for them. */
static void drop_unread(Arena *arena, const Body *b, Value *values) {
    const bool *read = read_values(arena, b);
    for (int i = 1; i < b->values.count; i++)
        if (!read[i]) values[i] = constant(&values[i], false);
}

Body c_body_settled(Arena *arena, const Body *from, CTruthOf *truth_of_value, const void *context,
                    int *root) {
    const int count = from->values.count;
    int *same = arena_array(arena, int, count + 1);
    Value *values = arena_array(arena, Value, count + 1);
    Body b = *from;
    b.values.at = values;
    for (int i = 1; i < count; i++) {
        Value *v = &values[i];
        const CTruth truth = truth_of_value(from, i, context);
        same[i] = i;
        *v = from->values.at[i];
        if (truth != C_UNKNOWN) {
            *v = constant(v, truth == C_TRUE);
            continue;
        }
        follow(v, &b, same);
        same[i] = selected(&b, i);
        if (same[i] != i) *v = constant(v, false); /* which nothing reads */
    }
    Store *stores = arena_array(arena, Store, b.stores.count + 1);
    for (int i = 0; i < b.stores.count; i++) {
        stores[i] = from->stores.at[i];
        stores[i].value = same[stores[i].value];
    }
    Accumulator *accs = arena_array(arena, Accumulator, b.accs.count + 1);
    for (int i = 0; i < b.accs.count; i++) {
        accs[i] = from->accs.at[i];
        accs[i].value = same[accs[i].value], accs[i].index = same[accs[i].index];
        accs[i].online_x = same[accs[i].online_x];
    }
    b.stores.at = stores, b.accs.at = accs;
    body_find_axes(&b, values); /* without those of conditions */
    if (root)
        *root = same[*root];
    else
        drop_unread(arena, &b, values);
    return b;
}

typedef struct Within {
    int axis;
    CRange range;
} Within;

static CTruth truth_within(const Body *b, int value, const void *context) {
    const Within *within = context;
    Truth truth;
    if (!truth_of(b, value, within->axis, &truth)) return C_UNKNOWN;
    return truth.from <= within->range.from && within->range.to <= truth.to ? C_TRUE : C_FALSE;
}

Body c_body_within(const Writer *w, int axis, CRange range, int *root) {
    const Within within = {axis, range};
    return c_body_settled(w->arena, w->b, truth_within, &within, root);
}
