/* summed_parts.c: a product that sums along concatenations which are cut in the same places becomes
 * the sum of the products of their parts, as of keys of which some columns are rotated; so does one
 * of a concatenation, as of the windows of a convolution, that has many rows. Tiles load parts from
 * memory as they are; the elements of a concatenation they compute. On an H200, 8 x 128 x 4096 x
 * (512 + 64) of bf16: 49 us, as a sum of two products 18. needs: simplified. keeps: meaning; sums
 * are in another order. breaks: nothing.
 *
 *     concat(a, b) @ concat(c, d).T     becomes   a @ c.T + b @ d.T
 *     concat(a, b) @ w                  becomes   a @ w[:A] + b @ w[A:]
 *
 * For a GPU. Scores of an attention that is one kernel, or of a chain, stay one product. */
#include "sched/plan/plan.h"
#include "sched/split/split.h"

enum {
    MOST_PARTS = TERMS_MAX, /* products that a kernel adds up */
    LEAST_PART = 16,        /* terms that tensor cores add up at once */
    ALIGNED = 8,            /* 16 bytes: where cuts of an operand in memory may be */
    LEAST_ROWS = 64,        /* kernels of fewer add no products */
    LEAST_COLUMNS = 16      /* of a tile that does */
};

/* A concatenation along the summed axis of an operand, or, with `is_cut`, where it is cut as the
 * other one is. */
typedef struct Parts {
    bool is_cut;
    int count;
    NodeId at[MOST_PARTS]; /* in the graph of the operand */
    Dim end[MOST_PARTS];   /* along that axis */
} Parts;

typedef struct Pass {
    const Machine *machine;
    bool *whole;  /* node -> is it a score of one kernel? */
    int *readers; /* see split_readers */
    NodeId *id;   /* old node -> new node */
} Pass;

/* ---- which ----------------------------------------------------------------------------------- */

/* A part, which starts at `start`: padded along this axis alone. */
static bool add_part(const Graph *g, NodeId id, int axis, Dim start, Parts *p) {
    const Node *pad = &g->node[id], *x = &g->node[pad->src[0]];
    int64_t length;
    if (pad->op != OP_PAD || p->count == MOST_PARTS || pad->attr[axis] != start) return false;
    for (int i = 0; i < pad->rank; i++)
        if (i != axis && x->shape[i] != pad->shape[i]) return false;
    if (dim_is_const(g->dims, x->shape[axis], &length) && length < LEAST_PART) return false;
    p->at[p->count] = pad->src[0];
    p->end[p->count++] = dim_add(g->dims, start, x->shape[axis]);
    return true;
}

/* Is it i < end along this axis? */
static bool ends_at(const Graph *g, NodeId id, int axis, Dim end) {
    while (g->node[id].op == OP_BROADCAST) id = g->node[id].src[0];
    const Node *less = &g->node[id];
    if (less->op != OP_LT) return false;
    const Node *index = &g->node[less->src[0]];
    NodeId limit = less->src[1];
    int64_t known;
    double value;
    for (int i = 0; i < index->rank; i++)
        if (i != axis && !dim_is(g->dims, index->shape[i], 1)) return false;
    while (index->op == OP_RESHAPE || index->op == OP_CAST) index = &g->node[index->src[0]];
    while (op_info[g->node[limit].op].class == VIEW || g->node[limit].op == OP_CAST)
        limit = g->node[limit].src[0];
    if (index->op != OP_IOTA) return false;
    if (g->node[limit].op == OP_DIM) return g->node[limit].attr[0] == end;
    return node_is_const(&g->node[limit], &value) && dim_is_const(g->dims, end, &known) &&
           value == (double)known;
}

/* where(i < end of a, a padded, where(i < end of b, b padded, c padded)), as lowering writes it. */
static bool find_parts(const Graph *g, NodeId id, int axis, Parts *p) {
    Dim start = dim_const(g->dims, 0);
    *p = (Parts){0};
    while (g->node[id].op == OP_WHERE) {
        const Node *n = &g->node[id];
        if (!add_part(g, n->src[1], axis, start, p)) return false;
        start = p->end[p->count - 1];
        if (!ends_at(g, n->src[0], axis, start)) return false;
        id = n->src[2];
    }
    return p->count && add_part(g, id, axis, start, p) &&
           p->end[p->count - 1] == g->node[id].shape[axis];
}

/* Through permutations. */
static bool operand_parts(const Graph *g, NodeId id, Parts *p) {
    int axis = g->node[id].rank - 1;
    for (; g->node[id].op == OP_PERMUTE; id = g->node[id].src[0]) axis = g->node[id].attr[axis];
    return find_parts(g, id, axis, p);
}

/* Cuts the other operand where a concatenation has its parts: if only the product reads this, so
 * that it is not stored anyway, and if all cuts are known to be aligned. */
