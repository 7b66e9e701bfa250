/* axes.c: the loop axes of a body. Adjacent axes that every address traverses as one are merged;
 * the axis along which most addresses are contiguous becomes the lane axis.
 * needs: values and stores. keeps: what is computed. breaks: axis numbers inside Ix. */
#include "kernel/build/build.h"

/* ---- merging ------------------------------------------------------------------------------- */

typedef struct Pair {
    int outer, inner;
    Dim extent; /* of the inner axis */
} Pair;

static bool steps_as_one(const Body *b, Ix ix, const Pair *p) {
    Dim outer = 0, inner = 0;
    int how_outer = index_along(b, ix, p->outer, &outer);
    int how_inner = index_along(b, ix, p->inner, &inner);
    if (how_outer == 0 && how_inner == 0) return true;
    if (how_outer != 1 || how_inner != 1) return false;
    return dim_mul(b->indices->dims, inner, p->extent) == outer;
}

/* Is it a condition on the outer axis alone, all numbers known? Then it is one on the merged axis:
 * lo <= i + c < hi of rows of n elements is lo n <= (i n + j) + c n < hi n. */
static bool is_of_rows(const Body *b, const Value *v, const Pair *p) {
    const Dims *d = b->indices->dims;
    const IxNode *at = &b->indices->node.at[v->ix];
    int64_t number;
    Dim scale = 0;
    if (v->kind != V_INSIDE || at->count != 1 || at->dynamic) return false;
    if (ix_along(b->indices, v->ix, p->outer, &scale) != 1 || !dim_is(d, scale, 1)) return false;
    if (!dim_is_const(d, p->extent, &number) || !dim_is_const(d, at->offset, &number)) return false;
    if (!dim_is_const(d, b->indices->extent[p->outer], &number)) return false;
    return (!v->attr || dim_is_const(d, v->attr, &number)) &&
           (!v->attr2 || dim_is_const(d, v->attr2, &number));
}

/* Begins or ends a condition on rows there, as one of the first `count` values does? */
static bool is_cut(const Body *b, const Pair *p, int count, Dim at) {
    for (int i = 1; i < count; i++) {
        const Value *v = &b->values.at[i];
        if ((v->attr == at || v->attr2 == at) && is_of_rows(b, v, p)) return true;
    }
    return false;
}

/* Pieces of the outer axis in each of which the conditions on it are known, or more. */
static int count_pieces(const Body *b, const Pair *p) {
    int pieces = 1;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (!is_of_rows(b, v, p)) continue;
        pieces += v->attr && !is_cut(b, p, i, v->attr);
        pieces += v->attr2 && !is_cut(b, p, i, v->attr2);
    }
    return pieces;
}

static void mark(const Body *b, int source, void *context) {
    bool *read = context;
    (void)b;
    read[source] = true;
}

/* The values that stores read: what a choice among parts was made from remains, unread. */
static const bool *stored_values(const Body *b, Arena *arena) {
    bool *read = arena_array(arena, bool, b->values.count + 1);
    for (int i = 0; i < b->stores.count; i++) read[b->stores.at[i].value] = true;
    for (int i = b->values.count - 1; i > 0; i--)
        if (read[i]) each_source(b, i, mark, read);
    return read;
}

/* Does each index of the body go through both axes as through one? Where loops are cut into pieces,
 * `stored` are the values that matter, and conditions on the outer axis may cut it. */
static bool may_be_one(const Body *b, const Pair *p, const bool *stored) {
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (!v->ix || (stored && (!stored[i] || is_of_rows(b, v, p)))) continue;
        if (!steps_as_one(b, v->ix, p)) return false;
    }
    for (int i = 0; i < b->stores.count; i++) {
        const Store *s = &b->stores.at[i];
        if (!steps_as_one(b, s->ix, p) || (s->limit && !steps_as_one(b, s->limited, p)))
            return false;
    }
    return !stored || count_pieces(b, p) <= BODY_PIECES;
}

