/* eval.c: the reference evaluator: computes a graph one node after the other, in plain loops.
 * In: a graph, the values of its dims, its inputs. Out: its outputs. All floats are held as double;
 * the modes differ in what is rounded (round.c). A node's elements are freed after its last
 * reader. */
#include "graph/eval/eval_private.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- memory ----------------------------------------------------------------------------- */

static bool fail(Eval *e, FailureKind kind, const Node *n) {
    e->failure = (Failure){.kind = kind, .n = n};
    return false;
}

void *eval_alloc(Eval *e, const Node *n, int64_t count, size_t size) {
    void *at = (uint64_t)count <= PTRDIFF_MAX / size ? malloc((size_t)count * size) : NULL;
    if (!at) e->failure = (Failure){.kind = FAIL_MEMORY, .n = n, .size = count};
    return at;
}

/* Shape and memory of a node. */
static bool value_open(Eval *e, const Node *n, Value *value) {
    value->count = 1;
    for (int axis = 0; axis < n->rank; axis++) {
        int64_t size;
        if (!dim_value(e->g->dims, n->shape[axis], e->symbols, &size) || size < 1)
            return fail(e, FAIL_SIZE, n);
        if (size > e->g->limits->elements / value->count) return fail(e, FAIL_SIZE, n);
        value->shape[axis] = size;
        value->count *= size;
    }
    value->at = eval_alloc(e, n, value->count, sizeof *value->at);
    return value->at != NULL;
}

static void value_close(Value *value) {
    free(value->at);
    value->at = NULL;
}

/* ---- leaves ----------------------------------------------------------------------------- */

static bool load_input(Eval *e, const Node *n, Value *out) {
    const Tensor *tensor = e->inputs[n->attr[0]];
    if (tensor->type != n->type || tensor->rank != n->rank) return fail(e, FAIL_INPUT, n);
    for (int axis = 0; axis < n->rank; axis++)
        if (tensor->shape[axis] != out->shape[axis]) return fail(e, FAIL_INPUT, n);
    for (int64_t i = 0; i < out->count; i++) out->at[i] = tensor_get(tensor, i);
    return true;
}

static Scalar const_value(const Node *n) {
    union { /* the number with these bits */
        uint64_t bits;
        Scalar value;
    } constant = {n->bits};
    return constant.value;
}

static bool eval_leaf(Eval *e, const Node *n, Value *out) {
    switch (n->op) {
    case OP_INPUT: return load_input(e, n, out);
    case OP_CONST: out->at[0] = const_value(n); return true;
    case OP_DIM:
        if (!dim_value(e->g->dims, n->attr[0], e->symbols, &out->at[0].i))
            return fail(e, FAIL_SIZE, n);
        return true;
    case OP_IOTA:
        for (int64_t i = 0; i < out->count; i++) out->at[i].i = eval_wrap(n->type, (uint64_t)i);
        return true;
    default: BUG("no meaning for %s", op_info[n->op].name);
    }
}

/* ---- nodes ------------------------------------------------------------------------------ */

static bool eval_op(Eval *e, const Node *n, Value *out) {
    switch (op_info[n->op].class) {
    case LEAF: return eval_leaf(e, n, out);
    case MAP: eval_map(e, n, out); return true;
    case VIEW: eval_view(e, n, out); return true;
    case REDUCE: return eval_reduce(e, n, out);
    case PARTIAL: return eval_partial_sum(e, n, out);
    case SCAN: return eval_scan(e, n, out);
    case DOT: return eval_matmul(e, n, out);
    case GATHER: return eval_gather(e, n, out);
    case SEGMENTS: return eval_segments(e, n, out);
    case COMBINE: eval_combine(e, n, out); return true;
    case COMPOSITE: return eval_composite(e, n, out);
    case SUGAR: break;
    }
    BUG("no meaning for %s", op_info[n->op].name);
}

static void release(Eval *e, NodeId id) {
    if (--e->value[id].readers == 0) value_close(&e->value[id]);
}

static bool store_output(Eval *e, int i) {
    NodeId id = e->g->outputs.at[i].node;
    const Node *n = &e->g->node[id];
    const Value *value = &e->value[id];
    e->outputs[i] = tensor_new(n->type, n->rank, value->shape);
    if (!e->outputs[i]) {
        e->failure = (Failure){.kind = FAIL_MEMORY, .n = n, .size = value->count};
        return false;
    }
    for (int64_t j = 0; j < value->count; j++) tensor_set(e->outputs[i], j, value->at[j]);
    return true;
}

