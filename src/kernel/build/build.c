/* build.c: one group of a plan becomes a Kernel. Values are made on demand: a store asks for its
 * sources at an index; views only change the index; equal (node, index) pairs are one value.
 * In: Plan and group number. Out: Kernel, without a schedule. */
#include "kernel/build/build.h"

#include <stdlib.h>
#include <string.h>

/* ---- values -------------------------------------------------------------------------------- */

int add_value(Builder *b, Value v) {
    if (!b->body->values.count) {
        Value none = {0};
        vec_push(b->arena, &b->body->values, none);
    }
    vec_push(b->arena, &b->body->values, v);
    return b->body->values.count - 1;
}

static uint64_t memo_hash(NodeId node, const Ix *index, int rank, int guard) {
    uint64_t seed = (uint64_t)node << 32 | (uint32_t)guard;
    return hash_bytes(index, sizeof *index * (size_t)rank, seed);
}

static Memo *memo_find(Builder *b, NodeId node, const Ix *index, int rank, int guard) {
    uint64_t h = memo_hash(node, index, rank, guard);
    for (;; h++) {
        Memo *m = &b->memo[h & (uint64_t)(b->memo_size - 1)];
        if (!m->node) return m;
        if (m->node == node && m->guard == guard &&
            (!rank || !memcmp(m->index, index, sizeof *index * (size_t)rank)))
            return m;
    }
}

static void memo_grow(Builder *b) {
    Memo *old = b->memo;
    int size = b->memo_size;
    b->memo_size = size ? 2 * size : 64;
    b->memo = arena_array(b->arena, Memo, b->memo_size);
    for (int i = 0; i < size; i++)
        if (old[i].node)
            *memo_find(b, old[i].node, old[i].index, b->g->node[old[i].node].rank, old[i].guard) =
                old[i];
}

static void memo_add(Builder *b, NodeId node, const Ix *index, int rank, int guard, int value) {
    if (2 * ++b->memo_count > b->memo_size) memo_grow(b);
    Memo *m = memo_find(b, node, index, rank, guard);
    *m = (Memo){.node = node, .guard = guard, .value = value};
    if (rank) memcpy(m->index, index, sizeof *index * (size_t)rank);
}

/* ---- what a kernel reads ------------------------------------------------------------------- */

int kernel_buffer(Builder *b, int plan_buffer, bool written) {
    for (int i = 0; i < b->buffers.count; i++) {
        if (b->buffers.at[i].plan_buffer != plan_buffer) continue;
        b->buffers.at[i].written |= written;
        return i;
    }
    const Buffer *p = &b->plan->buffers.at[plan_buffer];
    const bool is_shared = plan_is_shared(b->plan, b->group, plan_buffer);
    const KernelBuffer buffer = {.name = p->name,
                                 .type = p->type,
                                 .elements = p->elements,
                                 .plan_buffer = plan_buffer,
                                 .written = written,
                                 .is_temp = p->kind == B_TEMP,
                                 .may_be = p->may_be,
                                 .is_shared = is_shared};
    vec_push(b->arena, &b->buffers, buffer);
    return b->buffers.count - 1;
}

static int kernel_uniform(Builder *b, NodeId id) {
    for (int i = 0; i < b->uniforms.count; i++)
        if (b->uniforms.at[i].node == id) return i;
    const Node *n = &b->g->node[id];
    const char *stem = plan_stem(b->g, n);
    Uniform u = {arena_printf(b->arena, "%s_u%d", stem ? stem : op_info[n->op].name, id), id,
                 n->type};
    vec_push(b->arena, &b->uniforms, u);
    return b->uniforms.count - 1;
}

static int load(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id];
    Value v = {.kind = V_LOAD, .type = n->type, .node = id, .guard = guard};
    v.attr = kernel_buffer(b, b->plan->buffer_of[id], false);
    v.ix = ix_flatten(b->x, n->rank, index, n->shape);
    b->guarded += guard != 0;
    return add_value(b, v);
}

static int leaf(Builder *b, NodeId id, const Ix *index) {
    const Node *n = &b->g->node[id];
    Value v = {.type = n->type, .node = id, .bits = n->bits};
    double ignored;
    if (n->op == OP_IOTA) {
        v.kind = V_INDEX;
        v.ix = index[0];
    } else if (node_is_const(n, &ignored)) {
        v.kind = V_CONST;
    } else {
        v.kind = V_UNIFORM;
        v.attr = kernel_uniform(b, id);
    }
    return add_value(b, v);
}

/* ---- work ---------------------------------------------------------------------------------- */

