/* vectors.c: on a GPU a product of a matrix and a vector becomes a sum of each row of the matrix:
 * of a product's tile one column would be used. The sum is fused with what else works on these
 * rows, and with the product that makes them. On an H200, 4096 x 4096 of bf16: 48.9 us as a
 * product, 11.3 as sums. On a CPU, which reads a matrix in place for few columns, a product of two
 * vectors becomes a sum. needs: simplified. keeps: meaning; sums are in another order. breaks:
 * nothing.
 *
 *     a[M, K] b[1, K]   becomes   sum(a[M, K] * b[K])
 *
 * Not where the rows lie across memory, where the product is a part of an attention or of a chain
 * of products, or is added to another product. */
#include "sched/split/split.h"

typedef struct Vectors {
    const Graph *from;
    const Machine *machine;
    bool *product; /* node -> does it depend on a product? */
    bool *reduced; /* node -> does it depend on a reduction of a function of a product? */
    bool *weights; /* node -> on an exponential of such, as the weights of an attention do? */
    bool *operand; /* node -> does a product depend on it? */
    bool *added;   /* node -> a product, or a sum of some, that is added to another one */
} Vectors;

static bool is_product(const Vectors *v, NodeId id) {
    return v->from->node[id].op == OP_DOT ||
           (v->from->node[id].op == OP_ADD && v->added[v->from->node[id].src[0]]);
}

static void find_relations(Vectors *v) {
    const Graph *g = v->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const bool is_exponential = n->op == OP_EXP || n->op == OP_EXP2;
        v->product[id] = n->op == OP_DOT;
        for (int i = 0; i < n->src_count; i++) {
            const NodeId x = n->src[i];
            v->product[id] |= v->product[x];
            v->reduced[id] |= v->reduced[x] || (op_info[n->op].class == REDUCE && v->product[x]);
            v->weights[id] |= v->weights[x] || (is_exponential && v->reduced[x]);
        }
        if (n->op == OP_ADD && is_product(v, n->src[0]) && is_product(v, n->src[1]))
            v->added[n->src[0]] = v->added[n->src[1]] = true;
    }
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; i < g->node[id].src_count; i++)
            v->operand[g->node[id].src[i]] |= v->operand[id] || g->node[id].op == OP_DOT;
}

/* Is the value in memory in another order? */
static bool is_permuted(const Graph *g, NodeId id) {
    while (op_info[g->node[id].op].class == VIEW || g->node[id].op == OP_CAST) {
        if (g->node[id].op == OP_PERMUTE) return true;
        id = g->node[id].src[0];
    }
    return false;
}

static bool has_size_1(const Graph *g, const Node *n, int from, int to) {
    for (int i = from; i < to; i++)
        if (!dim_is(g->dims, n->shape[i], 1)) return false;
    return true;
}

/* On a GPU, a matrix of more than one row times a vector; on a CPU, a vector times a vector. */
static bool has_one_column(const Vectors *v, const Node *dot) {
    const Graph *g = v->from;
    const int kept = g->node[dot->src[0]].rank - dot->attr[1];
    const bool has_one_row = has_size_1(g, dot, dot->attr[0], kept);
    return has_size_1(g, dot, kept, dot->rank) && has_one_row == !machine_is_gpu(v->machine);
}

static bool is_row_sum(const Vectors *v, NodeId id) {
    const Graph *g = v->from;
    const Node *n = &g->node[id];
    if (n->op != OP_DOT || dot_is_across(n) || !has_one_column(v, n)) return false;
    if (v->operand[id] || v->added[id] || v->weights[n->src[0]] || v->weights[n->src[1]])
        return false;
    if (is_permuted(g, n->src[0])) return false;
    Chain chain;
    return !find_chain(g, id, &chain) || !chain_pays(v->machine, g, &chain);
}

/* The vector of each batch, with the axes of the matrix. */
static NodeId spread(Graph *g, NodeId vector, const Node *matrix, const Node *dot) {
    const int batch = dot->attr[0], kept = matrix->rank - dot->attr[1];
    Dim shape[RANK_MAX];
    for (int i = 0; i < matrix->rank; i++)
        shape[i] = i >= batch && i < kept ? dim_const(g->dims, 1) : matrix->shape[i];
    const NodeId rows = graph_reshape(g, vector, matrix->rank, shape, dot->span);
    return graph_broadcast(g, rows, matrix->rank, matrix->shape, dot->span);
}

static NodeId vector_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    if (!is_row_sum(context, old)) return graph_add(to, draft);
    const Dtype type = from->node[old].type;
    const NodeId a = graph_cast(to, draft->src[0], type, draft->span);
    const NodeId b = graph_cast(to, draft->src[1], type, draft->span);
    const Node matrix = to->node[a];
    const uint32_t all = (1u << matrix.rank) - 1, kept = (1u << (matrix.rank - draft->attr[1])) - 1;
    const NodeId products =
        graph_map(to, OP_MUL, a, spread(to, b, &matrix, draft), 0, draft->span);
    const NodeId sum = graph_reduce(to, OP_SUM, products, all & ~kept, draft->span);
    return graph_reshape(to, sum, from->node[old].rank, from->node[old].shape, draft->span);
}

const Graph *sum_vectors(const Graph *g, const Machine *machine) {
    Vectors v = {.from = g, .machine = machine};
    bool any = false;
    v.product = arena_array(g->arena, bool, g->count);
    v.reduced = arena_array(g->arena, bool, g->count);
    v.weights = arena_array(g->arena, bool, g->count);
    v.operand = arena_array(g->arena, bool, g->count);
    v.added = arena_array(g->arena, bool, g->count);
    find_relations(&v);
    for (NodeId id = 1; id < g->count && !any; id++) any = is_row_sum(&v, id);
    return any ? graph_rewrite(g, vector_rule, &v) : g;
}
