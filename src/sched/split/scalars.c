/* scalars.c: scalar replacement. Where tiny systems, as matrices of 4 x 4 for each element of a
 * batch, are computed from elements of short axes, or put together of them, each element becomes a
 * value of its own over the other axes, the loops. Then one kernel over the loops computes all that
 * is needed of a system once, in registers, and stores its parts side by side (JOIN_AXIS). So do
 * sums along short axes in front of longer reductions, as of squared distances of points.
 * needs: simplified. keeps: meaning; short sums are in order. breaks: nothing. */
#include "graph/pass/pass.h"
#include "sched/split/scalars.h"

#include <string.h>

enum {
    SHORT = 16,             /* elements of an axis whose positions become values of their own */
    MOST_ELEMENTS = 64,     /* of all short axes of a value; of one axis of a butterfly */
    MOST_TERMS = 256,       /* products of one contraction for each step of the loops */
    LEAST_OPS = 24,         /* below, an element computes all parts and takes one of them */
    LEAST_STORED_OPS = 128, /* the same where a prologue could compute it */
    MOST_OPS = 1000,
    LEAST_STEPS = 32 /* of the loops, where they are known */
};

/* ---- which axes are loops -------------------------------------------------------------------- */

/* Do all loops run along axes of the node, in order, beside short axes of known sizes? Sets the
 * position of its first element, and the number of elements for each step of the loops. */
static bool fits(const Scalars *s, NodeId id, Position at, int64_t *count) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    int64_t size;
    int r = 0;
    *count = 1;
    for (int i = 0; i < n->rank; i++) {
        at[i] = AT;
        if (r < s->loops && n->shape[i] == s->loop[r]) {
            at[i] = r++;
            continue;
        }
        if (!dim_is_const(g->dims, n->shape[i], &size) || size > s->longest) return false;
        *count *= size;
        if (*count > MOST_ELEMENTS) return false;
    }
    return r == s->loops;
}

bool scalars_step(const Scalars *s, NodeId id, Position at, uint32_t fixed) {
    const Node *n = &s->from->node[id];
    for (int i = n->rank - 1; i >= 0; i--) {
        int64_t size;
        if (at[i] < AT || fixed >> i & 1) continue;
        if (!dim_is_const(s->from->dims, n->shape[i], &size)) BUG("scalars: an open axis");
        if (++at[i] < AT + size) return true;
        at[i] = AT;
    }
    return false;
}

/* The axis along which where(i < end, pad(first), rest), as a concatenation is, has parts of one
 * element; -1: it is none. */
static int joins_parts(const Graph *g, const Node *n) {
    int axis = -1;
    if (n->op != OP_WHERE || g->node[n->src[1]].op != OP_PAD) return -1;
    const Node *rest = &g->node[n->src[2]], *part = &g->node[g->node[n->src[1]].src[0]];
    if (rest->op != OP_PAD && rest->op != OP_WHERE) return -1;
    for (int i = 0; i < n->rank; i++) {
        if (part->shape[i] == n->shape[i]) continue;
        if (axis >= 0 || !dim_is(g->dims, part->shape[i], 1)) return -1;
        axis = i;
    }
    return axis;
}

enum { FEW = 8 }; /* elements of a reduction in front of another one */

/* Of so few elements that they are written out? */
static bool is_of_few(const Graph *g, const Node *n, int64_t few) {
    int64_t count;
    return split_extent(g, n->src[0], (uint32_t)n->attr[0], &count) && count <= few;
}

/* Along the axes, or along the others, is there one element? */
static bool is_of_either(const Graph *g, const Node *n, uint32_t axes) {
    bool within = false, beside = false;
    for (int i = 0; i < n->rank; i++) {
        const bool is_one = dim_is(g->dims, n->shape[i], 1);
        within = within || (!is_one && axes >> i & 1);
        beside = beside || (!is_one && !(axes >> i & 1));
    }
    return !(within && beside);
}

