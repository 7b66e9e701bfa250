/* rewrite.c: the walk that all passes share.
 * In: a graph, and a rule that replaces one node. Out: a new graph of what the outputs need,
 * sources first. Interning makes every pass eliminate common subexpressions; starting from the
 * outputs drops dead nodes. */
#include "graph/graph.h"

const bool *graph_needed(const Graph *g) {
    bool *needed = arena_array(g->arena, bool, g->count);
    for (int i = 0; i < g->outputs.count; i++) needed[g->outputs.at[i].node] = true;
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; needed[id] && i < g->node[id].src_count; i++)
            needed[g->node[id].src[i]] = true;
    return needed;
}

static bool has_dead_nodes(const Graph *g) {
    const bool *needed = graph_needed(g);
    for (NodeId id = 1; id < g->count; id++)
        if (!needed[id] && g->node[id].op != OP_INPUT) return true;
    return false;
}

static NodeId keep(Graph *to, const Graph *from, NodeId old, const Node *draft, void *context) {
    (void)from, (void)old, (void)context;
    return graph_add(to, draft);
}

/* The replacement must have the type and shape of the old node. */
static void check_replacement(const Graph *to, NodeId id, const Node *old) {
    const Node *n = &to->node[id];
    if (n->type == old->type && shape_equal(n->rank, n->shape, old->rank, old->shape)) return;
    Text line = text_new(to->arena);
    node_print(to, id, &line);
    text_str(&line, " instead of ");
    shape_print(to->dims, old->type, old->rank, old->shape, &line);
    BUG("rewrite of %s to %s", op_info[old->op].name, text_get(&line));
}

/* A rule that returns 0 must have reported an error. */
static Graph *nothing(const Graph *to, const Node *old) {
    if (!to->diag->errors && !to->diag->refusal)
        BUG("rewrite of %s to nothing", op_info[old->op].name);
    return NULL;
}

static void copy_inputs(Graph *to, const Graph *from, NodeId *map) {
    for (int i = 0; i < from->inputs.count; i++) {
        const GraphInput *input = &from->inputs.at[i];
        const Node *n = &from->node[input->node];
        map[input->node] = graph_input(to, input->name, n->type, n->rank, n->shape, input->span);
    }
}

static Graph *rewrite_once(const Graph *from, RewriteRule *rule, void *context) {
    Graph *to = graph_like(from);
    NodeId *map = arena_array(from->arena, NodeId, from->count);
    const bool *needed = graph_needed(from);
    copy_inputs(to, from, map);
    for (NodeId id = 1; id < from->count; id++) {
        Node draft = from->node[id];
        if (!needed[id] || draft.op == OP_INPUT) continue;
        for (int i = 0; i < draft.src_count; i++) draft.src[i] = map[draft.src[i]];
        map[id] = rule(to, from, id, &draft, context);
        if (!map[id]) return nothing(to, &from->node[id]);
        check_replacement(to, map[id], &from->node[id]);
        graph_name(to, map[id], from->node[id].name);
        graph_hint(to, map[id], from->node[id].hint);
    }
    for (int i = 0; i < from->outputs.count; i++) {
        const GraphOutput *output = &from->outputs.at[i];
        graph_output(to, output->name, map[output->node], output->span);
    }
    return to;
}

Graph *graph_rewrite(const Graph *from, RewriteRule *rule, void *context) {
    Graph *to = rewrite_once(from, rule ? rule : keep, context);
    return to && has_dead_nodes(to) ? rewrite_once(to, keep, NULL) : to;
}