static bool cut_as(const Graph *g, const Pass *p, NodeId concat, const Parts *parts, Parts *other) {
    for (; g->node[concat].op == OP_PERMUTE; concat = g->node[concat].src[0])
        if (p->readers[concat] > 1) return false;
    if (p->readers[concat] > 1) return false;
    for (int i = 0; i < parts->count; i++)
        if (!dim_divides(g->dims, dim_const(g->dims, ALIGNED), parts->end[i])) return false;
    *other = *parts;
    other->is_cut = true;
    return true;
}

/* Has the result as many rows and columns as kernels that add products need? */
static bool is_large(const Graph *g, const Node *n) {
    const Node *a = &g->node[n->src[0]];
    const int batch = n->attr[0], kept = a->rank - n->attr[1];
    return cost_extent(g, n, batch, kept) >= LEAST_ROWS &&
           cost_extent(g, n, kept, n->rank) >= LEAST_COLUMNS;
}

static bool has_parts(const Graph *g, const Pass *p, NodeId id, Parts *left, Parts *right) {
    const Node *n = &g->node[id];
    if (n->op != OP_DOT || n->attr[1] != 1 || n->type != T_F32 || p->whole[id]) return false;
    const bool of_left = operand_parts(g, n->src[0], left);
    const bool of_right = operand_parts(g, n->src[1], right);
    if (!of_left && !of_right) return false;
    if (!of_left) return is_large(g, n) && cut_as(g, p, n->src[1], right, left);
    if (!of_right) return is_large(g, n) && cut_as(g, p, n->src[0], left, right);
    bool same = left->count == right->count;
    for (int i = 0; i < left->count && same; i++) same = left->end[i] == right->end[i];
    return same;
}

/* The products inside of attentions and chains that are one kernel. */
static bool *find_whole(const Graph *g, const Machine *machine) {
    bool *whole = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        Attention a;
        Chain c;
        if (find_attention(g, id, &a) && attention_pays(machine, g, &a)) whole[a.scores] = true;
        if (!find_chain(g, id, &c) || !chain_pays(machine, g, &c)) continue;
        for (int i = 0; i < c.count; i++) whole[c.scores[i]] = true;
    }
    return whole;
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* A part of an operand, permuted as the whole is. */
static NodeId part_of(Graph *to, const Graph *from, const Pass *p, NodeId operand, NodeId part) {
    const Node *n = &from->node[operand];
    if (n->op != OP_PERMUTE) return p->id[part];
    int perm[RANK_MAX];
    for (int i = 0; i < n->rank; i++) perm[i] = n->attr[i];
    return graph_permute(to, part_of(to, from, p, n->src[0], part), perm, n->span);
}

/* Part i of an operand. */
static NodeId operand_part(Graph *to, const Graph *from, const Pass *p, NodeId operand,
                           const Parts *parts, int i) {
    Dim start[RANK_MAX], extent[RANK_MAX];
    const Node *n = &from->node[operand];
    if (!parts->is_cut) return part_of(to, from, p, operand, parts->at[i]);
    for (int axis = 0; axis < n->rank; axis++)
        start[axis] = dim_const(to->dims, 0), extent[axis] = n->shape[axis];
    const int axis = n->rank - 1;
    if (i) start[axis] = parts->end[i - 1];
    extent[axis] = dim_sub(to->dims, parts->end[i], start[axis]);
    return graph_slice(to, p->id[operand], start, extent, n->span);
}

static NodeId rule(Graph *to, const Graph *from, NodeId old, const Node *draft, void *context) {
    Pass *p = context;
    const Node *n = &from->node[old];
    Parts left, right;
    NodeId sum = 0;
    for (int i = 0; i < n->src_count; i++) p->id[n->src[i]] = draft->src[i];
    if (!has_parts(from, p, old, &left, &right)) return graph_add(to, draft);
    for (int i = 0; i < left.count; i++) {
        Node dot = *draft;
        dot.src[0] = operand_part(to, from, p, n->src[0], &left, i);
        dot.src[1] = operand_part(to, from, p, n->src[1], &right, i);
        const NodeId product = graph_add(to, &dot);
        sum = i ? graph_op(to, OP_ADD, sum, product, 0, n->span) : product;
    }
    return sum;
}

const Graph *split_summed_parts(const Graph *g, const Machine *machine) {
    Pass p = {.machine = machine, .id = arena_array(g->arena, NodeId, g->count)};
    bool any = false;
    Parts left, right;
    if (g->attrs.max_kernels) return g;
    p.whole = find_whole(g, machine);
    p.readers = split_readers(g);
    for (NodeId id = 1; id < g->count; id++) any |= has_parts(g, &p, id, &left, &right);
    return any ? graph_rewrite(g, rule, &p) : g;
}