/* Is it a function of values that are the same along the axes, and of such as a codebook, that are
 * the same along all others? No lane then reads what lies apart in memory. */
static bool is_of_codebook(const Graph *g, NodeId id, int rank, uint32_t axes, int depth) {
    const Node *n = &g->node[id];
    const OpClass class = op_info[n->op].class;
    if (n->rank == rank && is_of_either(g, n, axes)) return true;
    if (!depth || (class != MAP && n->op != OP_BROADCAST)) return false;
    for (int i = 0; i < n->src_count; i++)
        if (!is_of_codebook(g, n->src[i], rank, axes, depth - 1)) return false;
    return true;
}

/* Is it a reduction of a few computed elements, which reductions of more read, or which compare a
 * value with a few others, as those of a codebook? */
static bool is_inner(const Scalars *s, NodeId id) {
    enum { DEPTH = 6 };
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    if (op_info[n->op].class != REDUCE || n->op == OP_ARGMAX) return false;
    if (op_info[g->node[n->src[0]].op].class != MAP) return false;
    if (s->reduced[id]) return is_of_few(g, n, FEW);
    return is_of_few(g, n, SHORT) &&
           is_of_codebook(g, n->src[0], n->rank, (uint32_t)n->attr[0], DEPTH);
}

/* May positions along an axis of the node be values of their own? */
static bool may_be_short(const Scalars *s, const Node *n, int axis) {
    if (s->longest > SHORT) return true;
    return n->op == OP_DOT ? axis >= n->attr[0] : axis == joins_parts(s->from, n);
}

/* The loops around a concatenation of single elements, and around a reduction, are all other axes,
 * those around a contraction its batch and what is long, those around a butterfly what is long. */
static bool find_loops(Scalars *s, NodeId id, bool is_butterfly) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    int64_t size, steps = 1;
    bool is_known = true;
    s->loops = 0;
    s->longest = is_butterfly ? MOST_ELEMENTS : SHORT;
    if (is_butterfly && !scalars_is_butterfly(s, id)) return false;
    if (!is_butterfly && n->op != OP_DOT && joins_parts(g, n) < 0 && !is_inner(s, id)) return false;
    for (int i = 0; i < n->rank; i++) {
        const bool is_const = dim_is_const(g->dims, n->shape[i], &size);
        if (is_const && (size == 1 || (size <= s->longest && may_be_short(s, n, i)))) continue;
        s->loop[s->loops++] = n->shape[i];
        is_known = is_known && is_const;
        if (is_known) steps *= size;
    }
    return s->loops && (!is_known || steps >= LEAST_STEPS);
}

/* ---- what may become scalars ----------------------------------------------------------------- */

/* What is computed for each step of the loops. */
typedef struct Region {
    Scalars *s;
    bool *may;   /* node -> may its elements be values of their own? */
    int *ops;    /* node -> operations for each step */
    NodeId *set; /* node -> another one of its region; itself: it stands for the region */
    bool *seed, *inner;
} Region;

static bool has_loops(const Scalars *s, NodeId id) {
    const Node *n = &s->from->node[id];
    for (int i = 0; i < n->rank; i++)
        for (int r = 0; r < s->loops; r++)
            if (n->shape[i] == s->loop[r]) return true;
    return false;
}

/* Are the axes short? */
static bool are_short(const Graph *g, const Node *n, int from, int to, int64_t *count) {
    int64_t size;
    for (int i = from; i < to; i++) {
        if (!dim_is_const(g->dims, n->shape[i], &size) || size > SHORT) return false;
        *count *= size;
    }
    return true;
}

/* A contraction along short axes, which is rounded as its terms one after the other are, and one of
 * whose operands has all loops: a product of two batches would read each operand often. */
