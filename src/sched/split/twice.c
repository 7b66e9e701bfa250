/* twice.c: a product of which rows and columns are reduced, and that nothing else reads, is
 * computed twice, once transposed, where that takes no longer than to store and read it: as in a
 * contrastive loss. Then all of its reductions are of rows, see columns.c. On a GPU, of known
 * sizes.
 *
 *     s = x y^T, max(s, axis = 0)       becomes       max(y x^T, axis = 1)
 *
 * Comparisons of products with what depends on products stay as they are (again.c).
 *
 * needs: simplified. keeps: meaning; the two products may be summed in another order. breaks:
 * nothing. */
#include "sched/split/split.h"

enum {
    ROWS = 2, /* axes of a reduction, as bits */
    COLUMNS = 1,
    PASSES = 3 /* through a product in memory: it is stored, and read for rows and for columns */
};

typedef struct Twice {
    const Graph *from;
    Graph *to;
    const Machine *machine;
    ReducedProducts products; /* whose rows or columns are reduced */
    NodeId *id;               /* node -> in the new graph */
    NodeId *turned;           /* node -> the same transposed, if made */
} Twice;

/* ---- which products -------------------------------------------------------------------------- */

/* Of two matrices, and computed in less time than it takes to store and read it. */
static bool pays(const Twice *t, NodeId id) {
    const Graph *g = t->from;
    const Node *n = &g->node[id];
    int64_t elements;
    if (n->op != OP_DOT || n->rank != 2 || n->type != T_F32 || n->attr[0] || n->attr[1] != 1)
        return false;
    if (!split_extent(g, id, ROWS | COLUMNS, &elements) || g->node[n->src[0]].rank != 2 ||
        g->node[n->src[1]].rank != 2)
        return false;
    const double bytes = (double)elements * (double)dtype_size(n->type);
    return cost_split_k(t->machine, g, id, 1) < PASSES * bytes / (t->machine->bandwidth * 1e9);
}

static bool is_reduced(const Node *n) {
    return op_info[n->op].class == REDUCE && n->op != OP_ARGMAX &&
           (n->attr[0] == ROWS || n->attr[0] == COLUMNS);
}

static ReducedProducts find_products(const Twice *t) {
    const Graph *g = t->from;
    bool *products = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) products[id] = pays(t, id);
    return split_reduced_products(g, products, is_reduced);
}

static bool is_taken(const Twice *t, NodeId product) {
    const ReducedProducts *p = &t->products;
    return product && !p->refused[product] && p->axes[product] == (ROWS | COLUMNS);
}

/* A reduction of columns of a product that is computed twice. */
static bool is_turned(const Twice *t, NodeId id) {
    const Node *n = &t->from->node[id];
    return is_reduced(n) && n->attr[0] == COLUMNS && is_taken(t, t->products.root[n->src[0]]);
}

/* ---- what it becomes ------------------------------------------------------------------------- */

static NodeId turned(Twice *t, NodeId old);

static NodeId turned_map(Twice *t, const Node *n) {
    Node draft = *n;
    for (int i = 0; i < n->src_count; i++) draft.src[i] = turned(t, n->src[i]);
    draft.shape[0] = n->shape[1], draft.shape[1] = n->shape[0];
    return graph_add(t->to, &draft);
}

static NodeId turned_broadcast(Twice *t, const Node *n) {
    const Node *x = &t->from->node[n->src[0]];
    const Dim shape[] = {n->shape[1], n->shape[0]};
    const NodeId from = x->rank == n->rank ? turned(t, n->src[0]) : t->id[n->src[0]];
    return graph_broadcast(t->to, from, n->rank, shape, n->span);
}

static NodeId make_turned(Twice *t, NodeId old) {
    static const int exchanged[] = {1, 0};
    const Node *n = &t->from->node[old];
    if (t->products.root[old] == old)
        return graph_dot(t->to, t->id[n->src[1]], t->id[n->src[0]], 0, 1, n->span);
    if (op_info[n->op].class == MAP && n->src_count) return turned_map(t, n);
    if (n->op == OP_BROADCAST &&
        (t->from->node[n->src[0]].rank == n->rank || cost_elements(t->from, n->src[0]) == 1))
        return turned_broadcast(t, n);
    if (is_turned(t, old)) return graph_reduce(t->to, n->op, turned(t, n->src[0]), ROWS, n->span);
    return graph_permute(t->to, t->id[old], exchanged, n->span);
}

static NodeId turned(Twice *t, NodeId old) {
    if (!t->turned[old]) t->turned[old] = make_turned(t, old);
    return t->turned[old];
}

static NodeId twice_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    Twice *t = context;
    const Node *n = &from->node[old];
    t->to = to;
    for (int i = 0; i < n->src_count; i++) t->id[n->src[i]] = draft->src[i];
    if (!is_turned(t, old)) return graph_add(to, draft);
    return graph_reshape(to, turned(t, old), draft->rank, draft->shape, draft->span);
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Would columns.c leave a product of this size whole, in either order? */
static bool leaves_whole(const Graph *g, const Node *product) {
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const bool same = n->shape[0] == product->shape[0] && n->shape[1] == product->shape[1];
        const bool crossed = n->shape[0] == product->shape[1] && n->shape[1] == product->shape[0];
        if (n->op == OP_DOT && n->rank == 2 && (same || crossed)) return true;
    }
    return false;
}

const Graph *split_twice(const Graph *g, const Machine *machine) {
    Twice t = {.from = g, .machine = machine};
    bool any = false;
    if (!machine_is_gpu(machine) || g->attrs.max_kernels) return g;
    t.id = arena_array(g->arena, NodeId, g->count);
    t.turned = arena_array(g->arena, NodeId, g->count);
    t.products = find_products(&t);
    for (NodeId id = 1; id < g->count && !any; id++) any = is_taken(&t, id);
    if (!any) return g;
    const Graph *made = simplify(lift(graph_rewrite(g, twice_rule, &t), true));
    const Graph *pieces = split_columns(made, machine);
    for (NodeId id = 1; id < g->count; id++)
        if (is_taken(&t, id) && leaves_whole(pieces, &g->node[id])) return g;
    return made;
}
