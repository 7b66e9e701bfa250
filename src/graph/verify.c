/* verify.c: the checker between passes.
 * In: a graph and the name of the pass that made it. A graph that graph_add and graph_rewrite would
 * not have made is a BUG of that pass. */
#include "graph/graph.h"

#include <string.h>

static const char *line_of(const Graph *g, NodeId id) {
    Text text = text_new(g->arena);
    node_print(g, id, &text);
    return text_get(&text);
}

/* infer of the node's draft must give the node again. */
static void verify_inferred(const Graph *g, NodeId id, const char *pass) {
    Node n = g->node[id], again = n;
    Graph probe = *g; /* keeps the messages of a failing rule; the graph does not change */
    bool is_given = op_info[n.op].class == LEAF || op_info[n.op].class == VIEW || n.op == OP_CAST;
    if (!is_given) {
        again.type = T_NONE;
        again.rank = 0;
        memset(again.shape, 0, sizeof again.shape);
    }
    if (!infer(&probe, &again)) BUG("after %s: not typed: %s", pass, line_of(g, id));
    bool same = again.type == n.type && again.weak == n.weak &&
                shape_equal(again.rank, again.shape, n.rank, n.shape);
    if (!same) BUG("after %s: another type or shape than inferred: %s", pass, line_of(g, id));
}

static void verify_node(const Graph *g, NodeId id, const char *pass) {
    Node n = g->node[id];
    for (int i = 0; i < n.src_count && i < SRC_MAX; i++)
        if (n.src[i] <= 0 || n.src[i] >= id)
            BUG("after %s: source %%%d of a node that is no later: %s", pass, n.src[i],
                line_of(g, id));
    verify_inferred(g, id, pass);
    node_order_sources(&n);
    if (memcmp(n.src, g->node[id].src, sizeof n.src))
        BUG("after %s: sources out of order: %s", pass, line_of(g, id));
    if (graph_find(g, &n) != id)
        BUG("after %s: %%%d is the same node: %s", pass, graph_find(g, &n), line_of(g, id));
}

static void verify_ends(const Graph *g, const char *pass) {
    int inputs = 0;
    for (int i = 0; i < g->inputs.count; i++) {
        NodeId id = g->inputs.at[i].node;
        bool right =
            id > 0 && id < g->count && g->node[id].op == OP_INPUT && g->node[id].attr[0] == i;
        if (!right) BUG("after %s: input %s is %%%d", pass, g->inputs.at[i].name, id);
    }
    for (NodeId id = 1; id < g->count; id++) inputs += g->node[id].op == OP_INPUT;
    if (inputs != g->inputs.count)
        BUG("after %s: %d input nodes for %d inputs", pass, inputs, g->inputs.count);
    for (int i = 0; i < g->outputs.count; i++) {
        NodeId id = g->outputs.at[i].node;
        if (id <= 0 || id >= g->count)
            BUG("after %s: output %s is %%%d", pass, g->outputs.at[i].name, id);
    }
}

void graph_verify(const Graph *g, const char *pass) {
    verify_ends(g, pass);
    for (NodeId id = 1; id < g->count; id++) verify_node(g, id, pass);
    const bool *needed = graph_needed(g);
    for (NodeId id = 1; id < g->count; id++)
        if (!needed[id] && g->node[id].op != OP_INPUT)
            BUG("after %s: nothing reads %s", pass, line_of(g, id));
}