static int product_ops(const Scalars *s, NodeId id, int64_t count) {
    const Graph *g = s->from;
    const Node *n = &g->node[id], *a = &g->node[n->src[0]];
    Position at;
    int64_t terms = count, all;
    if (dot_is_across(n) || dot_sums_f8(g, n)) return 0;
    if (g->attrs.precision != P_IEEE && a->type == T_F32) return 0;
    if (!are_short(g, a, a->rank - n->attr[1], a->rank, &terms) || terms > MOST_TERMS) return 0;
    const bool has_all = fits(s, n->src[0], at, &all) || fits(s, n->src[1], at, &all);
    return has_all ? 2 * (int)terms : 0;
}

/* Is one operand the same for all loops, which are all that the other one has of its own? Such a
 * product of many rows and few columns is one of large matrices. So is one of a batch whose rows or
 * columns are not short, as of few queries and many keys. */
static bool is_plain_product(const Scalars *s, const Node *n) {
    const Graph *g = s->from;
    const int batch = n->attr[0], kept = g->node[n->src[0]].rank - n->attr[1];
    const bool is_left = has_loops(s, n->src[0]), is_right = has_loops(s, n->src[1]);
    int64_t count = 1;
    if (is_left && is_right) return !are_short(g, n, batch, n->rank, &count);
    for (int i = is_left ? batch : kept; i < (is_left ? kept : n->rank); i++) {
        int64_t size;
        if (dim_is_const(g->dims, n->shape[i], &size) && size > 1 && size <= SHORT) return false;
    }
    return true;
}

static int reduction_ops(const Scalars *s, const Node *n) {
    Position at;
    int64_t count;
    if (n->op == OP_ARGMAX || !fits(s, n->src[0], at, &count)) return 0;
    for (int i = 0; i < n->rank; i++)
        if (n->attr[0] >> i & 1 && at[i] < AT) return 0;
    return (int)count;
}

/* Operations for each step of the loops; -1: its elements may be no values of their own. */
static int work_of(const Scalars *s, NodeId id, int64_t count) {
    const Node *n = &s->from->node[id];
    Position at;
    int ops;
    switch (op_info[n->op].class) {
    case MAP:
        if (n->uniform) return -1;
        return n->op == OP_CAST || joins_parts(s->from, n) >= 0 ? 0 : (int)count;
    case REDUCE: return (ops = reduction_ops(s, n)) ? ops : -1;
    case SCAN: return fits(s, id, at, &count) && at[n->attr[0]] >= AT ? (int)count : -1;
    case DOT: return (ops = product_ops(s, id, count)) ? ops : -1;
    default: return -1;
    }
}

static NodeId set_of(const Region *r, NodeId id) {
    while (r->set[id] != id) id = r->set[id] = r->set[r->set[id]];
    return id;
}

static void find_work(Region *r) {
    const Graph *g = r->s->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        Position at;
        int64_t count;
        r->set[id] = id;
        if (!fits(r->s, id, at, &count)) continue;
        const bool is_view = op_info[n->op].class == VIEW;
        r->ops[id] = is_view ? 0 : work_of(r->s, id, count);
        r->may[id] = is_view ? r->may[n->src[0]] : r->ops[id] >= 0;
        if (!r->may[id]) continue;
        r->inner[id] = is_inner(r->s, id);
        r->seed[id] = r->inner[id] || scalars_is_butterfly(r->s, id) ||
                      (n->op == OP_DOT ? !is_plain_product(r->s, n) : joins_parts(g, n) >= 0);
        for (int i = 0; i < n->src_count; i++)
            if (r->may[n->src[i]]) r->set[set_of(r, n->src[i])] = set_of(r, id);
    }
}

/* Does its kernel compute sources where it reads them, element by element? */
static bool has_prologue(const Node *n) {
    const OpClass class = op_info[n->op].class;
    return class == DOT || class == GATHER || class == COMBINE || class == SEGMENTS;
}

/* By node: is it, or a function of it, in the prologue of a kernel outside of all regions? */
static const bool *find_operands(const Region *r) {
    const Graph *g = r->s->from;
    bool *operand = arena_array(g->arena, bool, g->count);
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        if (r->may[id] || (!has_prologue(n) && !operand[id])) continue;
        for (int i = 0; i < n->src_count; i++) operand[n->src[i]] = true;
    }
    return operand;
}

