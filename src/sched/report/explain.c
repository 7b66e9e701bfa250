/* explain.c: a plan explained to a person (--explain, fusec explain).
 * In: a plan with its buffers. Out: what each kernel does and moves, which values fusion keeps out
 * of memory and what that saves, which kernels were not fused and why, and the totals. */
#include "sched/report/report.h"

#include <math.h>
#include <string.h>

typedef struct Explanation {
    const Plan *plan;
    double seconds; /* of a call; shares where dims are open, which count as in the cost model */
    PlanReader reader;
    Text *out;
} Explanation;

enum { NAMED = 6 }; /* values called by name before "and N more" */

enum { UNITS = 5 };

static const char *scaled(Arena *arena, double value, double step, const char *const units[UNITS]) {
    int unit = 0;
    while (value >= step && unit < UNITS - 1) value /= step, unit++;
    return arena_printf(arena, "%.*f %s", unit ? 1 : 0, value, units[unit]);
}

const char *bytes_text(Arena *arena, double bytes) {
    static const char *const units[UNITS] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    return scaled(arena, bytes, 1024, units);
}

/* "4*N*D bytes", "16.0 MiB", "1.5 Gflop" */
static const char *amount(const Plan *plan, Dim size, bool is_bytes) {
    static const char *const decimal[UNITS] = {"flop", "kflop", "Mflop", "Gflop", "Tflop"};
    Arena *arena = plan->g->arena;
    int64_t value;
    if (!size || !dim_is_const(plan->g->dims, size, &value))
        return arena_printf(arena, "%s %s", plan_size_text(plan, size),
                            is_bytes ? "bytes" : "flop");
    if (is_bytes) return bytes_text(arena, (double)value);
    return scaled(arena, (double)value, 1000, decimal);
}

/* The sum; 0, which is "unknown", stays 0. */
static Dim plus(const Plan *plan, Dim a, Dim b) {
    return a && b ? dim_add(plan->g->dims, a, b) : 0;
}

static Dim node_bytes(const Plan *plan, NodeId id) {
    Dims *dims = plan->g->dims;
    Dim elements = node_elements(plan->g, id);
    int64_t size = (int64_t)dtype_size(plan->g->node[id].type);
    return elements ? dim_mul(dims, elements, dim_const(dims, size)) : 0;
}

/* Memory traffic of the nodes of a kernel if each were a kernel of its own. */
static Dim unfused_bytes(const Plan *plan, const Group *group, PlanReader *reader) {
    Dim total = dim_const(plan->g->dims, 0);
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int j = 0; j < nodes->count; j++) {
            const NodeVec *reads = plan_reads(plan, nodes->at[j], reader);
            total = plus(plan, total, node_bytes(plan, nodes->at[j]));
            for (int r = 0; r < reads->count; r++)
                total = plus(plan, total, node_bytes(plan, reads->at[r]));
        }
    }
    return total;
}

/* ---- time -------------------------------------------------------------------------------- */

const char *plan_nominal_sizes(const Plan *plan) {
    const Graph *g = plan->g;
    Text out = text_new(g->arena);
    for (int i = 0; i < g->dims->symbols.count; i++) {
        const char *name = g->dims->symbols.at[i].name;
        const long long size = (long long)cost_dim(g, dim_symbol(g->dims, name, NOWHERE));
        text_printf(&out, "%s%s = %lld", i ? ", " : "", name, size);
    }
    return text_get(&out);
}

static bool has_open_dims(const Plan *plan) { return plan->g->dims->symbols.count > 0; }

/* "less than 1 %", "40 %" */
static const char *share_text(const Explanation *e, double seconds) {
    const double share = e->seconds > 0 ? 100 * seconds / e->seconds : 0;
    return share < 1 ? "less than 1 %" : arena_printf(e->plan->g->arena, "%.0f %%", share);
}

/* ---- one kernel ----------------------------------------------------------------------------- */

static bool is_same_op(const Graph *g, NodeId a, NodeId b) {
    const Node *x = &g->node[a], *y = &g->node[b];
    return x->op == y->op && (!op_is_call(x->op) || x->attr[0] == y->attr[0]);
}

/* "max, sub, 2 exp, sum, div": by op, in the order of first use. */
static void put_ops(const Plan *plan, const Group *group, Text *out) {
    Vec(NodeId) first = {0}; /* of each kind, */
    Vec(int) count = {0};    /* and how many there are */
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *nodes = &group->nests.at[i].nodes;
        for (int j = 0; j < nodes->count; j++) {
            int kind = 0;
            while (kind < first.count && !is_same_op(plan->g, first.at[kind], nodes->at[j])) kind++;
            if (kind == first.count) {
                vec_push(plan->g->arena, &first, nodes->at[j]);
                vec_push(plan->g->arena, &count, 0);
            }
            count.at[kind]++;
        }
    }
    text_str(out, "  does      ");
    for (int i = 0; i < first.count; i++) {
        if (i) text_str(out, ", ");
        if (count.at[i] > 1) text_printf(out, "%d ", count.at[i]);
        text_str(out, node_op_name(plan->g, &plan->g->node[first.at[i]]));
    }
    text_char(out, '\n');
}

