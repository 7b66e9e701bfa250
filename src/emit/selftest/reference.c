/* reference.c: the reference of the self-test: a graph as C (and C++) text, node by node in the
 * order of the graph, one plain loop each. Independent of kernels and plans.
 * In: Graph. Out: text. */
#include "emit/selftest/selftest.h"
#include "emit/text/imported.h"

#include <string.h>

void reference_line(Reference *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    for (int i = 0; i < p->indent; i++) text_str(p->out, "    ");
    text_vprintf(p->out, format, args);
    text_char(p->out, '\n');
    va_end(args);
}

const char *reference_type(Dtype type) { return dtype_is_float(type) ? "double" : "int64_t"; }

const char *reference_size(const Reference *p, Dim size) {
    return names_size_factor(p->names, size);
}

/* ---- elements -------------------------------------------------------------------------------- */

static bool has_one_element(const Graph *g, const Node *n) {
    for (int axis = 0; axis < n->rank; axis++)
        if (!dim_is(g->dims, n->shape[axis], 1)) return false;
    return true;
}

/* The node of one element that this node repeats, or the node itself. */
static NodeId element_of(const Graph *g, NodeId id) {
    NodeId at = id;
    for (const Node *n; n = &g->node[at], n->op == OP_RESHAPE || n->op == OP_BROADCAST;)
        at = n->src[0];
    return has_one_element(g, &g->node[at]) ? at : id;
}

/* The offset in a row-major array, "0" for the only one. */
const char *reference_offset(const Reference *p, const Node *n, const char *const *index) {
    const char *text = "";
    for (int axis = 0; axis < n->rank; axis++) {
        if (dim_is(p->g->dims, n->shape[axis], 1)) continue;
        if (strstr(text, " + ") || strstr(text, " - ")) text = arena_printf(p->arena, "(%s)", text);
        const char *more = strcmp(index[axis], "0") ? index[axis] : "";
        const char *plus = *text && *more ? " + " : "";
        if (*text) text = arena_printf(p->arena, "%s*%s", text, reference_size(p, n->shape[axis]));
        text = arena_printf(p->arena, "%s%s%s", text, plus, more);
    }
    return *text ? text : "0";
}

static const char *literal(const Reference *p, const Node *n) {
    Value v = {.type = n->type, .bits = n->bits};
    if (dtype_is_float(n->type)) return float_text(p->arena, const_float(&v), false);
    int64_t value = const_int(&v);
    return value == INT64_MIN ? "INT64_MIN" : arena_printf(p->arena, "%lld", (long long)value);
}

const char *reference_element(const Reference *p, NodeId id, const char *const *index) {
    const Graph *g = p->g;
    NodeId one = element_of(g, id);
    if (g->node[one].op == OP_CONST) return literal(p, &g->node[one]);
    if (has_one_element(g, &g->node[one])) return arena_printf(p->arena, "v%d", one);
    return arena_printf(p->arena, "v%d[%s]", id, reference_offset(p, &g->node[id], index));
}

/* Element i0 of a flat loop. */
static const char *flat_element(const Reference *p, NodeId id) {
    NodeId one = element_of(p->g, id);
    if (has_one_element(p->g, &p->g->node[one])) return reference_element(p, one, NULL);
    return arena_printf(p->arena, "v%d[i0]", id);
}

const char *reference_count(const Reference *p, const Node *n) {
    Text out = text_new(p->arena);
    for (int axis = 0; axis < n->rank; axis++)
        if (!dim_is(p->g->dims, n->shape[axis], 1))
            text_printf(&out, "%s%s", out.size ? "*" : "", reference_size(p, n->shape[axis]));
    return out.size ? text_get(&out) : "1";
}

/* ---- elementwise ----------------------------------------------------------------------------- */

const char *reference_result(const Reference *p, const Node *n, const char *text) {
    static const char *const wrap[T_COUNT] = {
        [T_U8] = "uint8_t", [T_I8] = "int8_t", [T_I32] = "int32_t"};
    TypeRule rule = op_info[n->op].rule;
    bool rounds =
        rule == R_ARITH || rule == R_FLOAT || rule == R_SUM || rule == R_DOT || rule == R_CALL;
    if (op_info[n->op].class == COMPOSITE) rounds = false; /* its steps are rounded */
    if (dtype_is_float(n->type) && rounds)
        return arena_printf(p->arena, "fx_ref_%s(%s)", n->type == T_F64 ? "f64" : "f32", text);
    if (wrap[n->type] && n->op != OP_WHERE)
        return arena_printf(p->arena, strchr(text, ' ') ? "(%s)(%s)" : "(%s)%s", wrap[n->type],
                            text);
    return text;
}

const char *reference_partial(const Reference *p, const Node *n, const char *text) {
    if (!dtype_is_float(n->type) || op_info[n->op].rule == R_EXACT) return text;
    return arena_printf(p->arena, "fx_ref_sum_%s(%s)", n->type == T_F64 ? "f64" : "f32", text);
}