/* Marks the regions that it pays for; false: there are none. */
static bool find_regions(Scalars *s) {
    const Graph *g = s->from;
    Region r = {.s = s};
    r.may = arena_array(g->arena, bool, g->count);
    r.ops = arena_array(g->arena, int, g->count);
    r.set = arena_array(g->arena, NodeId, g->count);
    r.seed = arena_array(g->arena, bool, g->count);
    r.inner = arena_array(g->arena, bool, g->count);
    find_work(&r);
    const bool *operand = find_operands(&r);
    int *ops = arena_array(g->arena, int, g->count), *least = arena_array(g->arena, int, g->count);
    bool *has_seed = arena_array(g->arena, bool, g->count), any = false;
    bool *has_inner = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        if (!r.may[id]) continue;
        const NodeId set = set_of(&r, id);
        has_seed[set] |= r.seed[id];
        has_inner[set] |= r.inner[id];
        if (ops[set] <= MOST_OPS) ops[set] += r.ops[id];
        if (!least[set]) least[set] = LEAST_OPS;
        if (operand[id]) least[set] = LEAST_STORED_OPS;
    }
    for (NodeId id = 1; id < g->count; id++) {
        const NodeId set = set_of(&r, id);
        const bool are_enough = has_inner[set] || ops[set] >= least[set];
        s->replaced[id] = r.may[id] && has_seed[set] && are_enough && ops[set] <= MOST_OPS;
        any |= s->replaced[id];
    }
    return any;
}

/* ---- the new graph --------------------------------------------------------------------------- */

/* Parts of one element along an axis, side by side. */
static NodeId joined(Graph *g, const NodeId *part, int count, int axis, Span span) {
    Node n = g->node[part[0]];
    Dim size = dim_const(g->dims, count), shape[RANK_MAX];
    for (int i = 0; i < n.rank; i++) shape[i] = i == axis ? size : n.shape[i];
    Dim ones[RANK_MAX];
    for (int i = 0; i < n.rank; i++) ones[i] = dim_const(g->dims, 1);
    ones[axis] = size;
    const NodeId at = graph_reshape(g, graph_index(g, size, span), n.rank, ones, span);
    NodeId all = 0;
    for (int i = count - 1; i >= 0; i--) {
        const NodeId padded = split_padded(g, part[i], axis, dim_const(g->dims, i), size, 0, span);
        if (!all) {
            all = padded;
            continue;
        }
        const NodeId end = graph_dim(g, dim_const(g->dims, i + 1), span);
        const NodeId is_first = graph_op(g, OP_LT, at, end, 0, span);
        Node choice = {.op = OP_WHERE, .src_count = 3, .span = span, .attr = {0, JOIN_AXIS + axis}};
        choice.src[0] = graph_broadcast(g, is_first, n.rank, shape, span);
        choice.src[1] = padded;
        choice.src[2] = all;
        all = graph_add(g, &choice);
    }
    return all;
}

/* The loops before the short axes of a node, if these are adjacent; else all of them. */
static int loops_before(const Scalars *s, const Node *n, const Position at) {
    int before = 0, seen = 0;
    for (int i = 0; i < n->rank; i++) {
        if (dim_is(s->from->dims, n->shape[i], 1)) continue;
        if (at[i] < AT) {
            if (seen == 1) seen = 2;
            before += !seen;
        } else {
            if (seen == 2) return s->loops;
            seen = 1;
        }
    }
    return before;
}

/* From loops with the short axes at `before` to the axes of the node. */
static NodeId in_order(Scalars *s, NodeId x, const Node *n, const Position at, int before) {
    Graph *g = s->to;
    Dim shape[RANK_MAX];
    int axis[RANK_MAX], order[RANK_MAX], rank = 0;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < n->rank; i++) {
            const bool is_loop = at[i] < AT, is_early = is_loop && at[i] < before;
            if (pass == 0 ? !is_early : pass == 1 ? is_loop : !is_loop || is_early) continue;
            axis[i] = rank;
            shape[rank++] = n->shape[i];
        }
    for (int i = 0; i < n->rank; i++) order[i] = axis[i];
    return graph_permute(g, graph_reshape(g, x, rank, shape, n->span), order, n->span);
}