/* "%5 exp (softmax.fx:3:9)" */
static void put_node(const Plan *plan, NodeId id, Text *out) {
    const Graph *g = plan->g;
    Span span = g->node[id].span;
    text_str(out, plan_node_name(plan, id));
    if (span.file >= (uint32_t)g->diag->sources.count) return;
    int line, column;
    source_place(&g->diag->sources.at[span.file], span.lo, &line, &column);
    text_printf(out, " (%d:%d)", line, column);
}

static bool is_stored(const LoopNest *nest, NodeId id) {
    for (int i = 0; i < nest->stored.count; i++)
        if (nest->stored.at[i] == id) return true;
    return false;
}

/* The values that fusion keeps out of memory. */
static void put_inner(const Plan *plan, const Group *group, Text *out) {
    int count = 0;
    for (int i = 0; i < group->nests.count; i++) {
        const LoopNest *nest = &group->nests.at[i];
        for (int j = 0; j < nest->nodes.count; j++) {
            NodeId id = nest->nodes.at[j];
            if (is_stored(nest, id) || ++count > NAMED) continue;
            text_str(out, count > 1 ? ", " : "  inside    ");
            put_node(plan, id, out);
        }
    }
    if (count > NAMED) text_printf(out, " and %d more", count - NAMED);
    if (count) text_char(out, '\n');
}

static void put_traffic(const Plan *plan, const char *title, Dim bytes, const IntVec *buffers,
                        Text *out) {
    text_printf(out, "  %-9s %s:", title, amount(plan, bytes, true));
    for (int i = 0; i < buffers->count; i++)
        text_printf(out, "%s %s", i ? "," : "", plan->buffers.at[buffers->at[i]].name);
    text_char(out, '\n');
}

/* What a kernel adds up for rows that are not its own. */
static void put_across(const Plan *plan, const Group *group, Text *out) {
    for (int i = 0; i < group->nests.count; i++) {
        const NodeVec *stored = &group->nests.at[i].stored;
        for (int j = 0; j < stored->count; j++)
            if (dot_is_across(&plan->g->node[stored->at[j]]))
                text_printf(out, "  adds to   %s, in %s\n",
                            plan->buffers.at[plan->buffer_of[stored->at[j]]].name,
                            machine_is_gpu(plan->machine) ? "any order: @nondeterministic"
                                                          : "order");
    }
}

static void put_time(const Explanation *x, const Group *group) {
    const Estimate e = cost_estimate(x->plan->machine, &group->work);
    if (has_open_dims(x->plan))
        text_printf(x->out, "  estimate  %s of the total time", share_text(x, e.seconds));
    else
        text_printf(x->out, "  estimate  %.3g us", 1e6 * e.seconds);
    text_printf(x->out, ", bound by %s\n", bound_name[e.bound]);
}

static void put_kernel(Explanation *x, const Group *group, const KernelReport *kernel) {
    const Plan *plan = x->plan;
    const Graph *g = plan->g;
    Text *out = x->out;
    Dim moved = plus(plan, group->bytes_read, group->bytes_written);
    Dim alone = unfused_bytes(plan, group, &x->reader);
    text_printf(out, "\nkernel %s: %s", group->name, family_name[group->family]);
    for (int i = 0; i < group->nests.count; i++)
        text_printf(out, "%s %s", i ? "," : " over",
                    plan_space_text(plan, &group->nests.at[i].space));
    text_str(out, group->once ? "; once, from constants\n" : "\n");
    put_ops(plan, group, out);
    put_traffic(plan, "reads", group->bytes_read, &group->reads, out);
    put_traffic(plan, "writes", group->bytes_written, &group->writes, out);
    put_across(plan, group, out);
    text_printf(out, "  computes  %s", amount(plan, group->flops, false));
    int64_t bytes = moved ? cost_dim(g, moved) : 0;
    if (bytes > 0 && group->flops)
        text_printf(out, ", %.2f for each byte moved",
                    (double)cost_dim(g, group->flops) / (double)bytes);
    text_char(out, '\n');
    put_time(x, group);
    text_printf(out, "  tile      %s\n", kernel->tile);
    if (strcmp(kernel->function, group->name) != 0)
        text_printf(out, "  calls     %s: the same code with other buffers\n", kernel->function);
    put_inner(plan, group, out);
    if (moved && alone && moved != alone)
        text_printf(out, "  saves     %s by fusion\n",
                    amount(plan, dim_sub(g->dims, alone, moved), true));
}

/* ---- pairs that stayed apart, totals -------------------------------------------------------- */

static void put_saving(const Explanation *x, const Decision *decision) {
    const double seconds = 1e-12 * (double)decision->time;
    if (seconds >= 0 && decision->bytes <= 0) return;
    if (has_open_dims(x->plan)) {
        text_printf(x->out,
                    seconds < 0 ? " (together they would add %s to the total time)"
                                : " (together they would save %s of the total time)",
                    share_text(x, fabs(seconds)));
    } else if (seconds < 0) {
        text_printf(x->out, " (together they would take about %.3g us more)", -1e6 * seconds);
    } else {
        Dim bytes = dim_const(x->plan->g->dims, decision->bytes);
        text_printf(x->out, " (together they would save about %s and %.3g us)",
                    amount(x->plan, bytes, true), 1e6 * seconds);
    }
}

