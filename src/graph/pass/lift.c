/* lift.c: pointwise ops on a rearranged contraction move before the rearrangement, into the
 * epilogue of the contraction:
 *
 *     map(permute(x), y)   becomes   permute(map(x, permute⁻¹(y)))
 *
 * The same for reshapes, if x is a contraction, also of scaled blocks, or a pointwise function of
 * one; if it is a contraction of heads (heads.c), also for what moves or reduces elements within
 * them: slices, pads, reductions of permutations. If x is a pointwise function of a reduction, its
 * kernel takes the map, too, where the view splits or merges axes, or (of_rows) permutes rows: then
 * also slices and pads within rows. The remaining rearrangement only decides where the kernel
 * stores. Sums of scaled blocks of a product move below a view of it, too.
 *
 *   needs   decomposed
 *   keeps   meaning, bit for bit
 *   breaks  nothing */
#include "graph/pass/pass.h"

#include <string.h>

/* What reads elements of one of the others; so within the rows of a reduction; a reduction, or
 * pointwise in one; so in a contraction; in one of heads, also within them. */
typedef enum Kind { KIND_NONE, KIND_READER, KIND_WITHIN, KIND_ROW, KIND_PRODUCT, KIND_HEADS } Kind;

static bool is_of_rows(Kind kind) { return kind == KIND_WITHIN || kind == KIND_ROW; }

typedef struct Pass {
    const bool *last; /* old node -> read only by views, contractions and maps of the same kind */
    bool of_rows;     /* where rows are permuted, too */
    Kind *kind;       /* of a node of the new graph */
    int size;
} Pass;

/* Does it add up blocks of a product, as such or in another order? */
static bool adds_blocks(const Graph *g, const Node *n) {
    return n->op == OP_SUM && blocks_are_scaled(g, n->src[0]);
}

/* A value that a reduction reads stays, so that a row stays in one kernel; but not one of blocks.
 */
static const bool *find_last(const Graph *g) {
    bool *last = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) last[id] = true;
    for (NodeId id = g->count - 1; id > 0; id--) {
        OpClass class = op_info[g->node[id].op].class;
        bool passes = class == DOT || ((class == MAP || class == VIEW) && last[id]) ||
                      adds_blocks(g, &g->node[id]);
        for (int i = 0; i < g->node[id].src_count && !passes; i++) last[g->node[id].src[i]] = false;
    }
    return last;
}

static Kind kind_of(const Pass *p, NodeId id) { return id < p->size ? p->kind[id] : KIND_NONE; }

static NodeId mark(Pass *p, Graph *g, NodeId id, Kind kind) {
    if (id >= p->size) {
        int size = 2 * id + 64;
        Kind *larger = arena_array(g->arena, Kind, size);
        for (int i = 0; i < p->size; i++) larger[i] = p->kind[i];
        p->kind = larger;
        p->size = size;
    }
    if (id) p->kind[id] = kind;
    return id;
}

static bool moves_elements(const Node *n) { return n->op == OP_PERMUTE || n->op == OP_RESHAPE; }

static NodeId below(const Graph *g, NodeId id) {
    while (moves_elements(&g->node[id])) id = g->node[id].src[0];
    return id;
}

/* Inverts the view: from the view's shape to the shape of its source. */
static NodeId undo(Graph *g, const Node *view, NodeId x) {
    const Node from = g->node[view->src[0]];
    int back[RANK_MAX];
    if (view->op == OP_RESHAPE) return graph_reshape(g, x, from.rank, from.shape, view->span);
    for (int i = 0; i < view->rank; i++) back[view->attr[i]] = i;
    return graph_permute(g, x, back, view->span);
}

static NodeId redo(Graph *g, const Node *view, NodeId x) {
    int forth[RANK_MAX];
    if (view->op == OP_RESHAPE) return graph_reshape(g, x, view->rank, view->shape, view->span);
    for (int i = 0; i < view->rank; i++) forth[i] = view->attr[i];
    return graph_permute(g, x, forth, view->span);
}

/* Is it x, pointwise in a reduction, with axes split or merged in the same order? */
static bool is_regrouped(const Graph *g, NodeId id, NodeId x) {
    if (op_info[g->node[x].op].class != MAP) return false;
    if (node_has_same_axes(g, &g->node[id], &g->node[x])) return false;
    while (id != x && g->node[id].op == OP_RESHAPE) id = g->node[id].src[0];
    return id == x;
}

/* The map below source number s of it, a chain of views. */
static NodeId lift_map(Pass *p, Graph *g, const Node *map, int s, Kind kind) {
    const Node view = g->node[map->src[s]];
    Node lower = *map;
    if (!moves_elements(&view)) {
        lower.rank = view.rank;
        memcpy(lower.shape, view.shape, sizeof lower.shape);
        return mark(p, g, graph_add(g, &lower), kind);
    }
    for (int i = 0; i < map->src_count; i++)
        lower.src[i] = i == s ? view.src[0] : undo(g, &view, map->src[i]);
    return redo(g, &view, lift_map(p, g, &lower, s, kind));
}

