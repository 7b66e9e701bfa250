/* reduced_products.c: which products are only reduced: beside functions of their elements, all
 * readers are reductions that a pass can take apart.
 * In: Graph, and the products by node. Out: a ReducedProducts. */
#include "sched/split/split.h"

static void note_reader(ReducedProducts *p, const Graph *g, NodeId id, NodeId product,
                        bool (*is_taken)(const Node *n)) {
    if (is_taken(&g->node[id]))
        p->axes[product] |= (uint32_t)g->node[id].attr[0];
    else if (p->root[id] != product || compares_products(g, id))
        p->refused[product] = true;
}

ReducedProducts split_reduced_products(const Graph *g, const bool *products,
                                       bool (*is_taken)(const Node *n)) {
    ReducedProducts p = {arena_array(g->arena, NodeId, g->count),
                         arena_array(g->arena, bool, g->count),
                         arena_array(g->arena, uint32_t, g->count)};
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (products[id]) p.root[id] = id;
        for (int i = 0; i < n->src_count && op_info[n->op].class == MAP; i++)
            if (!p.root[id]) p.root[id] = p.root[n->src[i]];
        for (int i = 0; i < n->src_count; i++)
            if (p.root[n->src[i]]) note_reader(&p, g, id, p.root[n->src[i]], is_taken);
    }
    for (int i = 0; i < g->outputs.count; i++) p.refused[p.root[g->outputs.at[i].node]] = true;
    return p;
}
