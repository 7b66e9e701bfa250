/* simplify_private.h: private to the files of the pass. simplify.c has the walk and the table of
 * rules, simplify_map.c the rules of elementwise ops, simplify_view.c those of views and
 * reductions. */
#ifndef FUSEC_SIMPLIFY_PRIVATE_H
#define FUSEC_SIMPLIFY_PRIVATE_H

#include "graph/pass/pass.h"

typedef struct Simplify {
    Graph *to;
    bool changed;     /* some rule gave another node than the draft */
    bool holds;       /* maxima and sums of one element stay for now: attentions are made of them */
    bool held;        /* one has stayed */
    const bool *kept; /* node of the graph that is simplified -> stays as it is; NULL: none */
} Simplify;

/* The replacement of the draft `n`, which has its type and shape, or 0 if the rule does not
 * apply. */
typedef NodeId Rule(Simplify *s, const Node *n);

/* ---- simplify.c: building what is itself simplified --------------------------------------- */

NodeId simple_add(Simplify *s, const Node *draft);
NodeId simple_map(Simplify *s, Op op, NodeId a, NodeId b, Span span);
NodeId simple_cast(Simplify *s, NodeId x, Dtype type, Span span);
/* One number everywhere: a CONST, broadcast to a shape. */
bool is_splat(const Graph *g, NodeId id, Scalar *value);
NodeId splat(Simplify *s, const Node *like, Scalar value); /* of like's type and shape */

/* ---- simplify_map.c ----------------------------------------------------------------------- */

Rule add_zero, add_negative, sub_zero, sub_self, sub_negative, mul_one, mul_zero, mul_negatives,
    div_one, div_power_of_two, mod_one, pow_literal, both_same, compare_self, logic_const,
    undo_itself, idempotent, abs_negative, where_const, where_same, where_not, cast_same, cast_cast;

/* ---- simplify_view.c ---------------------------------------------------------------------- */

Rule view_identity, view_splat, reshape_reshape, permute_permute, broadcast_broadcast, slice_slice,
    flip_ones, flip_flip, reduce_ones, scan_one;

#endif