/* Do elements of the innermost axis stay side by side, at least a sector of memory of them? */
static bool keeps_innermost(const Graph *g, const Node *view) {
    enum { SECTOR = 32 };
    const Node *x = &g->node[view->src[0]];
    const int last = view->rank - 1;
    int64_t columns = SECTOR;
    if (last < 0 || x->rank == 0 || view->shape[last] != x->shape[x->rank - 1]) return false;
    if (view->op == OP_PERMUTE && view->attr[last] != last) return false;
    dim_is_const(g->dims, view->shape[last], &columns);
    return columns * (int64_t)dtype_size(view->type) >= SECTOR;
}

/* Does the axis outside of a short innermost one become the innermost, as that of pixels of a few
 * channels that become planes? A warp has neighbours along it. */
static bool moves_short_innermost(const Graph *g, const Node *view) {
    enum { SHORT = 4 };
    const Node *x = &g->node[view->src[0]];
    const int last = view->rank - 1;
    int64_t extent;
    return view->op == OP_PERMUTE && last > 0 && view->attr[last] == last - 1 &&
           dim_is_const(g->dims, x->shape[last], &extent) && extent <= SHORT;
}

/* Is it x, in a reduction, with its rows in another order? The kernel stores them so. */
static bool has_rows_permuted(const Graph *g, NodeId id, NodeId x) {
    bool permutes = false;
    for (; id != x; id = g->node[id].src[0]) {
        const Node *view = &g->node[id];
        if (!keeps_innermost(g, view) && !moves_short_innermost(g, view)) return false;
        permutes |= g->node[id].op == OP_PERMUTE;
    }
    return permutes;
}

static bool is_same_view(const Node *a, const Node *b) {
    return a->op == b->op && shape_equal(a->rank, a->shape, b->rank, b->shape) &&
           !memcmp(a->attr, b->attr, sizeof a->attr);
}

/* Is each source of a map that depends on a reduction or a contraction in the order of source s?
 * Another one has a kernel of its own, which takes the map as it is. */
static bool are_in_order(const Pass *p, const Graph *g, const Node *map, int s) {
    for (int i = 0; i < map->src_count; i++)
        if (kind_of(p, below(g, map->src[i])) &&
            !is_same_view(&g->node[map->src[i]], &g->node[map->src[s]]))
            return false;
    return true;
}

/* May a map of source s, which is x below views, be computed before these views? */
static bool may_lift(const Pass *p, const Graph *g, const Node *map, int s, NodeId x) {
    const NodeId id = map->src[s];
    if (id == x || kind_of(p, x) >= KIND_PRODUCT) return id != x;
    if (kind_of(p, x) == KIND_ROW && is_regrouped(g, id, x)) return true;
    return p->of_rows && has_rows_permuted(g, id, x) && are_in_order(p, g, map, s);
}

/* Does each axis of the node belong to the same axis of its source? */
static bool is_by_axes(const Node *n) {
    return n->op == OP_SLICE || n->op == OP_PAD || n->op == OP_FLIP || n->op == OP_BROADCAST ||
           op_info[n->op].class == REDUCE;
}

/* Does it change its source along the innermost axis alone? */
static bool is_within_head(const Graph *g, const Node *n) {
    const Node *x = &g->node[n->src[0]];
    if (!is_by_axes(n) || x->rank != n->rank) return false;
    if (op_info[n->op].class == REDUCE || n->op == OP_FLIP) return n->attr[0] == 1 << (n->rank - 1);
    for (int i = 0; i + 1 < n->rank; i++)
        if (x->shape[i] != n->shape[i]) return false;
    return n->rank > 0;
}

/* Does the right operand give several axes, the last of which are heads? */
static bool has_heads(const Graph *g, const Node *dot) {
    return dot->rank - (g->node[dot->src[0]].rank - dot->attr[1]) > 1;
}

static Kind own_kind(const Pass *p, const Graph *g, const Node *n) {
    OpClass class = op_info[n->op].class;
    if (class == DOT) return has_heads(g, n) ? KIND_HEADS : KIND_PRODUCT;
    if (blocks_dot(g, n)) return KIND_PRODUCT;
    if (n->src_count && kind_of(p, n->src[0]) == KIND_HEADS && is_within_head(g, n))
        return KIND_HEADS;
    if (class == REDUCE || class == SCAN) return KIND_ROW;
    if (class != VIEW || moves_elements(n)) return KIND_NONE;
    const Kind kind = kind_of(p, below(g, n->src[0]));
    if (n->op == OP_BROADCAST && kind == KIND_ROW) return KIND_ROW;
    if (is_of_rows(kind_of(p, n->src[0])) && is_within_head(g, n)) return KIND_WITHIN;
    return kind ? KIND_READER : KIND_NONE;
}

