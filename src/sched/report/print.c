/* print.c: a plan as text, with every field (--emit=plan).
 * In: a plan with its buffers. Out: kernels in order of execution, then buffers, workspace slots,
 * and the pairs that were not fused. Sizes are in bytes. */
#include "sched/report/report.h"

static const char *const kind_name[] = {
    [B_INPUT] = "input", [B_OUTPUT] = "output", [B_TEMP] = "temp", [B_PANELS] = "panels"};

static bool is_stored(const LoopNest *nest, NodeId id) {
    for (int i = 0; i < nest->stored.count; i++)
        if (nest->stored.at[i] == id) return true;
    return false;
}

static void put_nodes(const Plan *plan, const LoopNest *nest, Text *out) {
    const Graph *g = plan->g;
    for (int i = 0; i < nest->nodes.count; i++) {
        NodeId id = nest->nodes.at[i];
        const Node *n = &g->node[id];
        text_printf(out, "    %%%d %s ", id, node_op_name(g, n));
        shape_print(g->dims, n->type, n->rank, n->shape, out);
        if (is_stored(nest, id) && plan->buffer_of[id] >= 0)
            text_printf(out, " -> %s", plan->buffers.at[plan->buffer_of[id]].name);
        text_char(out, '\n');
    }
}

static void put_buffers_used(const Plan *plan, const char *title, const IntVec *used, Text *out) {
    text_printf(out, "  %s", title);
    for (int i = 0; i < used->count; i++)
        text_printf(out, " %s", plan->buffers.at[used->at[i]].name);
    text_char(out, '\n');
}

static void put_group(const Plan *plan, const Group *group, Text *out) {
    text_printf(out, "kernel %s %s%s\n", group->name, family_name[group->family],
                group->once ? " once" : "");
    put_buffers_used(plan, "reads", &group->reads, out);
    put_buffers_used(plan, "writes", &group->writes, out);
    for (int i = 0; i < group->nests.count; i++) {
        const LoopNest *nest = &group->nests.at[i];
        text_printf(out, "  over %s\n", plan_space_text(plan, &nest->space));
        put_nodes(plan, nest, out);
    }
    text_printf(out, "  bytes_read %s\n", plan_size_text(plan, group->bytes_read));
    text_printf(out, "  bytes_written %s\n", plan_size_text(plan, group->bytes_written));
    text_printf(out, "  flops %s\n", plan_size_text(plan, group->flops));
}

static void put_buffer(const Plan *plan, int number, Text *out) {
    const Buffer *buffer = &plan->buffers.at[number];
    text_printf(out, "buffer %s %s %s[%s] bytes %s live %d..%d", buffer->name,
                kind_name[buffer->kind], dtype_name(buffer->type),
                plan_size_text(plan, buffer->elements),
                plan_size_text(plan, buffer_bytes(plan, number)), buffer->first, buffer->last);
    if (buffer->slot >= 0) text_printf(out, " slot %d", buffer->slot);
    if (buffer->input >= 0) text_printf(out, " in %s", plan->buffers.at[buffer->input].name);
    if (buffer->may_be >= 0) text_printf(out, " may be %s", plan->buffers.at[buffer->may_be].name);
    if (buffer->consumed) text_str(out, " consumed");
    if (buffer->constant) text_str(out, buffer->in_place ? " constant in place" : " constant");
    if (buffer->prepared) text_str(out, " prepared");
    text_char(out, '\n');
}

static void put_rejected(const Plan *plan, const Decision *decision, Text *out) {
    if (!plan_is_apart(plan, decision)) return;
    text_printf(out, "apart %s | %s: %s, %lld bytes\n", plan_node_name(plan, decision->a),
                plan_node_name(plan, decision->b), reason_code[decision->reason],
                (long long)decision->bytes);
}

void plan_print(const Plan *plan, Text *out) {
    text_printf(out, "plan %s -O%d\n", plan->g->name, plan->opt);
    for (int i = 0; i < plan->groups.count; i++) put_group(plan, &plan->groups.at[i], out);
    for (int i = 0; i < plan->buffers.count; i++) put_buffer(plan, i, out);
    for (int i = 0; i < plan->slots.count; i++)
        text_printf(out, "slot %d bytes %s\n", i, plan_size_text(plan, plan->slots.at[i].bytes));
    for (int i = 0; i < plan->decisions.count; i++) put_rejected(plan, &plan->decisions.at[i], out);
    text_printf(out, "peak %s\n", plan_size_text(plan, plan_peak(plan)));
}
