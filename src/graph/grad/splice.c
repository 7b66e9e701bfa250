/* splice.c: a graph as part of another one.
 * In: a graph and, for its inputs, nodes of another graph with the same dims. Out: copies of its
 * nodes there, and the nodes of its outputs. */
#include "graph/grad/grad.h"

bool splice(Graph *to, const Graph *from, const NodeId *input, NodeId *output) {
    const bool *needed = graph_needed(from);
    NodeId *map = arena_array(to->arena, NodeId, from->count);
    for (int i = 0; i < from->inputs.count; i++) map[from->inputs.at[i].node] = input[i];
    for (NodeId id = 1; id < from->count; id++) {
        Node draft = from->node[id];
        if (!needed[id] || draft.op == OP_INPUT) continue;
        for (int i = 0; i < draft.src_count; i++) draft.src[i] = map[draft.src[i]];
        map[id] = graph_add(to, &draft);
        if (!map[id]) return false;
        graph_name(to, map[id], draft.name);
    }
    for (int i = 0; i < from->outputs.count; i++) output[i] = map[from->outputs.at[i].node];
    return true;
}
