/* simplify.c: folds and cancels, only where the result is the same to the last bit.
 *   needs   any graph
 *   keeps   types, shapes, and every value: NaN, Inf and -0 included (a NaN's own bits aside)
 *   breaks  nothing
 * A rule builds with simple_add, so that what it gives is simplified itself, and one walk does
 * nearly all; the walk is repeated until it changes nothing. */
#include "graph/eval/eval.h"
#include "graph/pass/simplify_private.h"

#include <string.h>

enum { RULES_MAX = 4, WALKS_MAX = 8 };

static Rule fold_map, fold_dim;

/* Of elementwise ops, after fold_map. */
static Rule *const rules[OP_COUNT][RULES_MAX] = {
    [OP_DIM] = {fold_dim},
    [OP_NEG] = {undo_itself},
    [OP_ABS] = {idempotent, abs_negative},
    [OP_SIGN] = {idempotent},
    [OP_FLOOR] = {idempotent},
    [OP_CEIL] = {idempotent},
    [OP_ROUND] = {idempotent},
    [OP_ADD] = {add_zero, add_negative},
    [OP_SUB] = {sub_zero, sub_self, sub_negative},
    [OP_MUL] = {mul_one, mul_zero, mul_negatives},
    [OP_DIV] = {div_one, div_power_of_two},
    [OP_MOD] = {mod_one},
    [OP_POW] = {pow_literal},
    [OP_MIN] = {both_same},
    [OP_MAX] = {both_same},
    [OP_LT] = {compare_self},
    [OP_LE] = {compare_self},
    [OP_EQ] = {compare_self},
    [OP_NE] = {compare_self},
    [OP_AND] = {logic_const, both_same},
    [OP_OR] = {logic_const, both_same},
    [OP_NOT] = {undo_itself},
    [OP_WHERE] = {where_const, where_same, where_not},
    [OP_CAST] = {cast_same, cast_cast},
    [OP_RESHAPE] = {view_identity, view_splat, reshape_reshape},
    [OP_PERMUTE] = {view_splat, permute_permute},
    [OP_BROADCAST] = {view_identity, view_splat, broadcast_broadcast},
    [OP_SLICE] = {view_identity, view_splat, slice_slice},
    [OP_PAD] = {view_identity},
    [OP_FLIP] = {view_splat, flip_ones, flip_flip},
    [OP_SUM] = {reduce_ones},
    [OP_PROD] = {reduce_ones},
    [OP_RMAX] = {reduce_ones},
    [OP_RMIN] = {reduce_ones},
    [OP_ANY] = {reduce_ones},
    [OP_ALL] = {reduce_ones},
    [OP_ARGMAX] = {reduce_ones},
    [OP_CUMSUM] = {scan_one},
    [OP_CUMPROD] = {scan_one},
    [OP_CUMMAX] = {scan_one},
    [OP_CUMMIN] = {scan_one},
};

/* ---- one number everywhere ---------------------------------------------------------------- */

static Scalar const_value(const Node *n) {
    Scalar value;
    memcpy(&value, &n->bits, sizeof value);
    return value;
}

/* RESHAPE and BROADCAST are the only views to look through: view_splat removes the others. */
bool is_splat(const Graph *g, NodeId id, Scalar *value) {
    const Node *n = &g->node[id];
    while (n->op == OP_RESHAPE || n->op == OP_BROADCAST) n = &g->node[n->src[0]];
    if (n->op != OP_CONST) return false;
    *value = const_value(n);
    return true;
}

NodeId splat(Simplify *s, const Node *like, Scalar value) {
    Node n = {.op = OP_CONST, .type = like->type, .weak = like->weak, .span = like->span};
    memcpy(&n.bits, &value, sizeof n.bits);
    return graph_broadcast(s->to, graph_add(s->to, &n), like->rank, like->shape, like->span);
}

/* ---- folding ------------------------------------------------------------------------------ */