/* A register has the compute type, so widening a narrow float is free. */
static bool is_free_cast(Dtype from, Dtype to) {
    return dtype_compute(from) == to && from != T_BOOL;
}

/* value = op of x and a number, which is less than 2^31; false: it is not */
static bool is_by_number(const Builder *b, int value, Op op, int *x, int32_t *number) {
    const Value *v = &b->body->values.at[value];
    if (v->kind != V_OP || v->op != op) return false;
    for (int i = 0; i < 2; i++) {
        const Value *c = &b->body->values.at[v->src[i]];
        if (c->kind != V_CONST || const_int(c) < 0 || const_int(c) > INT32_MAX) continue;
        *x = v->src[1 - i], *number = (int32_t)const_int(c);
        return true;
    }
    return false;
}

/* A random word of a position whose words are neighbours: scale * position + offset, of the block
 * that the position alone says. */
static void find_words(const Builder *b, Value *philox) {
    int product = philox->src[1], position;
    int32_t scale, offset = 0;
    is_by_number(b, product, OP_ADD, &product, &offset);
    if (!is_by_number(b, product, OP_MUL, &position, &scale)) return;
    if ((scale != 2 && scale != 4) || offset >= scale) return;
    if (b->body->values.at[position].kind != V_INDEX) return;
    philox->src[1] = position, philox->attr = scale, philox->attr2 = offset;
}

static int map(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id];
    Value v = {.kind = n->op == OP_CAST ? V_CAST : V_OP, .op = n->op, .type = n->type, .node = id};
    int whole = 0;
    const bool joins = n->op == OP_WHERE && join_parts(b, id, index, guard, &v, &whole);
    if (whole) return whole;
    for (int i = 0; i < n->src_count && !joins; i++)
        v.src[i] = build_value(b, n->src[i], index, guard);
    v.operand = b->g->node[n->src[n->op == OP_WHERE]].type;
    if (n->op == OP_CAST && is_free_cast(v.operand, n->type)) return v.src[0];
    v.attr = n->attr[0];
    if (op_is_call(n->op)) v.attr2 = n->src_count;
    if (n->op == OP_PHILOX) find_words(b, &v);
    return add_value(b, v);
}

/* A reduction is read in its own row; its source runs over the columns. Where it is padded, an axis
 * of size 1 is read at other places, too, and computed as it is. */
static int reduce(Builder *b, NodeId id, const Ix *index) {
    const Node *n = &b->g->node[id], *from = &b->g->node[n->src[0]];
    Ix at[RANK_MAX], own[RANK_MAX] = {0};
    const bool of_group = b->groups && reduced_axes(b->g, n) == b->groups;
    for (int i = 0, k = 0; i < n->rank; i++) {
        bool one = dim_is(b->x->dims, from->shape[i], 1);
        bool reduced = n->attr[0] >> i & 1;
        own[i] = one ? index_zero(b) : index[i];
        at[i] = reduced && !one ? b->reduce_of[k] : own[i];
        k += !one;
    }
    int picked = b->family == F_ROW && !of_group ? pick_value(b, id, own) : 0;
    if (picked) return picked;
    Accumulator acc = {.op = n->op, .type = n->type, .online_max = -1, .of_group = of_group};
    acc.value = build_value(b, n->src[0], at, 0);
    if (n->op == OP_ARGMAX) {
        Value position = {.kind = V_INDEX, .type = T_I32, .node = id};
        for (int i = 0; i < n->rank; i++)
            if (n->attr[0] >> i & 1) position.ix = at[i];
        acc.index = add_value(b, position);
    }
    Value v = {.kind = V_ACC, .op = n->op, .type = n->type, .node = id};
    v.src[0] = acc.value;
    v.attr = b->body->accs.count;
    acc.result = add_value(b, v);
    vec_push(b->arena, &b->body->accs, acc);
    return acc.result;
}

static int scan(Builder *b, NodeId id, const Ix *index) {
    const Node *n = &b->g->node[id];
    Value v = {.kind = V_SCAN, .op = n->op, .type = n->type, .operand = n->type, .node = id};
    v.src[0] = build_value(b, n->src[0], index, 0);
    return add_value(b, v);
}

static bool is_in_part(const Builder *b, NodeId id) {
    return b->plan->group_of[id] == b->group && b->plan->nest_of[id] == b->nest &&
           b->g->node[id].op != OP_INPUT;
}

