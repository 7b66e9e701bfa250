/* slices.c: slices of a contraction become contractions of slices. split(x @ w.T + b, 2) becomes
 * two products of x with halves of w, which the scheduler can compute side by side, without storing
 * the whole. needs: simplified. keeps: meaning, bit for bit. breaks: nothing.
 *
 *     slice(map(dot(a, b), c))   becomes   map(dot(a, slice(b)), slice(c))
 *
 * if only slices read the map and the dot, and together they are not larger than the whole. Those
 * of the result of an attention stay: weights that two products read would be stored. So do few
 * elements for a GPU if their slices would take several kernels, having different shapes. */
#include "graph/pass/pass.h"

#include <string.h>

enum { FEW = 1 << 19 }; /* elements that are written and read faster than a kernel starts */

typedef struct Pass {
    const Graph *from;
    bool is_gpu;
    Graph *to;
    NodeId *id;   /* old node -> new node */
    bool *sliced; /* read only through slices, directly or through such maps */
    bool *dot;    /* sliced, and a function of a contraction */
} Pass;

/* ---- which nodes --------------------------------------------------------------------------- */

/* Are pieces of it put together again, by pads, directly or after maps and views? */
static const bool *find_joined(const Graph *g) {
    bool *joined = arena_array(g->arena, bool, g->count);
    for (NodeId n = g->count - 1; n > 0; n--) {
        const Node *node = &g->node[n];
        const OpClass class = op_info[node->op].class;
        const bool joins = node->op == OP_PAD || ((class == MAP || class == VIEW) && joined[n]);
        for (int i = 0; i < node->src_count && joins; i++) joined[node->src[i]] = true;
    }
    return joined;
}

/* The first axis of each contraction, and of maps of it, that comes from the right operand; 0: it
 * is none. */
static const int *find_columns(const Graph *g) {
    int *first = arena_array(g->arena, int, g->count);
    for (NodeId n = 1; n < g->count; n++) {
        const Node *node = &g->node[n];
        if (node->op == OP_DOT) first[n] = g->node[node->src[0]].rank - node->attr[1];
        for (int i = 0; i < node->src_count && op_info[node->op].class == MAP; i++)
            if (first[node->src[i]] > first[n]) first[n] = first[node->src[i]];
    }
    return first;
}

/* Does a slice take a part of each of several groups of columns, such as half of each head? */
static bool cuts_groups(const Graph *g, const Node *slice, int first) {
    const Node *x = &g->node[slice->src[0]];
    bool has_groups = false;
    for (int i = first; i < x->rank && first; i++) {
        if (has_groups && slice->shape[i] != x->shape[i]) return true;
        has_groups |= !dim_is(g->dims, x->shape[i], 1);
    }
    return false;
}

/* Does another slice of a few elements have another shape? The first one is kept. */
static bool is_apart(const Pass *p, const Node *slice, NodeId *first) {
    const Graph *g = p->from;
    const Node *other = &g->node[*first];
    int64_t elements;
    const bool is_few =
        dim_is_const(g->dims, node_elements(g, slice->src[0]), &elements) && elements <= FEW;
    if (!*first) *first = (NodeId)(slice - g->node);
    return p->is_gpu && is_few && other->op == OP_SLICE &&
           !shape_equal(slice->rank, slice->shape, other->rank, other->shape);
}

/* Elements of the slices that read each node; 0 if it has another reader, or one that puts halves
 * of heads together again: these are best read in a tile of the whole product. */
static void count_readers(Pass *p, Dim *read) {
    const Graph *g = p->from;
    const bool *joined = find_joined(g);
    const int *first = find_columns(g);
    NodeId *slice = arena_array(g->arena, NodeId, g->count); /* the first that reads a node */
    Dim none = dim_const(g->dims, 0);
    for (NodeId n = 1; n < g->count; n++) read[n] = none;
    for (int i = 0; i < g->outputs.count; i++) read[g->outputs.at[i].node] = 0;
    for (NodeId n = 1; n < g->count; n++) {
        const Node *node = &g->node[n];
        for (int i = 0; i < node->src_count; i++) {
            NodeId s = node->src[i];
            if (!read[s] || op_info[node->op].class == MAP) continue; /* maps: see find_sliced */
            const bool is_slice = node->op == OP_SLICE &&
                                  !(joined[n] && cuts_groups(g, node, first[s])) &&
                                  !is_apart(p, node, &slice[s]);
            Dim elements = is_slice ? node_elements(g, n) : 0;
            read[s] = elements ? dim_add(g->dims, read[s], elements) : 0;
        }
    }
}

static bool is_through(const Graph *g, NodeId id) {
    Attention a;
    const Node *n = &g->node[id];
    return op_info[n->op].class == MAP || (n->op == OP_DOT && !find_attention(g, id, &a));
}