static void put_apart(const Explanation *x) {
    const Plan *plan = x->plan;
    Text *out = x->out;
    int count;
    const Decision **pairs = plan_pairs_apart(plan, &count);
    if (count) text_str(out, "\nkept apart\n");
    for (int i = 0; i < count; i++) {
        const Decision *decision = pairs[i];
        text_printf(out, "  %s | %s: %s", plan_group(plan, decision->a)->name,
                    plan_group(plan, decision->b)->name, reason_text[decision->reason]);
        put_saving(x, decision);
        text_str(out, decision->horizontal ? "\n    beside each other: " : "\n    from ");
        put_node(plan, decision->a, out);
        text_str(out, decision->horizontal ? " and " : " to ");
        put_node(plan, decision->b, out);
        text_char(out, '\n');
    }
}

static void put_estimate(const Plan *plan, Text *out) {
    text_printf(out, "  estimate  %.3g us on %s, launches included", 1e6 * plan_seconds(plan),
                plan->machine->name);
    if (has_open_dims(plan)) text_printf(out, ", with %s", plan_nominal_sizes(plan));
    text_char(out, '\n');
}

/* What calls read from prepared memory. */
static void put_prepared(const Plan *plan, Text *out) {
    Dim bytes = dim_const(plan->g->dims, 0);
    IntVec prepared = {0};
    for (int i = 0; i < plan->buffers.count; i++) {
        if (!plan->buffers.at[i].prepared) continue;
        vec_push(plan->g->arena, &prepared, i);
        bytes = plus(plan, bytes, buffer_bytes(plan, i));
    }
    if (prepared.count) put_traffic(plan, "prepared", bytes, &prepared, out);
}

/* Outputs that a call may have written over inputs. */
static void put_in_place(const Plan *plan, Text *out) {
    const char *before = "  in place  ";
    for (int i = 0; i < plan->buffers.count; i++) {
        const Buffer *b = &plan->buffers.at[i];
        if (b->may_be < 0) continue;
        text_printf(out, "%s%s may be given the memory of %s", before, b->name,
                    plan->buffers.at[b->may_be].name);
        before = ", ";
    }
    if (*before == ',') text_char(out, '\n');
}

static void put_totals(const Plan *plan, Text *out) {
    const Graph *g = plan->g;
    const Plan *unfused = plan_unfused(plan);
    Dim moved = plan_moved(plan), alone = plan_moved(unfused);
    Dim flops = dim_const(g->dims, 0), workspace = dim_const(g->dims, 0);
    for (int i = 0; i < plan->groups.count; i++)
        if (!plan->groups.at[i].once) flops = plus(plan, flops, plan->groups.at[i].flops);
    for (int i = 0; i < plan->slots.count; i++)
        workspace = plus(plan, workspace, plan->slots.at[i].bytes);
    text_printf(out, "\ntotal\n  moves     %s", amount(plan, moved, true));
    if (moved && alone && moved != alone && cost_dim(g, moved) > 0)
        text_printf(out, "; one kernel per op would move %s, %.1f times as much",
                    amount(plan, alone, true),
                    (double)cost_dim(g, alone) / (double)cost_dim(g, moved));
    text_printf(out, "\n  computes  %s\n", amount(plan, flops, false));
    put_estimate(plan, out);
    text_printf(out, "  workspace %s in %d slot%s\n", amount(plan, workspace, true),
                plan->slots.count, plan->slots.count == 1 ? "" : "s");
    put_prepared(plan, out);
    put_in_place(plan, out);
    Dim peak = plan_peak(plan), most = plan_peak(unfused);
    text_printf(out, "  peak      %s %s inputs and outputs", amount(plan, peak, true),
                plan->slots.count ? "with" : "of");
    if (peak != most)
        text_printf(out, "; one kernel per op would need %s", amount(plan, most, true));
    text_char(out, '\n');
}

void plan_explain(const Plan *plan, const KernelReport *kernels, Text *out) {
    const Graph *g = plan->g;
    Explanation x = {plan, plan_seconds(plan), plan_reader(plan), out};
    int ops = 0;
    for (int i = 0; i < plan->groups.count; i++)
        for (int j = 0; j < plan->groups.at[i].nests.count; j++)
            ops += plan->groups.at[i].nests.at[j].nodes.count;
    text_printf(out, "fn %s at -O%d: %d op%s in %d kernel%s\n", g->name, plan->opt, ops,
                ops == 1 ? "" : "s", plan->groups.count, plan->groups.count == 1 ? "" : "s");
    if (has_open_dims(plan))
        text_printf(out, "times and ratios are for %s (-D gives others)\n",
                    plan_nominal_sizes(plan));
    if (g->kept) text_str(out, g->kept);
    for (int i = 0; i < plan->groups.count; i++) put_kernel(&x, &plan->groups.at[i], &kernels[i]);
    put_apart(&x);
    put_totals(plan, out);
}
