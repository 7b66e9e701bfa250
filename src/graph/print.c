/* print.c: --emit=graph. In: a graph. Out: one node a line, in a form a person can type:
 *
 *     fn geglu[N, D]
 *       %1 = input x : bf16[N, D]
 *       %5 = sum %3 axis=[1] : f32[N, 1]
 *       y = %5
 *       assert D % 2 == 0   // exact division */
#include "graph/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shortest decimal that reads back as the same double. */
static void print_double(double value, Text *out) {
    char digits[40];
    if (isnan(value)) {
        text_str(out, "nan");
        return;
    }
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    for (char *c = digits; *c; c++)
        if (*c == ',') *c = '.'; /* the process's locale */
    text_str(out, digits);
    bool reads_as_integer = !strpbrk(digits, ".en"); /* "inf" has an n */
    if (reads_as_integer) text_str(out, ".0");
}

static void print_list(const char *name, const int32_t *values, int count, Text *out) {
    text_printf(out, " %s=[", name);
    for (int i = 0; i < count; i++) text_printf(out, i ? ", %d" : "%d", values[i]);
    text_char(out, ']');
}

static void print_dims(const Graph *g, const char *name, const Dim *dims, int count, Text *out) {
    text_printf(out, " %s=", name);
    shape_print(g->dims, T_NONE, count, dims, out);
}

static void print_axes(uint32_t mask, Text *out) {
    int32_t axes[RANK_MAX];
    int count = 0;
    for (int i = 0; i < RANK_MAX; i++)
        if (mask >> i & 1) axes[count++] = i;
    print_list("axis", axes, count, out);
}

static void print_const(const Node *n, Text *out) {
    double value = 0;
    node_is_const(n, &value);
    text_char(out, ' ');
    if (dtype_is_float(n->type))
        print_double(value, out);
    else if (n->type == T_BOOL)
        text_str(out, n->bits ? "true" : "false");
    else
        text_printf(out, "%lld", (long long)n->bits);
}

static void print_eps(const Node *n, Text *out) {
    double eps;
    memcpy(&eps, &n->bits, sizeof eps);
    text_str(out, " eps=");
    print_double(eps, out);
}

static void print_attrs(const Graph *g, const Node *n, Text *out) {
    OpClass class = op_info[n->op].class;
    bool along = class == REDUCE || n->op == OP_FLIP || n->op == OP_MEAN || n->op == OP_VAR ||
                 n->op == OP_LOGSUMEXP || n->op == OP_SOFTMAX || n->op == OP_LOG_SOFTMAX;
    if (along) print_axes((uint32_t)n->attr[0], out);
    if (class == SCAN) text_printf(out, " axis=%d%s", n->attr[0], n->attr[1] ? " reverse" : "");
    switch (n->op) {
    case OP_INPUT: text_printf(out, " %s", g->inputs.at[n->attr[0]].name); break;
    case OP_CONST: print_const(n, out); break;
    case OP_DIM:
        text_char(out, ' ');
        dim_print(g->dims, n->attr[0], out);
        break;
    case OP_PERMUTE: print_list("axes", n->attr, n->rank, out); break;
    case OP_SLICE: print_dims(g, "start", n->attr, n->rank, out); break;
    case OP_PAD: print_dims(g, "before", n->attr, n->rank, out); break;
    case OP_PARTIAL_SUM:
        print_axes((uint32_t)n->attr[0], out);
        text_printf(out, " chunks=%d", n->attr[1]);
        break;
    case OP_SCATTER:
    case OP_COMBINE:
        text_printf(out, " axis=%d with=%s", n->attr[0],
                    n->attr[1] ? op_info[n->attr[1]].name : "set");
        break;
    case OP_GATHER: text_printf(out, " axis=%d", n->attr[0]); break;
    case OP_BINNED:
        text_printf(out, " axis=%d with=%s", n->attr[3], op_info[n->attr[1]].name);
        break;
    case OP_SEGMENTS:
    case OP_TALLY:
    case OP_GROUPS:
    case OP_GROUPED:
        text_printf(out, " rows=%s", dim_text(g->dims, n->attr[0], out->arena));
        if (n->op != OP_SEGMENTS) text_printf(out, " groups=%d", n->attr[1]);
        break;
    case OP_DOT:
        text_printf(out, " batch=%d summed=%d%s", n->attr[0], n->attr[1],
                    n->attr[2] ? " again" : "");
        break;
    case OP_LAYER_NORM:
    case OP_RMS_NORM: print_eps(n, out); break;
    default:
        if (class == MAP && !op_is_call(n->op) && n->attr[0]) text_str(out, " repeatable");
        break;
    }
}

void node_print(const Graph *g, NodeId id, Text *out) {
    const Node *n = &g->node[id];
    text_printf(out, "%%%d = %s", id, op_info[n->op].name);
    if (op_is_call(n->op)) text_printf(out, " %s", node_op_name(g, n));
    for (int i = 0; i < n->src_count; i++) text_printf(out, " %%%d", n->src[i]);
    print_attrs(g, n, out);
    if (n->stored) text_str(out, " stored");
    text_str(out, n->weak ? " : weak " : " : ");
    shape_print(g->dims, n->type, n->rank, n->shape, out);
}

static void print_guard(const Dims *d, const DimGuard *guard, Text *out) {
    text_printf(out, "  assert %s   // %s\n", dim_guard_text(d, guard, out->arena), guard->why);
}

void graph_print(const Graph *g, Text *out) {
    const Dims *d = g->dims;
    text_printf(out, "fn %s", g->name);
    for (int i = 0; i < d->symbols.count; i++)
        text_printf(out, i ? ", %s" : "[%s", d->symbols.at[i].name);
    text_str(out, d->symbols.count ? "]\n" : "\n");
    for (NodeId id = 1; id < g->count; id++) {
        text_str(out, "  ");
        node_print(g, id, out);
        text_char(out, '\n');
    }
    for (int i = 0; i < g->outputs.count; i++)
        text_printf(out, "  %s = %%%d\n", g->outputs.at[i].name, g->outputs.at[i].node);
    for (int i = 0; i < d->guards.count; i++) print_guard(d, &d->guards.at[i], out);
}