/* An element of a value in the shape of a part: with an axis of size 1 at `before`. `x`: over the
 * loops. */
static NodeId as_part(Scalars *s, NodeId x, int before) {
    const Node n = s->to->node[x];
    Dim shape[RANK_MAX];
    for (int i = 0; i <= n.rank; i++)
        shape[i] = i == before ? dim_const(s->to->dims, 1) : n.shape[i - (i > before)];
    return graph_reshape(s->to, x, n.rank + 1, shape, n.span);
}

/* Parts, in row-major order of the short axes of a node, become the node. */
static NodeId from_parts(Scalars *s, const Node *n, const Position at, NodeId *part, int count) {
    if (count == 1) return graph_reshape(s->to, part[0], n->rank, n->shape, n->span);
    const int before = loops_before(s, n, at);
    for (int i = 0; i < count; i++) part[i] = as_part(s, part[i], before);
    return in_order(s, joined(s->to, part, count, before, n->span), n, at, before);
}

/* All elements of a node, put together. */
static NodeId together(Scalars *s, NodeId id) {
    const Node *n = &s->from->node[id];
    NodeId part[MOST_ELEMENTS];
    Position at, first;
    int64_t count;
    int made = 0;
    if (!fits(s, id, at, &count)) BUG("scalars: no loops of node %d", (int)id);
    memcpy(first, at, sizeof first);
    do {
        const NodeId x = scalars_element(s, id, at);
        part[made++] = graph_broadcast(s->to, x, s->loops, s->loop, n->span);
    } while (scalars_step(s, id, at, 0));
    return from_parts(s, n, first, part, made);
}

/* A reduction along loops, and perhaps along short axes: along these first, and each element that
 * is left by itself. */
static NodeId reduced_whole(Scalars *s, NodeId id, const Position first) {
    const Node *n = &s->from->node[id];
    const uint32_t axes = (uint32_t)n->attr[0];
    NodeId part[MOST_ELEMENTS];
    uint32_t loops = 0;
    Position at;
    int made = 0;
    memcpy(at, first, sizeof at);
    for (int i = 0; i < n->rank; i++)
        if (first[i] < AT && axes >> i & 1) loops |= 1u << first[i];
    do {
        NodeId x = scalars_reduced(s, id, at);
        x = graph_broadcast(s->to, x, s->loops, s->loop, n->span);
        part[made++] = graph_reduce(s->to, n->op, x, loops, n->span);
    } while (scalars_step(s, n->src[0], at, axes));
    return from_parts(s, n, first, part, made);
}

/* Is it one of scalars? `first`: the position of the first of these. */
static bool is_reduced_whole(const Scalars *s, NodeId id, Position first) {
    const Node *n = &s->from->node[id];
    int64_t count;
    if (op_info[n->op].class != REDUCE || n->op == OP_ARGMAX || !s->replaced[n->src[0]])
        return false;
    return !s->replaced[id] && fits(s, n->src[0], first, &count);
}

NodeId scalars_whole(Scalars *s, NodeId id) {
    const Node *n = &s->from->node[id];
    Position at;
    int64_t count;
    if (s->whole[id]) return s->whole[id];
    const bool is_one = s->replaced[id] && fits(s, id, at, &count) && count == 1;
    NodeId made;
    if (s->replaced[id] && !s->joining[id] && (is_one || n->op != OP_RESHAPE)) {
        s->joining[id] = true; /* an element of a view may be one of the whole view */
        made = together(s, id);
    } else if (is_reduced_whole(s, id, at)) {
        made = reduced_whole(s, id, at);
    } else {
        Node draft = *n;
        for (int i = 0; i < n->src_count; i++) draft.src[i] = scalars_whole(s, n->src[i]);
        made = graph_add(s->to, &draft);
    }
    graph_name(s->to, made, n->name);
    graph_hint(s->to, made, n->hint);
    return s->whole[id] = made;
}

