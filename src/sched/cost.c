/* cost.c: the numbers that fusion weighs: bytes of a node, and what is costly, with open dims taken
 * at a nominal size, so that a plan does not depend on sizes that come later. */
#include "sched/sched.h"

enum { NOMINAL = 1024 };

static int64_t nominal_size(const DimSymbol *s) {
    int64_t m = s->multiple > 0 ? s->multiple : 1;
    int64_t size = (NOMINAL + m - 1) / m * m;
    if (size < s->lo) size = (s->lo + m - 1) / m * m;
    return size > s->hi ? s->hi : size;
}

int64_t cost_dim(const Graph *g, Dim d) {
    int64_t value;
    if (dim_is_const(g->dims, d, &value)) return value;
    int count = g->dims->symbols.count;
    int64_t *size = arena_array(g->arena, int64_t, count);
    for (int i = 0; i < count; i++) size[i] = nominal_size(&g->dims->symbols.at[i]);
    return dim_value(g->dims, d, size, &value) && value > 0 ? value : NOMINAL;
}

int64_t cost_bytes(const Graph *g, NodeId id) {
    Dim elements = node_elements(g, id);
    return (elements ? cost_dim(g, elements) : NOMINAL) * (int64_t)dtype_size(g->node[id].type);
}

bool is_costly_op(Op op) {
    switch (op) {
    case OP_EXP:
    case OP_EXP2:
    case OP_EXPM1:
    case OP_LOG:
    case OP_LOG2:
    case OP_LOG1P:
    case OP_SIN:
    case OP_COS:
    case OP_TANH:
    case OP_ERF:
    case OP_POW:
    case OP_MOD:
    case OP_CUMSUM: return true;
    default: return false;
    }
}

bool is_costly(const Graph *g, NodeId id) { return is_costly_op(g->node[id].op); }