static bool eval_node(Eval *e, NodeId id) {
    const Node *n = &e->g->node[id];
    e->type = n->type;
    if (!value_open(e, n, &e->value[id]) || !eval_op(e, n, &e->value[id])) return false;
    for (int i = 0; i < n->src_count; i++) release(e, n->src[i]);
    for (int i = 0; i < e->g->outputs.count; i++) {
        if (e->g->outputs.at[i].node != id) continue;
        if (!store_output(e, i)) return false;
        release(e, id);
    }
    return true;
}

/* Sources have smaller ids than their readers: one walk down counts the readers of what the outputs
 * need. */
static void count_readers(Eval *e) {
    const Graph *g = e->g;
    for (int i = 0; i < g->outputs.count; i++) e->value[g->outputs.at[i].node].readers++;
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; e->value[id].readers && i < g->node[id].src_count; i++)
            e->value[g->node[id].src[i]].readers++;
}

static bool eval_nodes(Eval *e) {
    e->value = calloc((size_t)e->g->count, sizeof *e->value);
    if (!e->value) return fail(e, FAIL_MEMORY, NULL);
    count_readers(e);
    for (NodeId id = 1; id < e->g->count; id++)
        if (e->value[id].readers && !eval_node(e, id)) return false;
    return true;
}

/* ---- failure ---------------------------------------------------------------------------- */

static const char *node_shape(const Eval *e, const Node *n) {
    Text text = text_new(e->g->arena);
    shape_print(e->g->dims, n->type, n->rank, n->shape, &text);
    return text_get(&text);
}

static void report(const Eval *e) {
    const Failure *f = &e->failure;
    const Graph *g = e->g;
    switch (f->kind) {
    case FAIL_NONE: break;
    case FAIL_MEMORY:
        if (f->n)
            diag_refuse(g->diag, "out of memory: evaluating %s, %" PRId64 " elements for %s",
                        g->name, f->size, node_shape(e, f->n));
        else
            diag_refuse(g->diag, "out of memory: evaluating %s", g->name);
        break;
    case FAIL_SIZE:
        diag_error(g->diag, f->n->span,
                   "%s has no size here, or more elements than the limit (elements=%" PRId64 ")",
                   node_shape(e, f->n), g->limits->elements);
        break;
    case FAIL_INDEX:
        diag_error(g->diag, f->n->span,
                   "%s: index %" PRId64 " (element %" PRId64
                   " of the %s) is out of range: the axis "
                   "has size %" PRId64,
                   op_info[f->n->op].name, f->index, f->element,
                   f->n->op == OP_CROSS_ENTROPY ? "labels" : "indices", f->size);
        break;
    case FAIL_INPUT:
        diag_error(g->diag, f->n->span, "input %s is not %s with the dims given",
                   g->inputs.at[f->n->attr[0]].name, node_shape(e, f->n));
        break;
    case FAIL_GUARD:
        diag_error(g->diag, f->guard->span, "%s does not hold for the dims given", f->guard->why);
        break;
    }
}

/* Shapes are valid only if the guards hold. */
static bool check_guards(Eval *e) {
    const DimGuard *failed;
    if (dims_check(e->g->dims, e->symbols, &failed)) return true;
    e->failure = (Failure){.kind = FAIL_GUARD, .guard = failed};
    return false;
}

static bool masks_open(Eval *e) { return eval_masked_open(e) || fail(e, FAIL_MEMORY, NULL); }

bool eval(const Graph *g, const int64_t *symbols, const Tensor *const *inputs, EvalMode mode,
          bool check_bounds, Tensor **outputs) {
    Eval e = {.g = g,
              .symbols = symbols,
              .inputs = inputs,
              .outputs = outputs,
              .mode = mode,
              .check_bounds = check_bounds,
              .random = (uint64_t)mode};
    for (int i = 0; i < g->outputs.count; i++) outputs[i] = NULL;
    bool ok = check_guards(&e) && eval_calls_open(g) && masks_open(&e) && eval_nodes(&e);
    for (NodeId id = 1; e.value && id < g->count; id++) value_close(&e.value[id]);
    free(e.value);
    free(e.masked);
    for (int i = 0; !ok && i < g->outputs.count; i++) {
        tensor_free(outputs[i]);
        outputs[i] = NULL;
    }
    report(&e);
    return ok;
}