static void widen_conditions(Draft *b, const Pair *p) {
    const Body body = draft_body(b);
    Indices *x = b->indices;
    for (int i = 1; i < b->values.count; i++) {
        Value *v = &b->values.at[i];
        if (!is_of_rows(&body, v, p)) continue;
        v->ix = ix_add(x, ix_scale(x, v->ix, p->extent), ix_axis(x, p->inner));
        if (v->attr) v->attr = dim_mul(x->dims, v->attr, p->extent);
        if (v->attr2) v->attr2 = dim_mul(x->dims, v->attr2, p->extent);
    }
}

typedef struct Replace {
    Ix by[2 * RANK_MAX];
} Replace;

static void replace_axes(Draft *b, const Replace *r) {
    Indices *x = b->indices;
    for (int i = 1; i < b->values.count; i++) {
        Value *v = &b->values.at[i];
        if (v->ix) v->ix = ix_replace(x, v->ix, r->by, 2 * RANK_MAX);
    }
    for (int i = 0; i < b->stores.count; i++) {
        Store *s = &b->stores.at[i];
        s->ix = ix_replace(x, s->ix, r->by, 2 * RANK_MAX);
        if (s->limit) s->limited = ix_replace(x, s->limited, r->by, 2 * RANK_MAX);
    }
}

/* A gather's index would have to be rebuilt where its positions depend on a merged axis. */
static bool has_dynamic(const Draft *b, bool with_gathers) {
    for (int i = 1; i < b->values.count; i++) {
        const ValueKind kind = b->values.at[i].kind;
        if (kind == V_CURSOR || (kind == V_CLAMP && with_gathers)) return true;
    }
    return false;
}

static int next_number(const Draft *b) {
    int most = 0;
    for (int i = 0; i < b->axes.count; i++)
        if (b->axes.at[i].number >= most) most = b->axes.at[i].number + 1;
    return most;
}

/* Merges axes[i] and axes[i + 1] into a new axis at i. */
static bool merge_at(Draft *b, int i, int number, const bool *stored) {
    Indices *x = b->indices;
    Axis *outer = &b->axes.at[i], *inner = outer + 1;
    const Body body = draft_body(b);
    const Pair pair = {outer->number, inner->number, inner->extent};
    if (number >= BODY_CHUNK || !may_be_one(&body, &pair, stored)) return false;
    Dim extent = dim_mul(x->dims, outer->extent, inner->extent);
    if (!extent) return false;
    widen_conditions(b, &pair);
    x->extent[number] = extent;
    Replace r;
    for (int k = 0; k < 2 * RANK_MAX; k++) r.by[k] = -1;
    r.by[pair.outer] = ix_const(x, dim_const(x->dims, 0));
    r.by[pair.inner] = ix_axis(x, number);
    replace_axes(b, &r);
    *outer = (Axis){number, extent, inner->is_col};
    if (b->group_axes >> pair.inner & 1) b->group_axes |= 1u << number;
    for (int k = i + 1; k + 1 < b->axes.count; k++) b->axes.at[k] = b->axes.at[k + 1];
    b->axes.count--;
    draft_value_axes(b);
    return true;
}

/* In a pointwise body (no accumulators, no scan, no partial sums) a row axis may merge with the
 * column axis. */
static bool may_merge(const Draft *b, int i, bool pointwise) {
    const Axis *outer = &b->axes.at[i], *inner = outer + 1;
    if ((b->group_axes >> outer->number ^ b->group_axes >> inner->number) & 1) return false;
    return outer->is_col == inner->is_col || pointwise;
}

static bool is_pointwise(const Draft *b) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_SCAN) return false;
    return b->accs.count == 0 && !b->chunks;
}

/* ---- one axis ------------------------------------------------------------------------------ */

