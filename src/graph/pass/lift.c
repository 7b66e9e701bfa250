/* lift.c: what is pointwise in a rearranged contraction is computed before it is rearranged, where
 * the kernel of the contraction can take it:
 *
 *     map(permute(x), y)   becomes   permute(map(x, permute⁻¹(y)))
 *
 * for reshapes as well, where x is a contraction or pointwise in one. The rearrangement that is
 * left only says where the kernel stores. needs   decomposed keeps   meaning, bit for bit breaks
 * nothing */
#include "graph/pass/pass.h"

#include <string.h>

typedef struct Pass {
    const bool *last; /* old node -> only views, contractions and maps of the same kind read it */
    bool *result;     /* node of the new graph -> a contraction, or pointwise in one */
    int size;
} Pass;

/* What a reduction reads stays where it is, so that a row stays in one kernel. */
static const bool *find_last(const Graph *g) {
    bool *last = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) last[id] = true;
    for (NodeId id = g->count - 1; id > 0; id--) {
        OpClass class = op_info[g->node[id].op].class;
        bool passes = class == DOT || ((class == MAP || class == VIEW) && last[id]);
        for (int i = 0; i < g->node[id].src_count && !passes; i++) last[g->node[id].src[i]] = false;
    }
    return last;
}

static bool is_result(const Pass *p, NodeId id) { return id < p->size && p->result[id]; }

static void mark_result(Pass *p, Graph *g, NodeId id) {
    if (id >= p->size) {
        int size = 2 * id + 64;
        bool *larger = arena_array(g->arena, bool, size);
        for (int i = 0; i < p->size; i++) larger[i] = p->result[i];
        p->result = larger;
        p->size = size;
    }
    p->result[id] = true;
}

static bool moves_elements(const Node *n) { return n->op == OP_PERMUTE || n->op == OP_RESHAPE; }

static NodeId below(const Graph *g, NodeId id) {
    while (moves_elements(&g->node[id])) id = g->node[id].src[0];
    return id;
}

/* The view undone: of what has the view's shape, with the shape of its source. */
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

/* The map below source number s of it, a chain of views. */
static NodeId lift_map(Pass *p, Graph *g, const Node *map, int s) {
    const Node view = g->node[map->src[s]];
    Node lower = *map;
    if (!moves_elements(&view)) {
        lower.rank = view.rank;
        memcpy(lower.shape, view.shape, sizeof lower.shape);
        NodeId id = graph_add(g, &lower);
        if (id) mark_result(p, g, id);
        return id;
    }
    for (int i = 0; i < map->src_count; i++)
        lower.src[i] = i == s ? view.src[0] : undo(g, &view, map->src[i]);
    return redo(g, &view, lift_map(p, g, &lower, s));
}

static NodeId lift_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                        void *context) {
    Pass *p = context;
    (void)from;
    bool result = draft->op == OP_DOT;
    for (int i = 0; i < draft->src_count && op_info[draft->op].class == MAP; i++) {
        NodeId x = below(to, draft->src[i]);
        if (!is_result(p, x)) continue;
        if (x != draft->src[i] && p->last[old]) return lift_map(p, to, draft, i);
        result = true;
    }
    NodeId id = graph_add(to, draft);
    if (id && result) mark_result(p, to, id);
    return id;
}

Graph *lift(const Graph *g) {
    Pass p = {.last = find_last(g)};
    return graph_rewrite(g, lift_rule, &p);
}