/* From readers to sources: a map passes its readers on. */
static void find_sliced(Pass *p) {
    const Graph *g = p->from;
    Dim *read = arena_array(g->arena, Dim, g->count);
    int *maps = arena_array(g->arena, int, g->count); /* readers that are maps */
    count_readers(p, read);
    for (NodeId n = g->count - 1; n > 0; n--) {
        const Node *node = &g->node[n];
        Dim all = node_elements(g, n);
        bool slices =
            read[n] && !dim_is(g->dims, read[n], 0) && all && dim_le(g->dims, read[n], all);
        p->sliced[n] = is_through(g, n) && node->rank && read[n] && (maps[n] ? true : slices) &&
                       (maps[n] == 0 || dim_is(g->dims, read[n], 0));
        if (op_info[node->op].class != MAP) continue;
        for (int i = 0; i < node->src_count; i++) {
            if (p->sliced[n])
                maps[node->src[i]]++;
            else
                read[node->src[i]] = 0;
        }
    }
    for (NodeId n = 1; n < g->count; n++) {
        const Node *node = &g->node[n];
        if (!p->sliced[n]) continue;
        p->dot[n] = node->op == OP_DOT;
        for (int i = 0; i < node->src_count; i++) p->dot[n] |= p->dot[node->src[i]];
    }
}

/* ---- slicing from above -------------------------------------------------------------------- */

static NodeId slice_of(Pass *p, NodeId old, const Dim *start, const Dim *extent, Span span);

/* The slice of an operand of a dot: along the axes that it gives to the result. */
static NodeId slice_operand(Pass *p, const Node *dot, int side, const Dim *start, const Dim *extent,
                            Span span) {
    const Node *x = &p->from->node[dot->src[side]];
    int batch = dot->attr[0], own = x->rank - batch - dot->attr[1];
    int m = p->from->node[dot->src[0]].rank - batch - dot->attr[1];
    Dim from[RANK_MAX], size[RANK_MAX];
    for (int i = 0; i < x->rank; i++) {
        int axis = i < batch ? i : side == 0 ? i : i + m; /* of the result */
        bool kept = i < batch + own;
        from[i] = kept ? start[axis] : dim_const(p->to->dims, 0);
        size[i] = kept ? extent[axis] : x->shape[i];
    }
    return graph_slice(p->to, p->id[dot->src[side]], from, size, span);
}

static NodeId slice_dot(Pass *p, const Node *dot, const Dim *start, const Dim *extent, Span span) {
    Node draft = *dot;
    draft.type = T_NONE;
    draft.rank = 0;
    memset(draft.shape, 0, sizeof draft.shape);
    for (int side = 0; side < 2; side++)
        draft.src[side] = slice_operand(p, dot, side, start, extent, span);
    return graph_add(p->to, &draft);
}

static NodeId slice_map(Pass *p, const Node *map, const Dim *start, const Dim *extent, Span span) {
    Node draft = *map;
    for (int i = 0; i < map->src_count; i++)
        draft.src[i] = slice_of(p, map->src[i], start, extent, span);
    for (int i = 0; i < map->rank; i++) draft.shape[i] = extent[i];
    return graph_add(p->to, &draft);
}

static NodeId slice_of(Pass *p, NodeId old, const Dim *start, const Dim *extent, Span span) {
    const Node *n = &p->from->node[old];
    if (!p->dot[old]) return graph_slice(p->to, p->id[old], start, extent, span);
    if (n->op == OP_DOT) return slice_dot(p, n, start, extent, span);
    return slice_map(p, n, start, extent, span);
}

static NodeId rebuild(Pass *p, NodeId old) {
    const Node *n = &p->from->node[old];
    if (n->op == OP_SLICE && p->dot[n->src[0]]) {
        NodeId part = slice_of(p, n->src[0], n->attr, n->shape, n->span);
        graph_name(p->to, part, n->name);
        return part;
    }
    Node draft = *n;
    for (int i = 0; i < n->src_count; i++) draft.src[i] = p->id[n->src[i]];
    return graph_add(p->to, &draft);
}

Graph *slices(const Graph *g, bool is_gpu) {
    Pass p = {.from = g, .is_gpu = is_gpu, .to = graph_like(g)};
    p.id = arena_array(g->arena, NodeId, g->count);
    p.sliced = arena_array(g->arena, bool, g->count);
    p.dot = arena_array(g->arena, bool, g->count);
    find_sliced(&p);
    for (int i = 0; i < g->inputs.count; i++) {
        const GraphInput *in = &g->inputs.at[i];
        const Node *n = &g->node[in->node];
        p.id[in->node] = graph_input(p.to, in->name, n->type, n->rank, n->shape, in->span);
    }
    for (NodeId n = 1; n < g->count; n++)
        if (g->node[n].op != OP_INPUT && !(p.id[n] = rebuild(&p, n))) return NULL;
    for (int i = 0; i < g->outputs.count; i++)
        graph_output(p.to, g->outputs.at[i].name, p.id[g->outputs.at[i].node],
                     g->outputs.at[i].span);
    return graph_rewrite(p.to, NULL, NULL); /* without wholes that became dead */
}