/* Elements of a pack of 16 bytes that divides an axis. */
static int pack_along(const Draft *b, Dim extent, int bytes) {
    enum { ACCESS_BYTES = 16 };
    int pack = ACCESS_BYTES / bytes;
    while (pack > 1 && !dim_divides(b->indices->dims, dim_const(b->indices->dims, pack), extent))
        pack /= 2;
    return pack;
}

/* By what an index changes with each step along an axis; 0: not at all, or in another way. */
static Dim stride_along(const Draft *b, Ix ix, int axis) {
    Dim scale = 0;
    return ix_along(b->indices, ix, axis, &scale) == 1 ? scale : 0;
}

/* Along an axis before the last one memory is contiguous. */
static bool is_across(const Draft *b, Ix ix) {
    for (int k = 0; k < b->axes.count - 1; k++) {
        const Dim stride = stride_along(b, ix, b->axes.at[k].number);
        if (stride && dim_is(b->indices->dims, stride, 1)) return true;
    }
    return false;
}

/* Outer axes move by less than inner ones: rows are in another order. */
static bool is_reordered(const Draft *b, Ix ix) {
    Dim inner = 0;
    for (int k = b->axes.count - 2; k >= 0; k--) {
        const Dim outer = stride_along(b, ix, b->axes.at[k].number);
        int64_t by_outer, by_inner;
        if (outer && inner && dim_is_const(b->indices->dims, outer, &by_outer) &&
            dim_is_const(b->indices->dims, inner, &by_inner) && by_outer < by_inner)
            return true;
        if (outer) inner = outer;
    }
    return false;
}

/* Such loads, of rows shorter than a cache line if these are in another order, are for tiles that
 * are transposed in shared memory. */
static bool crosses(const Draft *b) {
    enum { LINE = 128 };
    const Axis last = b->axes.at[b->axes.count - 1];
    int64_t row = 0;
    dim_is_const(b->indices->dims, last.extent, &row);
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        Dim scale = 0;
        if (v->kind != V_LOAD || !ix_along(b->indices, v->ix, last.number, &scale)) continue;
        const bool is_short = row * (int64_t)dtype_size(v->type) < LINE;
        if (is_across(b, v->ix) || (is_short && is_reordered(b, v->ix))) return true;
    }
    return false;
}

/* Each axis as a function of one that goes through all of them; false: sizes are open, or too
 * large. */
static bool from_one_axis(Draft *b, int number, Replace *r, Dim *elements) {
    Indices *x = b->indices;
    Dim inner = dim_const(x->dims, 1);
    int64_t size;
    for (int i = 0; i < b->axes.count; i++) {
        inner = dim_mul(x->dims, inner, b->axes.at[i].extent);
        if (!inner || !dim_is_const(x->dims, inner, &size) || size > INT32_MAX) return false;
    }
    *elements = x->extent[number] = inner;
    for (int k = 0; k < 2 * RANK_MAX; k++) r->by[k] = -1;
    for (int i = 0; i < b->axes.count; i++) {
        inner = dim_div(x->dims, inner, b->axes.at[i].extent, NOWHERE);
        const Ix outer = ix_div(x, ix_axis(x, number), inner);
        r->by[b->axes.at[i].number] = i ? ix_mod(x, outer, b->axes.at[i].extent) : outer;
    }
    return true;
}

/* Rows that packs do not divide become one axis if they are stored in order: packs then go across
 * the ends of rows. What is in another order is loaded element by element, as without packs. */
static bool merge_all(Draft *b, int number, int stored) {
    Replace r;
    Dim elements;
    if (!stored || b->axes.count < 2 || number >= BODY_CHUNK || crosses(b)) return false;
    if (pack_along(b, b->axes.at[b->axes.count - 1].extent, stored) > 1) return false;
    if (!from_one_axis(b, number, &r, &elements)) return false;
    const Ix all = ix_axis(b->indices, number);
    for (int i = 0; i < b->stores.count; i++)
        if (ix_replace(b->indices, b->stores.at[i].ix, r.by, 2 * RANK_MAX) != all) return false;
    replace_axes(b, &r);
    b->axes.at[0] = (Axis){number, elements, true};
    b->axes.count = 1;
    return true;
}

