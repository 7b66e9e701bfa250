/* view.c: values through views. A view computes nothing: the index of the source follows from the
 * index of the reader. Padding is read only inside of its source.
 * In: a node and an index. Out: a value of the body. */
#include "kernel/build/build.h"

Ix index_zero(Builder *b) { return ix_const(b->x, dim_const(b->x->dims, 0)); }

/* Axes that agree from the left and from the right map one to one; only the middle is flattened and
 * split. */
static void index_reshape(Builder *b, const Node *n, const Node *from, const Ix *index, Ix *out) {
    int left = 0, right = 0;
    while (left < n->rank && left < from->rank && n->shape[left] == from->shape[left]) {
        out[left] = index[left];
        left++;
    }
    while (right < n->rank - left && right < from->rank - left &&
           n->shape[n->rank - 1 - right] == from->shape[from->rank - 1 - right]) {
        out[from->rank - 1 - right] = index[n->rank - 1 - right];
        right++;
    }
    Ix flat = ix_flatten(b->x, n->rank - left - right, index + left, n->shape + left);
    ix_unflatten(b->x, flat, from->rank - left - right, from->shape + left, out + left);
}

static bool is_same(const Value *a, const Value *b) {
    return a->kind == b->kind && a->op == b->op && a->ix == b->ix && a->attr == b->attr &&
           a->attr2 == b->attr2 && a->src[0] == b->src[0] && a->src[1] == b->src[1];
}

/* A condition; if there is an equal one, that. */
static int condition(Builder *b, Value v) {
    for (int i = 1; i < b->body->values.count; i++)
        if (is_same(&b->body->values.at[i], &v)) return i;
    return add_value(b, v);
}

static int both(Builder *b, int x, int y) {
    Value v = {.kind = V_OP, .op = OP_AND, .type = T_BOOL, .operand = T_BOOL, .src = {x, y}};
    return x && y && x != y ? condition(b, v) : x ? x : y;
}

/* Does a guard say that lo <= ix, or that ix < hi? The other one is 0. */
static bool is_given(const Builder *b, int guard, Ix ix, Dim lo, Dim hi) {
    const Value *v = &b->body->values.at[guard];
    if (v->kind == V_OP)
        return is_given(b, v->src[0], ix, lo, hi) || is_given(b, v->src[1], ix, lo, hi);
    if (v->kind != V_INSIDE || v->ix != ix) return false;
    return lo ? v->attr && dim_le(b->x->dims, lo, v->attr)
              : v->attr2 && dim_le(b->x->dims, v->attr2, hi);
}

static bool may_move(const Builder *b, const IxNode *at, Dim lo, Dim hi) {
    int64_t value;
    bool may = dim_is_const(b->x->dims, at->offset, &value) && value;
    for (int i = 0; i < at->count; i++)
        may = may && !(dim_is_const(b->x->dims, at->term[i].scale, &value) && value < 0);
    return may && (!lo || dim_is_const(b->x->dims, lo, &value)) &&
           (!hi || dim_is_const(b->x->dims, hi, &value));
}

/* i0 + 2 < 1025 as i0 < 1023. */
static void move_offset(const Builder *b, Ix *ix, Dim *lo, Dim *hi) {
    const IxNode at = b->x->node.at[*ix];
    if (!may_move(b, &at, *lo, *hi)) return;
    const Dim back = dim_mul(b->x->dims, at.offset, dim_const(b->x->dims, -1));
    *ix = ix_add(b->x, *ix, ix_const(b->x, back));
    if (*lo) *lo = dim_add(b->x->dims, *lo, back);
    if (*hi) *hi = dim_add(b->x->dims, *hi, back);
}

/* Is ix in lo..hi, with 0 for a side that is open? Sides that are known, or given by the guard, are
 * left out; 0: both are. */
static int inside(Builder *b, Ix ix, Dim lo, Dim hi, int guard) {
    const IxNode at = b->x->node.at[ix];
    Dim end = at.hi ? dim_add(b->x->dims, at.hi, dim_const(b->x->dims, 1)) : 0;
    if (lo && at.lo && dim_le(b->x->dims, lo, at.lo)) lo = 0;
    if (hi && end && dim_le(b->x->dims, end, hi)) hi = 0;
    move_offset(b, &ix, &lo, &hi);
    const bool has_lo = lo && guard && is_given(b, guard, ix, lo, 0);
    const bool has_hi = hi && guard && is_given(b, guard, ix, 0, hi);
    if (has_lo) lo = 0;
    if (has_hi) hi = 0;
    b->guarded += has_lo || has_hi;
    Value v = {.kind = V_INSIDE, .type = T_BOOL, .ix = ix, .attr = lo, .attr2 = hi};
    return lo || hi ? condition(b, v) : 0;
}