static int make_value(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id];
    if (n->op == OP_INPUT) return load(b, id, index, guard);
    if (n->uniform || n->op == OP_IOTA) return leaf(b, id, index);
    if (id == b->blocks) return dot_sum_value(b, 0, id, index, guard);
    for (int i = 0; b->sums && i < b->sums->count; i++)
        if (id == b->sums->sum[i]) return dot_sum_value(b, i, id, index, guard);
    OpClass class = op_info[n->op].class;
    if (b->plan->kept[id] && !is_in_part(b, id)) return load(b, id, index, guard);
    if (class == VIEW) return view_value(b, id, index, guard);
    if (plan_is_work(b->plan, id) && !is_in_part(b, id)) return load(b, id, index, guard);
    switch (class) {
    case MAP: return map(b, id, index, guard);
    case REDUCE: return reduce(b, id, index);
    case SCAN: return scan(b, id, index);
    case GATHER: return gather_value(b, id, index, guard);
    case COMBINE: return combine_value(b, id, index, guard);
    case DOT:
        if (b->body->blocks.part) return b->body->blocks.part;
        return dot_value(b, id, index, guard);
    default: BUG("build: op %s", op_info[n->op].name);
    }
}

int build_value(Builder *b, NodeId id, const Ix *index, int guard) {
    int rank = b->g->node[id].rank;
    if (!b->memo_size) memo_grow(b);
    const Memo *m = memo_find(b, id, index, rank, 0);
    if (!m->node && guard) {
        m = memo_find(b, id, index, rank, guard);
        b->guarded += m->node != 0;
    }
    if (m->node) return m->value;
    const int before = b->guarded;
    int value = make_value(b, id, index, guard);
    memo_add(b, id, index, rank, b->guarded > before ? guard : 0, value);
    return value;
}

/* ---- bodies -------------------------------------------------------------------------------- */

/* ROW axes first. */
static void make_axes(Builder *b, const Space *s, bool pointwise) {
    int last = s->rank - 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->rank; i++) {
            bool col = pointwise ? i == last : s->reduced >> i & 1;
            if (col != (pass == 1)) continue;
            b->x->extent[b->body->axes.count] = s->dim[i];
            b->axis_of[i] = ix_axis(b->x, b->body->axes.count);
            if (col && s->backward) b->axis_of[i] = ix_from_end(b->x, b->axis_of[i], s->dim[i]);
            b->reduce_of[i] = b->axis_of[i];
            Axis axis = {b->body->axes.count, s->dim[i], col};
            if (s->groups >> i & 1) b->body->group_axes |= 1u << axis.number;
            vec_push(b->arena, &b->body->axes, axis);
            b->body->row_count += !col;
        }
    }
}

/* The index of a node in the loops: its axes that are not 1 run along those in m. */
static void visit_index(Builder *b, const Node *n, uint32_t m, Ix *index) {
    int k = 0;
    for (int i = 0; i < n->rank; i++) {
        index[i] = index_zero(b);
        if (dim_is(b->x->dims, n->shape[i], 1)) continue;
        while (!(m >> k & 1)) k++;
        index[i] = b->axis_of[k++];
    }
}

/* The index in the view of an element of its base. The view only rearranges, or leaves out the end
 * of an axis: elements there are not stored. */
static void rearrange(Builder *b, NodeId id, Ix *index, Store *to) {
    const Node *n = &b->g->node[id], *from = &b->g->node[n->src[0]];
    Ix at[RANK_MAX];
    if (op_info[n->op].class != VIEW) return;
    rearrange(b, n->src[0], index, to);
    memcpy(at, index, sizeof at);
    if (n->op == OP_PERMUTE)
        for (int i = 0; i < n->rank; i++) index[i] = at[n->attr[i]];
    else if (n->op == OP_RESHAPE)
        ix_unflatten(b->x, ix_flatten(b->x, from->rank, at, from->shape), n->rank, n->shape, index);
    for (int i = 0; n->op == OP_SLICE && i < n->rank; i++)
        if (n->shape[i] != from->shape[i]) to->limited = index[i], to->limit = n->shape[i];
}

/* A value of each element, added to the sum of its column in the chunk of its row. */
static void store_partial(Builder *b, NodeId id, const Space *space) {
    const Node *n = &b->g->node[id];
    const uint32_t axes = (uint32_t)n->attr[0], all = (1u << space->rank) - 1;
    Ix index[RANK_MAX];
    visit_index(b, &b->g->node[n->src[0]], all, index);
    Store s = {.value = build_value(b, n->src[0], index, 0), .adds = true};
    b->body->chunks = n->attr[1];
    b->x->extent[BODY_CHUNK] = dim_const(b->x->dims, n->attr[1]);
    for (int i = 0; axes >> i & 1; i++)
        index[i] = axes >> (i + 1) & 1 ? index_zero(b) : ix_axis(b->x, BODY_CHUNK);
    s.ix = ix_flatten(b->x, n->rank, index, n->shape);
    s.buffer = kernel_buffer(b, b->plan->buffer_of[id], true);
    vec_push(b->arena, &b->body->stores, s);
}