/* By node: how many operations its element is, with what is computed of the same element before. */
static const int *count_ops(const Graph *g) {
    int *ops = arena_array(g->arena, int, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        if (class != MAP && class != VIEW) continue;
        ops[id] = class == MAP;
        for (int i = 0; i < n->src_count; i++) ops[id] += ops[n->src[i]];
        if (ops[id] > MOST_OPS) ops[id] = MOST_OPS;
    }
    return ops;
}

static const Graph *replaced(Scalars *s) {
    const Graph *g = s->from;
    s->to = graph_like(g);
    s->ops = count_ops(g);
    s->element = arena_array(g->arena, Elements, g->count);
    s->whole = arena_array(g->arena, NodeId, g->count);
    s->joining = arena_array(g->arena, bool, g->count);
    for (int i = 0; i < g->inputs.count; i++) {
        const GraphInput *input = &g->inputs.at[i];
        const Node *n = &g->node[input->node];
        s->whole[input->node] =
            graph_input(s->to, input->name, n->type, n->rank, n->shape, input->span);
    }
    const bool *needed = graph_needed(g);
    bool *is_late = arena_array(g->arena, bool, g->count); /* made where it is read as a whole */
    for (NodeId id = 1; id < g->count; id++) {
        const bool is_view = op_info[g->node[id].op].class == VIEW;
        is_late[id] = s->replaced[id] || (is_view && is_late[g->node[id].src[0]]);
        if (needed[id] && !is_late[id]) scalars_whole(s, id);
    }
    for (int i = 0; i < g->outputs.count; i++) {
        const GraphOutput *output = &g->outputs.at[i];
        graph_output(s->to, output->name, scalars_whole(s, output->node), output->span);
    }
    return s->to;
}

enum { MOST_LOOPS = 8 }; /* different loops of one function */

typedef struct Tried {
    Scalars at[MOST_LOOPS];
    int count;
} Tried;

static bool were_tried(const Scalars *s, const Tried *tried) {
    for (int i = 0; i < tried->count; i++)
        if (shape_equal(s->loops, s->loop, tried->at[i].loops, tried->at[i].loop) &&
            s->longest == tried->at[i].longest)
            return true;
    return false;
}

/* By node: do reductions of many elements read it, or functions of its elements? */
static const bool *find_reduced(const Graph *g) {
    bool *reduced = arena_array(g->arena, bool, g->count);
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        const bool is_reader = class == REDUCE ? reduced[id] || !is_of_few(g, n, FEW)
                                               : reduced[id] && (class == MAP || class == VIEW);
        for (int i = 0; i < n->src_count; i++) reduced[n->src[i]] |= is_reader;
    }
    return reduced;
}

/* Tries loops around each node, of butterflies or of all others; true: the graph is another one. */
static bool try_loops(const Graph **g, Tried *tried, bool is_butterfly) {
    Scalars s = {.from = *g, .reduced = find_reduced(*g), .steps = scalars_steps(*g)};
    for (NodeId id = 1; id < (*g)->count && tried->count < MOST_LOOPS; id++) {
        if (!find_loops(&s, id, is_butterfly) || were_tried(&s, tried)) continue;
        s.replaced = arena_array((*g)->arena, bool, (*g)->count);
        tried->at[tried->count++] = s;
        if (!find_regions(&s)) continue;
        *g = graph_rewrite(replaced(&s), NULL, NULL);
        return true;
    }
    return false;
}

const Graph *scalars(const Graph *g) {
    Tried tried = {0};
    const Graph *given = g;
    for (int turn = 0; turn < 2; turn++)
        while (try_loops(&g, &tried, !turn)) continue;
    /* what was a reduction's may be computed in several kernels */
    return g == given ? g : compared(g);
}