static const char *int_from_float(const Reference *p, Dtype to, const char *x) {
    static const char *const range[T_COUNT] = {[T_U8] = "0, UINT8_MAX",
                                               [T_I8] = "INT8_MIN, INT8_MAX",
                                               [T_I32] = "INT32_MIN, INT32_MAX",
                                               [T_I64] = "INT64_MIN, INT64_MAX"};
    return arena_printf(p->arena, "fx_ref_int(%s, %s)", x, TABLE_ROW(range, to, dtype_name(to)));
}

/* `x as T`: the only place where every program rounds. */
static const char *cast_text(const Reference *p, Dtype from, Dtype to, const char *x) {
    static const char *const narrow[T_COUNT] = {[T_F8E4M3] = "FX_F8E4M3",
                                                [T_F8E5M2] = "FX_F8E5M2",
                                                [T_BF16] = "FX_BF16",
                                                [T_F16] = "FX_F16"};
    bool was_float = dtype_is_float(from);
    if (to == T_BOOL) return arena_printf(p->arena, "%s != 0", x);
    if (!dtype_is_float(to)) return was_float ? int_from_float(p, to, x) : x;
    if (!was_float) x = arena_printf(p->arena, to == T_F32 ? "(float)%s" : "(double)%s", x);
    if (narrow[to]) return arena_printf(p->arena, "fx_ref_narrow(%s, %s)", narrow[to], x);
    return from == T_F64 && to == T_F32 ? arena_printf(p->arena, "(float)%s", x) : x;
}

/* gcc warns that a - a is always 0. */
static const char *distinct(const Reference *p, const char *a, const char *b) {
    return b && !strcmp(a, b) ? arena_printf(p->arena, "(%s + 0)", b) : b;
}

static const char *map_element(const Reference *p, const Node *n) {
    const char *src[SRC_MAX] = {0};
    for (int i = 0; i < n->src_count; i++) {
        src[i] = flat_element(p, n->src[i]);
        if (src[i][0] == '-') src[i] = arena_printf(p->arena, "(%s)", src[i]);
    }
    if (op_is_call(n->op))
        return reference_result(p, n, imported_reference_call(p->g, n, src, p->arena));
    Dtype from = p->g->node[n->src[0]].type;
    if (n->op == OP_CAST) return reference_result(p, n, cast_text(p, from, n->type, src[0]));
    if (n->op != OP_WHERE) src[1] = distinct(p, src[0], src[1]);
    int power = dtype_is_float(n->type) ? node_literal_power(p->g, n) : -1;
    if (power >= 0)
        return arena_printf(p->arena, "fx_ref_power(%s, %s, %d)", reference_type_name(n->type),
                            src[0], power);
    const char *pattern = op_text(n->op, IN_REFERENCE, dtype_is_float(from));
    return reference_result(p, n,
                            pattern_text(p->arena, pattern, src, reference_type_name(n->type)));
}

static void write_map(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id];
    bool one = has_one_element(p->g, n);
    if (!one) reference_line(p, "for (int64_t i0 = 0; i0 < %s; i0++)", reference_count(p, n));
    p->indent += !one;
    reference_line(p, "%s = %s;", flat_element(p, id), map_element(p, n));
    p->indent -= !one;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static void write_input(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id];
    const char *type = reference_type(n->type);
    bool one = has_one_element(p->g, n);
    reference_line(p, "const %s %sv%d = %s(const %s *)fx_data[%d];", type, one ? "" : "*const ", id,
                   one ? "*" : "", type, n->attr[0]);
}

static void write_leaf(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id];
    switch (n->op) {
    case OP_DIM: reference_line(p, "v%d = %s;", id, names_size(p->names, n->attr[0])); break;
    case OP_IOTA:
        if (has_one_element(p->g, n)) {
            reference_line(p, "v%d = 0;", id);
            break;
        }
        reference_line(p, "for (int64_t i0 = 0; i0 < %s; i0++)", reference_count(p, n));
        reference_line(p, "    v%d[i0] = i0;", id);
        break;
    default: BUG("self-test: op %s", op_info[n->op].name);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void write_node(Reference *p, NodeId id) {
    switch (op_info[p->g->node[id].op].class) {
    case LEAF: write_leaf(p, id); break;
    case MAP: write_map(p, id); break;
    case VIEW: reference_view(p, id); break;
    case REDUCE: reference_reduce(p, id); break;
    case SCAN: reference_scan(p, id); break;
    case DOT: reference_dot(p, id); break;
    case GATHER: reference_gather(p, id); break;
    case COMPOSITE:
        if (p->g->node[id].op == OP_SCATTER)
            reference_scatter(p, id);
        else if (op_has_text(p->g->node[id].op, IN_REFERENCE))
            write_map(p, id);
        else
            reference_rows(p, id);
        break;
    default: BUG("self-test: op %s", op_info[p->g->node[id].op].name);
    }
}

static void declare_node(Reference *p, NodeId id) {
    const Node *n = &p->g->node[id];
    const char *type = reference_type(n->type);
    text_printf(p->out, "\n    /* %s: %s */\n", op_info[n->op].name, names_shape(p->names, n));
    if (has_one_element(p->g, n))
        reference_line(p, "%s v%d;", type, id);
    else
        reference_line(p, "%s *const v%d = (%s *)fx_ref_array(%s);", type, id, type,
                       reference_count(p, n));
}

/* The last node that reads each node; -1: dead, not computed. Outputs are read after all nodes. */
static NodeId *last_readers(const Graph *g) {
    NodeId *last = arena_array(g->arena, NodeId, g->count);
    for (NodeId id = 1; id < g->count; id++) last[id] = -1;
    for (int i = 0; i < g->outputs.count; i++)
        last[element_of(g, g->outputs.at[i].node)] = g->count;
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; last[id] >= 0 && i < g->node[id].src_count; i++) {
            NodeId source = element_of(g, g->node[id].src[i]);
            if (last[source] < id) last[source] = id;
        }
    return last;
}