/* The reference evaluator computes an elementwise op on numbers, with the program's roundings. */
static bool fold_value(const Graph *g, const Node *n, const Scalar *value, Scalar *result) {
    Node nodes[SRC_MAX + 2];
    Dims none = {.arena = g->arena};
    Graph small = *g;
    GraphOutput output = {"folded", n->src_count + 1, n->span};
    Tensor *tensor;
    memset(nodes, 0, sizeof nodes);
    for (int i = 0; i < n->src_count; i++) {
        nodes[i + 1] = (Node){.op = OP_CONST, .type = g->node[n->src[i]].type};
        memcpy(&nodes[i + 1].bits, &value[i], sizeof value[i]);
    }
    nodes[output.node] = (Node){.op = n->op, .type = n->type, .src_count = n->src_count};
    for (int i = 0; i < n->src_count; i++) nodes[output.node].src[i] = i + 1;
    small.dims = &none;
    small.node = nodes;
    small.count = output.node + 1;
    small.inputs.count = 0;
    small.outputs.at = &output;
    small.outputs.count = 1;
    if (!eval(&small, NULL, NULL, EVAL_DECLARED, false, &tensor)) return false;
    *result = tensor_get(tensor, 0);
    tensor_free(tensor);
    return true;
}

static NodeId fold_map(Simplify *s, const Node *n) {
    Scalar value[SRC_MAX], result;
    if (op_is_call(n->op)) return 0; /* a compiler would have to be called */
    for (int i = 0; i < n->src_count; i++)
        if (!is_splat(s->to, n->src[i], &value[i])) return 0;
    return fold_value(s->to, n, value, &result) ? splat(s, n, result) : 0;
}

static NodeId fold_dim(Simplify *s, const Node *n) {
    Scalar value;
    return dim_is_const(s->to->dims, n->attr[0], &value.i) ? splat(s, n, value) : 0;
}

/* ---- the walk ----------------------------------------------------------------------------- */

static NodeId apply_rules(Simplify *s, const Node *n) {
    NodeId id = op_info[n->op].class == MAP ? fold_map(s, n) : 0;
    for (int i = 0; !id && i < RULES_MAX && rules[n->op][i]; i++) id = rules[n->op][i](s, n);
    return id;
}

NodeId simple_add(Simplify *s, const Node *draft) {
    Node n = *draft;
    if (!infer(s->to, &n)) return 0;
    NodeId id = apply_rules(s, &n);
    if (!id) return graph_add(s->to, &n);
    node_order_sources(&n);
    if (graph_find(s->to, &n) != id) s->changed = true;
    return id;
}

NodeId simple_map(Simplify *s, Op op, NodeId a, NodeId b, Span span) {
    if (!a || (!b && op_sources(op) > 1)) return 0;
    return simple_add(s,
                      &(Node){.op = op, .src_count = op_sources(op), .src = {a, b}, .span = span});
}

NodeId simple_cast(Simplify *s, NodeId x, Dtype type, Span span) {
    if (!x || (s->to->node[x].type == type && !s->to->node[x].weak)) return x;
    return simple_add(
        s, &(Node){.op = OP_CAST, .type = type, .src_count = 1, .src = {x}, .span = span});
}

static NodeId simplify_node(Graph *to, const Graph *from, NodeId old, const Node *draft,
                            void *context) {
    (void)from;
    Simplify *s = context;
    s->to = to;
    return s->kept && s->kept[old] ? graph_add(to, draft) : simple_add(s, draft);
}

static Graph *walk(Simplify *s, const Graph *g) {
    s->changed = false;
    return graph_rewrite(g, simplify_node, s);
}

/* The maxima and sums of attentions, which are found by them. */
static bool *attention_reductions(const Graph *g) {
    bool *kept = arena_array(g->arena, bool, g->count + 1);
    Attention a;
    for (NodeId id = 1; id < g->count; id++)
        if (find_attention(g, id, &a)) kept[a.max] = kept[a.sum] = true;
    return kept;
}

/* With one key, what an attention takes the maximum and the sum of is one element: its reductions
 * stay, and all others of one element go once the rest is simple. */
Graph *simplify(const Graph *g) {
    Simplify s = {.holds = true};
    Graph *result = walk(&s, g);
    for (int i = 1; result && s.changed && i < WALKS_MAX; i++) result = walk(&s, result);
    s.holds = false;
    for (int i = 0; result && s.held && (!i || s.changed) && i < WALKS_MAX; i++) {
        s.kept = attention_reductions(result);
        result = walk(&s, result);
    }
    return result;
}