/* A last axis that is shorter than a pack, as of neighbours that are computed in turn, becomes one
 * with the axis before it: packs then go across its ends. */
static bool merge_short(Draft *b, int number, int stored) {
    enum { ACCESS_BYTES = 16 };
    Indices *x = b->indices;
    if (!stored || b->axes.count < 2 || number >= BODY_CHUNK || crosses(b)) return false;
    Axis *outer = &b->axes.at[b->axes.count - 2], *inner = outer + 1;
    const Dim extent = dim_mul(x->dims, outer->extent, inner->extent);
    const int pack = extent ? pack_along(b, extent, stored) : 0;
    int64_t size, count;
    if (!extent || !dim_is_const(x->dims, extent, &size) || size > INT32_MAX) return false;
    if (!dim_is_const(x->dims, inner->extent, &count) || count >= pack || pack % count)
        return false;
    Replace r;
    for (int k = 0; k < 2 * RANK_MAX; k++) r.by[k] = -1;
    x->extent[number] = extent;
    r.by[outer->number] = ix_div(x, ix_axis(x, number), inner->extent);
    r.by[inner->number] = ix_mod(x, ix_axis(x, number), inner->extent);
    for (int i = 0; i < b->stores.count; i++) {
        const Dim stride =
            stride_along(b, ix_replace(x, b->stores.at[i].ix, r.by, 2 * RANK_MAX), number);
        if (!stride || !dim_is(x->dims, stride, 1)) return false;
    }
    replace_axes(b, &r);
    *outer = (Axis){number, extent, true};
    b->axes.count--;
    draft_value_axes(b);
    return true;
}

static void count_rows(Draft *b) {
    b->row_count = 0;
    while (b->row_count < b->axes.count && !b->axes.at[b->row_count].is_col) b->row_count++;
}

/* ---- the lane axis ------------------------------------------------------------------------- */

/* A body whose lane axis is chosen. In loops a gathered position changes only with the axes of its
 * value; kernels of a GPU, where that has not been measured, take it to change with all. */
typedef struct LaneSpace {
    Body body;
    bool for_loops;
} LaneSpace;

static int along(const LaneSpace *s, Ix ix, int axis, Dim *scale) {
    return s->for_loops ? index_along(&s->body, ix, axis, scale)
                        : ix_along(s->body.indices, ix, axis, scale);
}

/* How much the address matters: accesses once per row hardly do, and those that are the same for
 * all rows, which stay in a cache, do less. */
static int importance(const LaneSpace *s, Ix ix) {
    enum { OF_ALL_ROWS = 1, OF_EACH_ROW = 4 };
    const Body *b = &s->body;
    const uint32_t cols = body_col_axes(b);
    const uint32_t axes = s->for_loops ? index_axes(b, ix) : b->indices->node.at[ix].axes;
    if (!(axes & cols)) return 0;
    return axes & ~cols || !b->row_count ? OF_EACH_ROW : OF_ALL_ROWS;
}

/* Neighbours along the lane axis are neighbours in memory: good; they lie in other sectors: bad; or
 * they are one element, which one access brings to all lanes, or fields of small records. */
typedef struct Addresses {
    int contiguous, strided;
} Addresses;

static void add_address(const LaneSpace *s, Ix ix, Dtype type, int axis, int weight,
                        Addresses *all) {
    enum { SECTOR = 32 };
    const Body *b = &s->body;
    Dim scale = 0;
    int64_t by;
    const int how = along(s, ix, axis, &scale);
    if (!how) return;
    const bool is_known = how == 1 && dim_is_const(b->indices->dims, scale, &by);
    if (is_known && by == 1)
        all->contiguous += b->accs.count ? weight > 0 : weight;
    else if (!is_known || by * dtype_size(type) > SECTOR)
        all->strided += weight;
}