static void free_after(Reference *p, const NodeId *last, NodeId reader) {
    for (NodeId id = 1; id < p->g->count; id++) {
        const Node *n = &p->g->node[id];
        if (last[id] != reader || n->op == OP_INPUT || n->op == OP_CONST) continue;
        if (!has_one_element(p->g, n)) reference_line(p, "free(v%d);", id);
    }
}

static void write_outputs(Reference *p) {
    const Graph *g = p->g;
    text_char(p->out, '\n');
    for (int i = 0; i < g->outputs.count; i++) {
        NodeId id = g->outputs.at[i].node;
        const Node *n = &g->node[id];
        int number = g->inputs.count + i;
        reference_line(p, "for (int64_t i0 = 0; i0 < %s; i0++)", reference_count(p, n));
        reference_line(p, "    ((%s *)fx_data[%d])[i0] = %s;", reference_type(n->type), number,
                       flat_element(p, id));
    }
}

void reference_dims(const Names *names, Text *out) {
    const int count = names->plan->g->dims->symbols.count;
    for (int i = 0; i < count; i++)
        if (names->used[i])
            text_printf(out, "    const int64_t %s = fx_dims[%d];\n", names->symbol[i], i);
    if (!out->size) text_str(out, "    (void)fx_dims;\n");
}

void emit_reference(const Graph *g, const Names *given, Text *out) {
    const Names names = names_recording(given);
    const char *name = names.function;
    Text body = text_new(out->arena), dims = text_new(out->arena);
    Reference plain = {.g = g, .names = &names, .arena = out->arena, .out = &body, .indent = 1};
    Reference *p = &plain;
    NodeId *last = last_readers(g);
    for (NodeId id = 1; id < g->count; id++)
        if (last[id] >= 0 && g->node[id].op == OP_INPUT) write_input(p, id);
    for (NodeId id = 1; id < g->count; id++) {
        if (last[id] < 0 || g->node[id].op == OP_INPUT || g->node[id].op == OP_CONST) continue;
        declare_node(p, id);
        write_node(p, id);
        free_after(p, last, id);
    }
    write_outputs(p);
    free_after(p, last, g->count);
    reference_dims(&names, &dims);
    text_printf(out, "/* %s, node by node: v5 holds node 5 of its graph. */\n", name);
    text_printf(out,
                "static void fx_reference_%s(const int64_t *fx_dims, void *const *fx_data)\n{\n",
                name);
    text_printf(out, "%s%s}\n", text_get(&dims), text_get(&body));
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The cost of one element of a node, in units of an addition. */
static Dim steps_each(const Graph *g, const Node *n) {
    Dim steps = dim_const(g->dims, n->op == OP_CAST && dtype_is_narrow(n->type) ? 8 : 1);
    if (op_info[n->op].rule == R_FLOAT) steps = dim_const(g->dims, 4);
    if (op_info[n->op].class == COMPOSITE) steps = dim_const(g->dims, 16);
    if (n->op != OP_DOT) return steps;
    const Node *a = &g->node[n->src[0]];
    for (int i = a->rank - n->attr[1]; i < a->rank; i++)
        steps = dim_mul(g->dims, steps, a->shape[i]);
    return steps;
}

Dim reference_steps(const Graph *g) {
    NodeId *last = last_readers(g);
    Dim sum = dim_const(g->dims, 0);
    for (NodeId id = 1; id < g->count; id++) {
        if (last[id] < 0) continue;
        const Node *n = &g->node[id];
        OpClass class = op_info[n->op].class;
        Dim elements = node_elements(g, class == REDUCE || class == COMPOSITE ? n->src[0] : id);
        Dim steps = dim_mul(g->dims, elements, steps_each(g, n));
        sum = sum && steps ? dim_add(g->dims, sum, steps) : 0;
    }
    return sum;
}
