/* shared_values.c: heads that have queries and keys of their own, and share values, as in
 * differential attention. Both contractions of an attention get the batch of the first:
 *
 *     dot(softmax(scores[b h m n]), v[b n c])   becomes   dot(.., broadcast(v)[b h n c])
 *
 * needs: simplified. keeps: meaning, bit for bit. breaks: nothing. */
#include "graph/pass/pass.h"

static NodeId share(Graph *to, const Graph *from, NodeId old, const Node *draft, void *context) {
    (void)context;
    const int batch = attention_batch(from, old), own = draft->attr[0];
    const Node *v = &to->node[draft->src[1]], *weights = &to->node[draft->src[0]];
    const int rank = v->rank + batch - own;
    Dim shape[RANK_MAX], spread[RANK_MAX];
    if (batch <= own || rank > RANK_MAX) return graph_add(to, draft);
    for (int i = 0; i < rank; i++) {
        const bool is_new = i >= own && i < batch;
        shape[i] = is_new ? dim_const(to->dims, 1) : v->shape[i < own ? i : i - batch + own];
        spread[i] = is_new ? weights->shape[i] : shape[i];
    }
    Node dot = *draft;
    dot.src[1] = graph_reshape(to, draft->src[1], rank, shape, draft->span);
    dot.src[1] = graph_broadcast(to, dot.src[1], rank, spread, draft->span);
    dot.attr[0] = batch;
    return graph_add(to, &dot);
}

Graph *shared_values(const Graph *g) { return graph_rewrite(g, share, NULL); }