/* The axes of a view's source that its axes `axes` are, alone; 0: there is none. */
static uint32_t axes_below(const Graph *g, const Node *view, uint32_t axes) {
    const Node *from = &g->node[view->src[0]];
    uint32_t found = 0;
    Dim one = dim_const(g->dims, 1), before = one;
    for (int i = 0; i < view->rank; before = dim_mul(g->dims, before, view->shape[i]), i++) {
        if (!(axes >> i & 1)) continue;
        if (view->op == OP_PERMUTE) {
            found |= 1u << view->attr[i];
            continue;
        }
        Dim all = one;
        int k = 0;
        while (k < from->rank && all != before) all = dim_mul(g->dims, all, from->shape[k++]);
        if (k == from->rank || from->shape[k] != view->shape[i]) return 0;
        found |= 1u << k;
    }
    return found;
}

/* A sum of a rearranged product of blocks is one of the product, rearranged. */
static NodeId lift_sum(Graph *g, const Node *sum) {
    const Node view = g->node[sum->src[0]];
    if (!moves_elements(&view)) return graph_add(g, sum);
    const uint32_t axes = axes_below(g, &view, (uint32_t)sum->attr[0]);
    if (!axes) return graph_add(g, sum);
    Node lower = *sum, above = view;
    const Node *from = &g->node[view.src[0]];
    lower.src[0] = view.src[0];
    lower.attr[0] = (int32_t)axes;
    lower.rank = from->rank;
    for (int i = 0; i < from->rank; i++)
        lower.shape[i] = axes >> i & 1 ? dim_const(g->dims, 1) : from->shape[i];
    for (int i = 0; i < view.rank; i++)
        if (sum->attr[0] >> i & 1) above.shape[i] = dim_const(g->dims, 1);
    return redo(g, &above, lift_sum(g, &lower));
}

/* The node with its axes in the order of the source of a permutation. */
static Node unpermuted(const Node *n, const Node *view) {
    Node lower = *n;
    const bool has_mask = op_info[n->op].class == REDUCE || n->op == OP_FLIP;
    if (has_mask) lower.attr[0] = 0;
    lower.src[0] = view->src[0];
    for (int i = 0; i < n->rank; i++) {
        const int axis = view->attr[i];
        lower.shape[axis] = n->shape[i];
        if (has_mask)
            lower.attr[0] |= (n->attr[0] >> i & 1) << axis;
        else
            lower.attr[axis] = n->attr[i];
    }
    return lower;
}

/* What works within heads, below permutations of them, and views within rows, if those of rows are
 * lifted; 0: it does neither. */
static NodeId lift_within(Pass *p, Graph *g, const Node *n, bool of_rows) {
    const Node view = g->node[n->src[0]];
    if (!is_by_axes(n) || view.op != OP_PERMUTE || view.rank != n->rank) return 0;
    const Node lower = unpermuted(n, &view);
    const Kind kind = kind_of(p, view.src[0]);
    const bool is_row =
        is_of_rows(kind) && of_rows && op_info[n->op].class == VIEW && keeps_innermost(g, &view);
    NodeId id = lift_within(p, g, &lower, of_rows);
    if (!id && (kind == KIND_HEADS || is_row) && is_within_head(g, &lower))
        id = mark(p, g, graph_add(g, &lower), is_row ? KIND_WITHIN : kind);
    return id ? redo(g, &view, id) : 0;
}

/* A value that a reduction reads is lifted below permutations of heads alone: so is the
 * reduction. */
static bool may_pass(const Graph *g, NodeId id, NodeId x, Kind kind) {
    while (g->node[id].op == OP_PERMUTE) id = g->node[id].src[0];
    return kind == KIND_HEADS && id == x;
}

static NodeId lift_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                        void *context) {
    Pass *p = context;
    (void)from;
    if (adds_blocks(to, draft) && moves_elements(&to->node[draft->src[0]]))
        return mark(p, to, lift_sum(to, draft), KIND_PRODUCT);
    const NodeId within =
        draft->src_count ? lift_within(p, to, draft, p->of_rows && p->last[old]) : 0;
    if (within) return within;
    Kind most = own_kind(p, to, draft);
    for (int i = 0; i < draft->src_count && op_info[draft->op].class == MAP; i++) {
        NodeId x = below(to, draft->src[i]);
        Kind kind = kind_of(p, x);
        if (kind >= KIND_WITHIN && (p->last[old] || may_pass(to, draft->src[i], x, kind)) &&
            may_lift(p, to, draft, i, x))
            return lift_map(p, to, draft, i, kind);
        if (kind > most) most = kind;
    }
    NodeId id = graph_add(to, draft);
    return most ? mark(p, to, id, most) : id;
}

Graph *lift(const Graph *g, bool of_rows) {
    Pass p = {.last = find_last(g), .of_rows = of_rows};
    return graph_rewrite(g, lift_rule, &p);
}
