/* train.c: a function and its vjp in one graph, divided into a forward and a backward function.
 * In: that graph. Out: the two functions, and a report of what the one keeps for the other. */
#include "graph/grad/train_private.h"

#include <string.h>

/* ---- what is kept -------------------------------------------------------------------------- */

/* The output of f that a kept node is; NULL: none. */
static const GraphOutput *as_output(const Kept *kept, NodeId id) {
    for (int i = 0; i < kept->outputs; i++)
        if (kept->joint->outputs.at[i].node == id) return &kept->joint->outputs.at[i];
    return NULL;
}

static bool is_taken(const Kept *kept, int before, const char *name) {
    const Graph *g = kept->joint;
    for (int i = 0; i < g->inputs.count; i++)
        if (!strcmp(g->inputs.at[i].name, name)) return true;
    for (int i = 0; i < g->outputs.count; i++)
        if (!strcmp(g->outputs.at[i].name, name)) return true;
    for (int i = 0; i < g->dims->symbols.count; i++)
        if (!strcmp(g->dims->symbols.at[i].name, name)) return true;
    for (int i = 0; i < before; i++)
        if (!strcmp(kept->name[i], name)) return true;
    return false;
}

/* That of an output; keep_h of h; keep_1 .. of values without a name. */
static const char *choose_name(const Kept *kept, int number) {
    const Graph *g = kept->joint;
    const NodeId id = kept->nodes.at[number];
    const GraphOutput *output = as_output(kept, id);
    if (output) return output->name;
    const char *own = g->node[id].name;
    const char *name = own ? arena_printf(g->arena, "keep_%s", own)
                           : arena_printf(g->arena, "keep_%d", number + 1);
    while (is_taken(kept, number, name)) name = arena_printf(g->arena, "%s_", name);
    return name;
}

/* ---- the report --------------------------------------------------------------------------- */

/* 0, which stands for "unknown", stays 0. */
static Dim plus_bytes(const Graph *g, Dim sum, NodeId id) {
    const Dim elements = node_elements(g, id);
    const int64_t size = (int64_t)dtype_size(g->node[id].type);
    const Dim bytes = elements ? dim_mul(g->dims, elements, dim_const(g->dims, size)) : 0;
    return sum && bytes ? dim_add(g->dims, sum, bytes) : 0;
}

static const char *bytes_text(const Graph *g, Dim bytes) {
    return bytes ? dim_text(g->dims, bytes, g->arena) : "many";
}

static void put_kept(const Kept *kept, int i, Text *out) {
    const Graph *g = kept->joint;
    const Node *n = &g->node[kept->nodes.at[i]];
    text_printf(out, "  %s ", kept->name[i]);
    shape_print(g->dims, n->type, n->rank, n->shape, out);
    text_str(out, as_output(kept, kept->nodes.at[i]) ? ", an output\n" : "\n");
}

/* Does the backward function compute this value, which the forward function computes, too? */
static bool is_again(const Facts *f, const Kept *kept, NodeId id, const bool *needed) {
    const OpClass class = op_info[f->g->node[id].op].class;
    for (int i = 0; i < kept->nodes.count; i++)
        if (kept->nodes.at[i] == id) return false;
    return needed[id] && !f->later[id] && class != LEAF && class != VIEW && !f->g->node[id].scalar;
}

/* Down from what depends on a cotangent to what is kept. */
static const bool *backward_needs(const Facts *f, const Kept *kept) {
    const Graph *g = f->g;
    bool *needed = arena_array(g->arena, bool, g->count),
         *stop = arena_array(g->arena, bool, g->count);
    for (int i = 0; i < kept->nodes.count; i++) stop[kept->nodes.at[i]] = true;
    for (NodeId id = g->count - 1; id > 0; id--) {
        needed[id] |= f->later[id] || f->wanted[id];
        for (int i = 0; needed[id] && !stop[id] && i < g->node[id].src_count; i++)
            needed[g->node[id].src[i]] = true;
    }
    return needed;
}

static void put_again(const Facts *f, const Kept *kept, Text *out) {
    const bool *needed = backward_needs(f, kept);
    int count[OP_COUNT] = {0}, all = 0;
    for (NodeId id = 1; id < f->g->count; id++)
        if (is_again(f, kept, id, needed)) count[f->g->node[id].op]++, all++;
    text_str(out, all ? "computes again in the backward function:" : "computes nothing again");
    for (int op = 0; op < OP_COUNT; op++)
        if (count[op] > 1)
            text_printf(out, " %d %s", count[op], op_info[op].name);
        else if (count[op])
            text_printf(out, " %s", op_info[op].name);
    text_char(out, '\n');
}

/* Of all forward values that the backward function reads, also through views. */
static Dim bytes_read(const Facts *f) {
    const Graph *g = f->g;
    bool *read = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        NodeId value = id;
        while (is_view(&g->node[value]) && !f->given[value]) value = g->node[value].src[0];
        read[value] |= f->wanted[id];
    }
    Dim bytes = dim_const(g->dims, 0);
    for (NodeId id = 1; id < g->count; id++)
        if (read[id] && !f->given[id] && !g->node[id].scalar &&
            op_info[g->node[id].op].class != LEAF)
            bytes = plus_bytes(g, bytes, id);
    return bytes;
}