/* A guarded load is 0 where the guard is false. */
static bool is_zero_outside(const Builder *b, int x, int outside) {
    const Value *pad = &b->body->values.at[outside], *v = &b->body->values.at[x];
    return v->kind == V_LOAD && v->guard && pad->kind == V_CONST && pad->bits == 0;
}

/* The padding value outside of the source; the source is read only inside. */
static int pad(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id], *from = &b->g->node[n->src[0]];
    Ix at[RANK_MAX] = {0};
    int in = 0;
    for (int i = 0; i < n->rank; i++) {
        Dim back = dim_mul(b->x->dims, n->attr[i], dim_const(b->x->dims, -1));
        at[i] = ix_add(b->x, index[i], ix_const(b->x, back));
        if (from->shape[i] == n->shape[i] && dim_is(b->x->dims, n->attr[i], 0)) continue;
        const Dim end = dim_add(b->x->dims, n->attr[i], from->shape[i]);
        in = both(b, in, inside(b, index[i], n->attr[i], end, guard));
    }
    int x = build_value(b, n->src[0], at, both(b, guard, in));
    if (!in) return x;
    int outside = build_value(b, n->src[1], NULL, 0);
    if (is_zero_outside(b, x, outside)) return x;
    Value v = {.kind = V_OP, .op = OP_WHERE, .type = n->type, .operand = n->type, .node = id};
    v.src[0] = in;
    v.src[1] = x;
    v.src[2] = outside;
    return add_value(b, v);
}

/* ---- parts side by side ---------------------------------------------------------------------- */

/* Is it where(i < end, pad(first), rest), as concat is? */
static bool joins_parts(const Graph *g, const Node *n) {
    const Op rest = g->node[n->src[2]].op;
    return n->op == OP_WHERE && g->node[n->src[1]].op == OP_PAD &&
           (rest == OP_PAD || rest == OP_WHERE);
}

/* The number that an index is compared with; 0: it is no literal and no size. */
static Dim limit_of(const Builder *b, const Value *v) {
    NodeId id = v->node;
    if (v->kind == V_CONST) return dim_const(b->x->dims, const_int(v));
    if (v->kind != V_UNIFORM) return 0;
    while (b->g->node[id].op == OP_CAST) id = b->g->node[id].src[0];
    return b->g->node[id].op == OP_DIM ? b->g->node[id].attr[0] : 0;
}

bool join_parts(Builder *b, NodeId id, const Ix *index, int guard, Value *v, int *whole) {
    const Node *n = &b->g->node[id];
    if (!joins_parts(b->g, n)) return false;
    const int choice = build_value(b, n->src[0], index, 0);
    const Value less = b->body->values.at[choice];
    if (less.kind != V_OP || less.op != OP_LT) return false;
    const Value at = b->body->values.at[less.src[0]], end = b->body->values.at[less.src[1]];
    const Dim limit = limit_of(b, &end);
    if (at.kind != V_INDEX || !limit) return false;
    const int first = inside(b, at.ix, 0, limit, 0), rest = inside(b, at.ix, limit, 0, 0);
    if (!first || !rest) {
        *whole = build_value(b, n->src[first ? 2 : 1], index, guard);
        return true;
    }
    v->src[0] = first;
    v->src[1] = build_value(b, n->src[1], index, both(b, guard, first));
    v->src[2] = build_value(b, n->src[2], index, both(b, guard, rest));
    return true;
}

int view_value(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id], *from = &b->g->node[n->src[0]];
    Ix at[RANK_MAX];
    switch (n->op) {
    case OP_PAD: return pad(b, id, index, guard);
    case OP_RESHAPE: index_reshape(b, n, from, index, at); break;
    case OP_PERMUTE:
        for (int i = 0; i < n->rank; i++) at[n->attr[i]] = index[i];
        break;
    case OP_BROADCAST:
        for (int i = 0; i < n->rank; i++)
            at[i] = from->shape[i] == n->shape[i] ? index[i] : index_zero(b);
        break;
    case OP_FLIP:
        for (int i = 0; i < n->rank; i++)
            at[i] = n->attr[0] >> i & 1 ? ix_from_end(b->x, index[i], n->shape[i]) : index[i];
        break;
    case OP_SLICE:
        for (int i = 0; i < n->rank; i++)
            at[i] = ix_add(b->x, index[i], ix_const(b->x, n->attr[i]));
        break;
    default: BUG("build: view op %d", n->op);
    }
    return build_value(b, n->src[0], at, guard);
}
