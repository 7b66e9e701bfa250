/* scatter.c: scatter(base, indices, x, axis, with): the dual of take. In: a call. Out: a node whose
 * base and x have one type, and x the shape that take would give. */
#include "graph/lower/lower_private.h"

#include <string.h>

static bool lower_with(Lower *l, const Args *a, int i, Op *with) {
    static const Op all[] = {OP_ADD, OP_MAX, OP_MIN};
    const Ast *e = a->value[i];
    *with = OP_ADD;
    if (!e) return true;
    const bool is_name = e->kind == A_NAME;
    *with = OP_NULL;
    if (is_name && !strcmp(e->text, "set")) return true;
    for (size_t k = 0; is_name && k < sizeof all / sizeof *all; k++)
        if (!strcmp(e->text, op_info[all[k]].name)) return *with = all[k], true;
    diag_error(l->diag, e->span, "'with' is add, max, min or set");
    return false;
}

/* The operands in one type: a sum is computed in it. */
static bool meet(Lower *l, const Args *a, Op with, NodeId *base, NodeId *x) {
    Operands o = {.op = with ? with : OP_MAX, .count = 2, .span = a->call->span};
    o.src[0] = *base = strengthen(l->g, *base, a->value[0]->span), o.at[0] = a->value[0]->span;
    o.src[1] = *x, o.at[1] = a->value[2]->span;
    if (!*base || !*x) return false;
    const bool are_bool = l->g->node[*base].type == T_BOOL && l->g->node[*x].type == T_BOOL;
    const Dtype type = are_bool && !with ? T_BOOL : promote(l->g, &o);
    *base = convert(l->g, *base, type, o.at[0]);
    *x = convert(l->g, *x, type, o.at[1]);
    return *base && *x;
}

/* What take(base, indices, axis) would have; a number is repeated. */
static NodeId shaped(Lower *l, const Args *a, NodeId base, NodeId indices, NodeId x, int axis) {
    const Node *b = &l->g->node[base], *i = &l->g->node[indices], *n = &l->g->node[x];
    Dim shape[2 * RANK_MAX];
    int rank = 0;
    if (!rank_check(l->g, b->rank - 1 + i->rank, a->call->span)) return 0;
    for (int k = 0; k < axis; k++) shape[rank++] = b->shape[k];
    for (int k = 0; k < i->rank; k++) shape[rank++] = i->shape[k];
    for (int k = axis + 1; k < b->rank; k++) shape[rank++] = b->shape[k];
    if (!n->rank || shape_equal(n->rank, n->shape, rank, shape))
        return graph_broadcast(l->g, x, rank, shape, a->value[2]->span);
    Text text = text_new(l->arena);
    shape_print(l->g->dims, T_NONE, rank, shape, &text);
    diag_error(l->diag, a->value[2]->span,
               "'x' has the shape that 'take' would give, %s, and this is %s", text_get(&text),
               node_text(l->g, x));
    return 0;
}

NodeId lower_scatter(Lower *l, const Args *a) {
    NodeId base = arg_value(l, a, 0), indices = lower_indices(l, a, 1), x = arg_value(l, a, 2);
    int axis;
    Op with;
    if (!base || !indices || !x || !lower_with(l, a, 4, &with)) return 0;
    if (!meet(l, a, with, &base, &x)) return 0;
    if (!arg_axis(l, a, 3, l->g->node[base].rank, &axis)) return 0;
    x = shaped(l, a, base, indices, x, axis);
    return x ? graph_scatter(l->g, base, indices, x, axis, with, a->call->span) : 0;
}
