/* batched.c: columns of a product that several matrices have, each with rows in memory of its own,
 * are a batch of products, for a CPU, unless vectors of columns are within one matrix: else
 * operands and results would be read and written lane by lane:
 *
 *     a[m, k] @ b[c, k, t], columns (c, t)     becomes     permute(broadcast(a)[c, m, k] @ b)
 *
 * needs: decomposed. keeps: meaning, bit for bit. breaks: nothing. */
#include "graph/pass/pass.h"

/* Columns of a matrix: whole vectors of any target; fewer would fill a panel in part only. */
enum { VECTOR = 16, LEAST = 64 };

typedef struct Product {
    int batch, m, outer; /* axes: those of a batch, of rows, of matrices of columns */
} Product;

/* Are the columns the last axis in memory, with others than those of columns before it? */
static bool is_strided(const Node *right, const Product *p) {
    const int last = p->batch + p->outer;
    return right->op == OP_PERMUTE && !right->stored && right->attr[last] == right->rank - 1 &&
           right->attr[last - 1] != right->rank - 2;
}

static bool find(const Graph *g, const Node *n, Product *p) {
    int64_t columns;
    if (n->op != OP_DOT || dot_is_across(n) || dot_sums_f8(g, n)) return false;
    const Node *left = &g->node[n->src[0]], *right = &g->node[n->src[1]];
    const int kept = left->rank - n->attr[1];
    *p = (Product){n->attr[0], kept - n->attr[0], n->rank - kept - 1};
    return !p->batch && p->outer > 0 && left->rank + p->outer <= RANK_MAX && is_strided(right, p) &&
           dim_is_const(g->dims, n->shape[n->rank - 1], &columns) && columns % VECTOR &&
           columns >= LEAST;
}

/* The left operand, for each matrix. */
static NodeId repeated(Graph *g, const Node *n, const Product *p) {
    const Node left = g->node[n->src[0]];
    Dim one[RANK_MAX], all[RANK_MAX];
    for (int i = 0; i < left.rank + p->outer; i++) {
        const bool is_outer = i < p->outer;
        one[i] = is_outer ? dim_const(g->dims, 1) : left.shape[i - p->outer];
        all[i] = is_outer ? n->shape[p->m + i] : one[i];
    }
    const NodeId x = graph_reshape(g, n->src[0], left.rank + p->outer, one, n->span);
    return graph_broadcast(g, x, left.rank + p->outer, all, n->span);
}

static NodeId batched_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                           void *context) {
    Product p;
    int order[RANK_MAX];
    (void)context;
    if (!find(from, &from->node[old], &p)) return graph_add(to, draft);
    Node n = *draft;
    n.src[0] = repeated(to, draft, &p);
    n.attr[0] = p.outer;
    for (int i = 0; i < p.outer; i++) n.shape[i] = draft->shape[p.m + i];
    for (int i = 0; i < p.m; i++) n.shape[p.outer + i] = draft->shape[i];
    for (int i = 0; i < n.rank; i++)
        order[i] = i < p.m ? p.outer + i : i < p.m + p.outer ? i - p.m : i;
    return graph_permute(to, graph_add(to, &n), order, n.span);
}

Graph *batched(const Graph *g) { return graph_rewrite(g, batched_rule, NULL); }
