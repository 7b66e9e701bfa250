/* dot.c: a plan as a Graphviz drawing: kernels as clusters of their ops, arrows for values. Free
 * nodes (views, literals) are omitted; a dashed arrow goes through memory.
 * In: the plans of a model. Out: one digraph. */
#include "sched/report/report.h"

/* Node names are p<plan>_<node>; outputs p<plan>_out<number>. */

static void put_label(const Plan *plan, NodeId id, Text *out) {
    const Node *n = &plan->g->node[id];
    text_printf(out, "[label=\"%s\\n",
                n->op == OP_INPUT ? plan_node_name(plan, id) : node_op_name(plan->g, n));
    shape_print(plan->g->dims, n->type, n->rank, n->shape, out);
    text_str(out, "\"];\n");
}

static void put_inputs(const Plan *plan, int p, Text *out) {
    for (int i = 0; i < plan->g->inputs.count; i++) {
        NodeId id = plan->g->inputs.at[i].node;
        text_printf(out, "    p%d_%d [shape=ellipse];\n    p%d_%d ", p, id, p, id);
        put_label(plan, id, out);
    }
}

static void put_cluster(const Plan *plan, int p, int number, Text *out) {
    const Group *group = &plan->groups.at[number];
    text_printf(out, "    subgraph cluster_p%d_k%d {\n        label=\"%s (%s)\";\n", p, number,
                group->name, family_name[group->family]);
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int j = 0; j < nodes->count; j++) {
            text_printf(out, "        p%d_%d ", p, nodes->at[j]);
            put_label(plan, nodes->at[j], out);
        }
    }
    text_str(out, "    }\n");
}

static void put_arrows(const Plan *plan, int p, Text *out) {
    PlanReader reader = plan_reader(plan);
    for (NodeId id = 1; id < plan->g->count; id++) {
        if (plan->group_of[id] < 0) continue;
        const NodeVec *reads = plan_reads(plan, id, &reader);
        for (int i = 0; i < reads->count; i++) {
            bool inside = plan->group_of[reads->at[i]] == plan->group_of[id];
            text_printf(out, "    p%d_%d -> p%d_%d%s;\n", p, reads->at[i], p, id,
                        inside ? "" : " [style=dashed]");
        }
    }
}

static void put_outputs(const Plan *plan, int p, Text *out) {
    for (int i = 0; i < plan->g->outputs.count; i++) {
        const GraphOutput *output = &plan->g->outputs.at[i];
        text_printf(out, "    p%d_out%d [shape=ellipse, label=\"%s\"];\n", p, i, output->name);
        text_printf(out, "    p%d_%d -> p%d_out%d [style=dashed];\n", p, output->node, p, i);
    }
}

void plans_dot(const Plan *const *plans, int count, Text *out) {
    text_str(out, "digraph fusec {\n    node [shape=box, fontname=\"monospace\"];\n");
    for (int p = 0; p < count; p++) {
        put_inputs(plans[p], p, out);
        for (int i = 0; i < plans[p]->groups.count; i++) put_cluster(plans[p], p, i, out);
        put_arrows(plans[p], p, out);
        put_outputs(plans[p], p, out);
    }
    text_str(out, "}\n");
}