/* Row kernels and contractions compute a rearranged value in the order of their loops, and store it
 * in its own. What is not in these loops before it was rearranged, as an input, is read in its
 * place. */
static NodeId computed_as(const Builder *b, NodeId id, const LoopNest *nest) {
    NodeId from = id;
    const bool is_cut =
        is_cut_view(b->g, id) && stores_cut_views(b->plan, nest->nodes.at, nest->nodes.count);
    if (b->family == F_POINTWISE || (!is_rearranged(b->g, id) && !is_cut)) return id;
    while (op_info[b->g->node[from].op].class == VIEW) from = b->g->node[from].src[0];
    return plan_alignment(b->g, from, &nest->space) == MISALIGNED ? id : from;
}

/* To each buffer that has the node. */
static void add_stores(Builder *b, NodeId id, Store s, const Ix *index) {
    const Node *n = &b->g->node[id];
    const Group *group = &b->plan->groups.at[b->group];
    for (int i = 0; i < group->writes.count; i++) {
        const int buffer = group->writes.at[i];
        if (b->plan->buffers.at[buffer].node != id) continue;
        s.buffer = kernel_buffer(b, buffer, true);
        s.ix = ix_flatten(b->x, n->rank, index, n->shape);
        vec_push(b->arena, &b->body->stores, s);
    }
}

/* How many parts are side by side: one of each choice, and the rest of the last one. */
static int64_t count_parts(const Graph *g, NodeId join) {
    int64_t count = 1;
    for (NodeId id = join; g->node[id].op == OP_WHERE; id = g->node[id].src[2]) count++;
    return count;
}

/* Part `i`. One of choices that another kernel stores is in its place there: those are the part. */
static NodeId part_of(const Builder *b, NodeId join, int64_t i) {
    const Graph *g = b->g;
    NodeId id = join;
    for (; i && g->node[id].op == OP_WHERE; i--) {
        id = g->node[id].src[2];
        if (g->node[id].op == OP_WHERE && !is_in_part(b, id)) return id;
    }
    return g->node[g->node[id].op == OP_WHERE ? g->node[id].src[1] : id].src[0];
}

/* Each part of an element, in its place. Choices that are the rest of others have the last ones. */
static void store_parts(Builder *b, NodeId id, const Space *space) {
    const Node *n = &b->g->node[id], *first = &b->g->node[b->g->node[n->src[1]].src[0]];
    const int axis = join_axis(n);
    const int64_t count = count_parts(b->g, id);
    int64_t places = 0;
    dim_is_const(b->x->dims, n->shape[axis], &places);
    for (int64_t i = 0; i < count; i++) {
        const NodeId part = part_of(b, id, i);
        const Ix place = ix_const(b->x, dim_const(b->x->dims, places - count + i));
        Ix index[RANK_MAX];
        visit_index(b, first, (1u << space->rank) - 1, index);
        if (b->g->node[part].shape[axis] == n->shape[axis]) index[axis] = place;
        const int rounded = build_value(b, part, index, 0);
        const Body body = draft_body(b->body);
        index[axis] = place;
        add_stores(b, id, (Store){.value = value_unrounded(&body, rounded, n->type)}, index);
    }
}

static void store(Builder *b, NodeId id, const LoopNest *nest) {
    const Node *n = &b->g->node[id];
    const Space *space = &nest->space;
    if (join_axis(n) >= 0) {
        store_parts(b, id, space);
        return;
    }
    if (op_info[n->op].class == PARTIAL) {
        store_partial(b, id, space);
        return;
    }
    if (dot_is_across(n)) return; /* see chain_values */
    const NodeId from = computed_as(b, id, nest);
    Ix index[RANK_MAX];
    const uint32_t m = plan_alignment(b->g, from, space);
    if (m == MISALIGNED) BUG("output %d is not in the loops of its kernel", (int)id);
    visit_index(b, &b->g->node[from], m, index);
    const int rounded = build_value(b, from, index, 0);
    const Body body = draft_body(b->body);
    const int value = value_unrounded(&body, rounded, n->type);
    Store s = {.value = value};
    if (from != id) rearrange(b, id, index, &s);
    s.of_row = b->family >= F_ATTENTION && m != (1u << space->rank) - 1;
    add_stores(b, id, s, index);
}

