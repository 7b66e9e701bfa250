/* compared.c: what a comparison with a maximum or minimum depends on has the same bits wherever it
 * is computed: in the loop that finds the maximum, and in the loop or kernel that compares.
 *
 *     u = x * w + c, u == max(u)
 *
 * Compilers contract x * w + c to a fused multiply-add, but not where the product has another
 * reader; then no element is equal to the maximum. So a product among such values is rounded by
 * itself, and emitters use no approximation that depends on readers: attr[0] of these MAP nodes is
 * 1.
 *
 * needs: simplified. keeps: meaning, bit for bit. breaks: nothing. */
#include "graph/pass/pass.h"

typedef struct Pass {
    const Graph *g;
    bool *finds;    /* is it a function of a maximum or minimum along axes, running ones too? */
    bool *compared; /* does a comparison with such a function depend on it? */
    bool *below;    /* does such a maximum or minimum, which a comparison reads, depend on it? */
} Pass;

static bool is_extreme(const Node *n) {
    return n->op == OP_RMAX || n->op == OP_RMIN || n->op == OP_CUMMAX || n->op == OP_CUMMIN ||
           (n->op == OP_COMBINE && (n->attr[1] == OP_MAX || n->attr[1] == OP_MIN));
}

static bool is_elements(const Node *n) {
    const OpClass class = op_info[n->op].class;
    return class == MAP || class == VIEW || class == GATHER;
}

static bool compares(const Node *n) {
    return n->op == OP_EQ || n->op == OP_NE || n->op == OP_LT || n->op == OP_LE;
}

static void find_extremes(const Pass *p) {
    for (NodeId id = 1; id < p->g->count; id++) {
        const Node *n = &p->g->node[id];
        p->finds[id] = is_extreme(n);
        for (int i = 0; i < n->src_count && is_elements(n); i++)
            p->finds[id] |= p->finds[n->src[i]];
    }
}

/* Sources after their readers. */
static void find_compared(const Pass *p) {
    for (NodeId id = p->g->count - 1; id > 0; id--) {
        const Node *n = &p->g->node[id];
        const bool with_extreme = compares(n) && (p->finds[n->src[0]] || p->finds[n->src[1]]);
        for (int i = 0; i < n->src_count; i++) {
            const NodeId from = n->src[i];
            p->compared[from] |= with_extreme || (p->compared[id] && is_elements(n));
            p->below[from] |= (p->compared[id] && is_extreme(n)) ||
                              (p->below[id] && (is_elements(n) || is_extreme(n)));
        }
    }
}

static bool is_repeated(const Pass *p, NodeId id) {
    const Node *n = &p->g->node[id];
    return p->compared[id] && p->below[id] && op_info[n->op].class == MAP && !op_is_call(n->op) &&
           dtype_is_float(n->type);
}

static NodeId mark(Graph *to, const Graph *from, NodeId old, const Node *draft, void *context) {
    Node n = *draft;
    (void)from;
    if (is_repeated(context, old)) n.attr[0] = 1;
    return graph_add(to, &n);
}

Graph *compared(const Graph *g) {
    Pass p = {g, arena_array(g->arena, bool, g->count), arena_array(g->arena, bool, g->count),
              arena_array(g->arena, bool, g->count)};
    find_extremes(&p);
    find_compared(&p);
    return graph_rewrite(g, mark, &p);
}