/* The addresses along an axis; stores count twice, except for row kernels, whose loads repeat in
 * every stage. */
static Addresses addresses(const LaneSpace *s, int axis) {
    const Body *b = &s->body;
    const int store = b->accs.count ? 1 : 2;
    Addresses all = {0};
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (v->kind == V_LOAD) add_address(s, v->ix, v->type, axis, importance(s, v->ix), &all);
    }
    for (int i = 0; i < b->stores.count; i++) {
        const Ix ix = b->stores.at[i].ix;
        const Dtype type = b->values.at[b->stores.at[i].value].type;
        add_address(s, ix, type, axis, store * importance(s, ix), &all);
    }
    return all;
}

static bool has_scan(const Draft *b) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_SCAN) return true;
    return false;
}

/* Row kernels have the fewest strided addresses; of equals, most contiguous ones, and of equals
 * columns rather than rows, of which there may be few. Other kernels have most contiguous ones. */
static bool is_better_lane(const Draft *b, Addresses found, Addresses best) {
    const bool fewer = found.strided < best.strided, same = found.strided == best.strided;
    const bool more = found.contiguous > best.contiguous;
    return b->accs.count ? fewer || (same && more) : more;
}

static void choose_lane(Draft *b, bool for_loops) {
    const LaneSpace space = {draft_body(b), for_loops};
    int best = -1;
    Addresses of_best = {0};
    for (int i = b->axes.count - 1; i >= 0; i--) {
        bool last_row = i == b->row_count - 1, col = b->axes.at[i].is_col;
        if (!col && (!last_row || b->chunks)) continue;
        if (b->group_axes && !(b->group_axes >> b->axes.at[i].number & 1)) continue;
        const Addresses found = addresses(&space, b->axes.at[i].number);
        if (best < 0 || is_better_lane(b, found, of_best)) best = i, of_best = found;
    }
    if (best < 0) return;
    b->lane = b->axes.at[best].number;
    b->lane_is_row = !b->axes.at[best].is_col;
    if (b->lane_is_row || has_scan(b)) return;
    Axis lane = b->axes.at[best]; /* innermost of the columns: their order is free */
    for (int k = best; k + 1 < b->axes.count; k++) b->axes.at[k] = b->axes.at[k + 1];
    b->axes.at[b->axes.count - 1] = lane;
}

static Dim product(const Draft *b, int from, int to) {
    Dim p = dim_const(b->indices->dims, 1);
    for (int i = from; i < to; i++) p = dim_mul(b->indices->dims, p, b->axes.at[i].extent);
    return p;
}

void draft_axes(Draft *b, Arena *arena, int stored, bool for_loops) {
    const bool pointwise = is_pointwise(b), keeps = has_dynamic(b, !for_loops);
    const Body body = draft_body(b);
    const bool *read = for_loops && pointwise ? stored_values(&body, arena) : NULL;
    int number = next_number(b);
    draft_value_axes(b);
    for (int i = b->axes.count - 2; i >= 0 && !keeps; i--)
        if (may_merge(b, i, pointwise) && merge_at(b, i, number, read)) number++;
    if (pointwise && !keeps && merge_short(b, number, stored)) number++;
    if (pointwise && !keeps && merge_all(b, number, stored)) number++;
    count_rows(b);
    if (b->row_count == b->axes.count) { /* all axes are rows: there is one column */
        Axis one = {number, dim_const(b->indices->dims, 1), true};
        b->indices->extent[number] = one.extent;
        vec_push(arena, &b->axes, one);
    }
    choose_lane(b, for_loops);
    b->rows = product(b, 0, b->row_count);
    b->cols = product(b, b->row_count, b->axes.count);
}