/* The first or the last contraction of a nest. */
static NodeId find_dot(const Builder *b, const LoopNest *nest, bool last) {
    NodeId found = 0;
    for (int i = 0; i < nest->nodes.count && (last || !found); i++)
        if (b->g->node[nest->nodes.at[i]].op == OP_DOT) found = nest->nodes.at[i];
    return found;
}

/* Of the largest element that a pointwise kernel of a GPU stores; else 0. */
static int stored_bytes(const Builder *b) {
    size_t most = 0;
    for (int i = 0; i < b->body->stores.count; i++) {
        const size_t size = dtype_size(b->buffers.at[b->body->stores.at[i].buffer].type);
        if (size > most) most = size;
    }
    return b->family == F_POINTWISE && machine_is_gpu(b->plan->machine) ? (int)most : 0;
}

static bool has_groups(const Draft *b) {
    for (int i = 0; i < b->accs.count; i++)
        if (b->accs.at[i].of_group) return true;
    return false;
}

static Body build_nest(Builder *b, const LoopNest *nest) {
    const Family family = b->family;
    Draft body = {.lane = -1};
    body.indices = b->x = indices_new(b->arena, b->g->dims);
    b->body = &body;
    b->memo = NULL;
    b->memo_size = b->memo_count = 0;
    b->sums = NULL;
    b->blocks = 0;
    b->groups = nest->space.groups;
    if (family == F_DOT && nest->blocks)
        blocks_start(b, nest);
    else if (family == F_DOT)
        dot_start(b, nest);
    else if (family == F_ATTENTION)
        attention_axes(b, find_dot(b, nest, false), find_dot(b, nest, true));
    else if (family == F_CHAIN)
        chain_axes(b, nest);
    else if (family == F_SEGMENTS)
        segments_body(b, nest);
    else
        make_axes(b, &nest->space, family == F_POINTWISE);
    for (int i = 0; family != F_SEGMENTS && i < nest->stored.count; i++)
        store(b, nest->stored.at[i], nest);
    if (family == F_DOT) dot_rows(b);
    if (family == F_ATTENTION) attention_values(b);
    if (family == F_CHAIN) chain_values(b, nest);
    if (!has_groups(&body)) body.group_axes = 0;
    if (family == F_POINTWISE || family == F_ROW) {
        draft_axes(&body, b->arena, stored_bytes(b), !machine_is_gpu(b->plan->machine));
        draft_find_online(&body);
    }
    draft_value_axes(&body);
    draft_find_groups(&body);
    return draft_body(&body);
}

/* ---- the kernel ---------------------------------------------------------------------------- */

static int buffer_order(const void *x, const void *y) {
    int a = *(const int *)x, b = *(const int *)y;
    return a < b ? -1 : a > b;
}

/* Pointer arguments are in the plan's order: inputs, outputs, temps. */
static void declare_buffers(Builder *b, const Group *group) {
    int count = group->reads.count + group->writes.count;
    int *all = arena_array(b->arena, int, count);
    for (int i = 0; i < group->reads.count; i++) all[i] = group->reads.at[i];
    for (int i = 0; i < group->writes.count; i++) all[group->reads.count + i] = group->writes.at[i];
    qsort(all, (size_t)count, sizeof *all, buffer_order);
    for (int i = 0; i < count; i++) kernel_buffer(b, all[i], false);
}

static const Kernel *kernel_build(const Plan *plan, int number) {
    const Group *group = &plan->groups.at[number];
    Arena *arena = plan->g->arena;
    Builder b = {.arena = arena, .plan = plan, .g = plan->g, .group = number};
    Vec(Body) bodies = {0};
    b.family = group->family;
    declare_buffers(&b, group);
    for (b.nest = 0; b.nest < group->nests.count; b.nest++) {
        const Body body = build_nest(&b, &group->nests.at[b.nest]);
        vec_push(arena, &bodies, body);
    }
    Kernel *k = arena_new_of(arena, Kernel);
    *k = (Kernel){.name = group->name,
                  .family = group->family,
                  .g = plan->g,
                  .buffers = list_of(b.buffers),
                  .uniforms = list_of(b.uniforms),
                  .bodies = list_of(bodies)};
    return k;
}

const Kernel *const *kernels_build(const Plan *plan) {
    const Kernel **kernels = arena_array(plan->g->arena, const Kernel *, plan->groups.count);
    for (int i = 0; i < plan->groups.count; i++) kernels[i] = kernel_build(plan, i);
    return kernels;
}