static const char *report_of(const Facts *f, const Kept *kept) {
    const Graph *g = f->g;
    Text out = text_new(g->arena);
    Dim bytes = dim_const(g->dims, 0);
    const Dim all = bytes_read(f);
    for (int i = 0; i < kept->nodes.count; i++)
        if (!f->given[kept->nodes.at[i]]) bytes = plus_bytes(g, bytes, kept->nodes.at[i]);
    text_printf(&out, "keeps %s bytes beside inputs and outputs; all that is read would be %s\n",
                bytes_text(g, bytes), bytes_text(g, all));
    for (int i = 0; i < kept->nodes.count; i++) put_kept(kept, i, &out);
    put_again(f, kept, &out);
    return text_get(&out);
}

Kept train_cut(const Graph *joint, int inputs, int outputs, const KeepLimit *limit) {
    Facts f = facts_of(joint, inputs, outputs);
    Kept kept = {.joint = joint, .inputs = inputs, .outputs = outputs};
    const KeptNodes nodes = keep_nodes(&f, limit);
    kept.nodes.at = nodes.at;
    kept.nodes.count = nodes.count;
    kept.name = arena_array(joint->arena, const char *, nodes.count + 1);
    for (int i = 0; i < nodes.count; i++) kept.name[i] = choose_name(&kept, i);
    kept.report = report_of(&f, &kept);
    return kept;
}

/* ---- the two functions -------------------------------------------------------------------- */

static Graph *named(const Kept *kept, const char *name) {
    Graph *g = graph_like(kept->joint);
    g->name = name;
    g->kept = kept->report;
    return g;
}

static NodeId like_input(Graph *g, const Graph *from, NodeId node, const char *name, Span span) {
    const Node *n = &from->node[node];
    return graph_input(g, name, n->type, n->rank, n->shape, span);
}

/* Copies what is not in `map` yet and `needed` has. */
static bool copy_needed(Graph *g, const Graph *from, const bool *needed, NodeId *map) {
    for (NodeId id = 1; id < from->count; id++) {
        Node draft = from->node[id];
        if (!needed[id] || map[id]) continue;
        for (int i = 0; i < draft.src_count; i++) draft.src[i] = map[draft.src[i]];
        if (!(map[id] = graph_add(g, &draft))) return false;
        graph_name(g, map[id], draft.name);
    }
    return true;
}

/* Marks what `needed` is made of, down to what is in `map`. */
static void need_sources(const Graph *g, const NodeId *map, bool *needed) {
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; needed[id] && !map[id] && i < g->node[id].src_count; i++)
            needed[g->node[id].src[i]] = true;
}

Graph *train_forward(const Kept *kept, const char *name) {
    const Graph *from = kept->joint;
    Graph *g = named(kept, name);
    NodeId *map = arena_array(g->arena, NodeId, from->count);
    bool *needed = arena_array(g->arena, bool, from->count);
    for (int i = 0; i < kept->inputs; i++) {
        const GraphInput *input = &from->inputs.at[i];
        map[input->node] = like_input(g, from, input->node, input->name, input->span);
    }
    for (int i = 0; i < kept->outputs; i++) needed[from->outputs.at[i].node] = true;
    for (int i = 0; i < kept->nodes.count; i++) needed[kept->nodes.at[i]] = true;
    need_sources(from, map, needed);
    if (!copy_needed(g, from, needed, map)) return NULL;
    for (int i = 0; i < kept->outputs; i++)
        graph_output(g, from->outputs.at[i].name, map[from->outputs.at[i].node],
                     from->outputs.at[i].span);
    for (int i = 0; i < kept->nodes.count; i++)
        if (!as_output(kept, kept->nodes.at[i]))
            graph_output(g, kept->name[i], map[kept->nodes.at[i]],
                         from->node[kept->nodes.at[i]].span);
    return graph_rewrite(g, NULL, NULL);
}

Graph *train_backward(const Kept *kept, const char *name) {
    const Graph *from = kept->joint;
    Graph *g = named(kept, name);
    NodeId *map = arena_array(g->arena, NodeId, from->count);
    bool *needed = arena_array(g->arena, bool, from->count);
    for (int i = 0; i < from->inputs.count; i++) {
        const GraphInput *input = &from->inputs.at[i];
        for (int k = 0; i == kept->inputs && k < kept->nodes.count; k++) {
            const NodeId id = kept->nodes.at[k];
            map[id] = like_input(g, from, id, kept->name[k], from->node[id].span);
        }
        map[input->node] = like_input(g, from, input->node, input->name, input->span);
    }
    for (int i = kept->outputs; i < from->outputs.count; i++)
        needed[from->outputs.at[i].node] = true;
    need_sources(from, map, needed);
    if (!copy_needed(g, from, needed, map)) return NULL;
    for (int i = kept->outputs; i < from->outputs.count; i++)
        graph_output(g, from->outputs.at[i].name, map[from->outputs.at[i].node],
                     from->outputs.at[i].span);
    return graph_rewrite(g, NULL, NULL);
}
