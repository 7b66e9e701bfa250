/* agreed.c: right operands of products that are added lie in memory in one way, which warpgroups
 * need: a small one is copied, transposed, where the product gains more than that takes. needs:
 * simplified. keeps: meaning. breaks: nothing.
 *
 *     x w[M, K]^T + t b[R, M]       becomes       x w^T + t c^T, where c[M, R] = b^T is stored
 */
#include "sched/split/split.h"

typedef struct Agreed {
    const Graph *from;
    const Machine *machine;
    int *readers; /* see split_readers */
    bool *copied; /* product: is its right operand? */
} Agreed;

/* Is it a product by warpgroups, of matrices, that only its sum reads? */
static bool may_agree(const Agreed *a, NodeId id) {
    enum { LEAST_ROWS = 128 };
    const Graph *g = a->from;
    const Node *n = &g->node[id], *right = &g->node[n->src[1]];
    int64_t size;
    if (n->op != OP_DOT || n->type != T_F32 || a->readers[id] != 1) return false;
    const int batch = n->attr[0];
    if (right->rank != batch + 2 || n->rank != batch + 2 || dtype_size(right->type) != 2)
        return false;
    for (int i = 0; i < right->rank; i++)
        if (!dim_is_const(g->dims, right->shape[i], &size)) return false;
    return dim_is_const(g->dims, n->shape[batch], &size) && size >= LEAST_ROWS &&
           !cost_is_turned(a->machine, g, id);
}

/* By warps the sum takes longer by a part of its time. On an H200 1024 x 4096 x 4096 with 128 terms
 * more takes 81 us so. */
static bool pays(const Agreed *a, NodeId large, NodeId small) {
    static const double part = 0.25, start = 2e-6; /* of a kernel */
    const Graph *g = a->from;
    const double bytes = 2 * (double)cost_bytes(g, g->node[small].src[1]);
    const double copy = bytes / (a->machine->bandwidth * 1e9) + 1e-9 * a->machine->launch + start;
    return part * cost_split_k(a->machine, g, large, 1) > copy;
}

static void find(Agreed *a) {
    const Graph *g = a->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (n->op != OP_ADD || !may_agree(a, n->src[0]) || !may_agree(a, n->src[1])) continue;
        if (cost_may_share_rows(a->machine, g, n->src, 2)) continue;
        const bool second =
            cost_bytes(g, g->node[n->src[1]].src[1]) < cost_bytes(g, g->node[n->src[0]].src[1]);
        const NodeId small = n->src[second], large = n->src[!second];
        if (pays(a, large, small)) a->copied[small] = true;
    }
}

/* The operand, stored with its last two axes exchanged in memory. */
static NodeId copy_of(Graph *to, NodeId x, Span span) {
    int order[RANK_MAX], back[RANK_MAX];
    const Node n = to->node[x];
    const bool is_turned = n.op == OP_PERMUTE && n.attr[n.rank - 1] != n.rank - 1;
    for (int i = 0; i < n.rank; i++) order[i] = i;
    if (!is_turned) order[n.rank - 1] = n.rank - 2, order[n.rank - 2] = n.rank - 1;
    for (int i = 0; i < n.rank; i++) back[order[i]] = i;
    Node stored = {.op = OP_PERMUTE, .src_count = 1, .src = {x}, .span = span, .stored = true};
    for (int i = 0; i < n.rank; i++) stored.attr[i] = order[i];
    return graph_permute(to, graph_add(to, &stored), back, span);
}

static NodeId agreed_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    const Agreed *a = context;
    Node dot = *draft;
    (void)from;
    if (a->copied[old]) dot.src[1] = copy_of(to, draft->src[1], draft->span);
    return graph_add(to, &dot);
}

const Graph *split_agreed(const Graph *g, const Machine *machine) {
    Agreed a = {.from = g, .machine = machine};
    bool any = false;
    if (!machine_is_gpu(machine) || !machine->wgmma || g->attrs.max_kernels) return g;
    a.readers = split_readers(g);
    a.copied = arena_array(g->arena, bool, g->count);
    find(&a);
    for (NodeId id = 1; id < g->count && !any; id++) any = a.copied[id];
    return any ? graph_rewrite(g, agreed_rule, &a) : g;
}
