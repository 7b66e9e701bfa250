/* world.h: what the tests of the evaluator share: a small graph with its inputs, a way to run it,
 * and comparisons that tell 0 from -0 and NaN from everything else. */
#ifndef FUSEC_TEST_WORLD_H
#define FUSEC_TEST_WORLD_H

#include "graph/eval/eval.h"
#include "graph/lower/lower.h"
#include "graph/operands/operands.h"
#include "graph/pass/pass.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* ---- a graph and its inputs ------------------------------------------------------------- */

enum { INPUTS_MAX = 8, SYMBOLS_MAX = 8 };

typedef struct World {
    Arena *arena;
    Diag *diag;
    Limits limits;
    Graph *g;
    Tensor *input[INPUTS_MAX];
    int64_t symbols[SYMBOLS_MAX];
} World;

static inline void world_open(World *w) {
    *w = (World){.arena = arena_new(0), .limits = limits_default()};
    w->diag = diag_new(w->arena, 20);
    w->g = graph_new(w->arena, w->diag, &w->limits, dims_new(w->arena, &w->limits), "test");
}

static inline void world_close(World *w) {
    for (int i = 0; i < INPUTS_MAX; i++) tensor_free(w->input[i]);
    arena_free(w->arena);
}

static inline const Tensor *const *inputs_of(const World *w) {
    return (const Tensor *const *)w->input;
}

static inline Scalar scalar(Dtype type, double value) {
    return dtype_is_float(type) ? (Scalar){.f = value} : (Scalar){.i = (int64_t)value};
}

static inline double value_at(const Tensor *t, int64_t i) {
    Scalar value = tensor_get(t, i);
    return dtype_is_float(t->type) ? value.f : (double)value.i;
}

static inline void set(Tensor *t, int64_t i, double value) {
    tensor_set(t, i, scalar(t->type, value));
}

/* A new input of the graph, with its values; NULL: random ones. */
static inline NodeId input(World *w, Dtype type, int rank, const int64_t *shape,
                           const double *values) {
    static const char *const names[INPUTS_MAX] = {"p", "q", "r", "s", "t", "u", "v", "w"};
    int i = w->g->inputs.count;
    Dim dims[RANK_MAX] = {0};
    for (int axis = 0; axis < rank; axis++) dims[axis] = dim_const(w->g->dims, shape[axis]);
    w->input[i] = tensor_new(type, rank, shape);
    if (!values) tensor_random(w->input[i], (uint64_t)i + 1);
    for (int64_t j = 0; values && j < tensor_count(w->input[i]); j++)
        tensor_set(w->input[i], j, scalar(type, values[j]));
    return graph_input(w->g, names[i], type, rank, dims, NOWHERE);
}

#define SHAPE(...)  ((const int64_t[]){__VA_ARGS__})
#define VALUES(...) ((const double[]){__VA_ARGS__})

static inline NodeId vector(World *w, Dtype type, int64_t n, const double *values) {
    return input(w, type, 1, &n, values);
}

static inline NodeId constant(World *w, Dtype type, double value) {
    if (dtype_is_float(type)) return graph_const(w->g, type, value, NOWHERE);
    return graph_const_int(w->g, type, (int64_t)value, NOWHERE);
}

static inline NodeId node_with(World *w, Op op, NodeId a, NodeId b, NodeId c, int32_t attr) {
    Node draft = {.op = op, .src_count = c ? 3 : b ? 2 : 1, .src = {a, b, c}, .span = NOWHERE};
    draft.attr[0] = attr;
    return graph_add(w->g, &draft);
}

static inline NodeId norm(World *w, Op op, NodeId x, NodeId gain, NodeId bias, double eps) {
    Node draft = {.op = op, .src_count = bias ? 3 : 2, .src = {x, gain, bias}, .span = NOWHERE};
    memcpy(&draft.bits, &eps, sizeof eps);
    return graph_add(w->g, &draft);
}

static inline Tensor *run(World *w, NodeId node, EvalMode mode) {
    Tensor *out = NULL;
    assert_true(node > 0);
    assert_int_equal(w->diag->errors, 0);
    if (!w->g->outputs.count) graph_output(w->g, "y", node, NOWHERE);
    w->g->outputs.at[0].node = node;
    assert_true(eval(w->g, w->symbols, inputs_of(w), mode, false, &out));
    return out;
}

/* ---- comparing -------------------------------------------------------------------------- */

/* NaN is NaN, 0 is not -0, and else to a relative error. */
static inline bool agrees(double got, double want, double tolerance) {
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got);
    if (want == 0 || isinf(want)) return got == want && !signbit(got) == !signbit(want);
    return fabs(got - want) <= tolerance * fabs(want);
}

static inline void expect_near(const Tensor *t, int64_t i, double want, double tolerance) {
    double got = value_at(t, i);
    if (!agrees(got, want, tolerance))
        fail_msg("element %lld: got %.17g, want %.17g", (long long)i, got, want);
}

static inline void expect(World *w, NodeId node, Dtype type, int count, const double *want) {
    Tensor *t = run(w, node, EVAL_EXACT);
    assert_int_equal(t->type, type);
    assert_int_equal(tensor_count(t), count);
    for (int i = 0; i < count; i++) expect_near(t, i, want[i], 4e-16);
    tensor_free(t);
}

#endif
