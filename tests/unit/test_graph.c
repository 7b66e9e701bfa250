/* test_graph.c: nodes, types and shapes, the printer, the verifier, the walk of the passes, and
 * decompose. Simplify has test_simplify.c. */
#include "graph/eval/eval.h"
#include "graph/pass/pass.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Fixture {
    Arena *arena;
    Diag *diag;
    Limits limits;
    Graph *g;
    Dim n, d;
} Fixture;

static const Span AT_X = {10, 11, 0}, AT_OP = {20, 25, 0};

static int setup(void **state) {
    Fixture *f = calloc(1, sizeof *f);
    f->limits = limits_default();
    f->arena = arena_new(0);
    f->diag = diag_new(f->arena, 100);
    Dims *dims = dims_new(f->arena, &f->limits);
    f->n = dim_symbol(dims, "N", NOWHERE);
    f->d = dim_symbol(dims, "D", NOWHERE);
    f->g = graph_new(f->arena, f->diag, &f->limits, dims, "test");
    *state = f;
    return 0;
}

static int teardown(void **state) {
    Fixture *f = *state;
    arena_free(f->arena);
    free(f);
    return 0;
}

static NodeId input(Fixture *f, const char *name, Dtype type, int rank, Dim a, Dim b) {
    return graph_input(f->g, name, type, rank, (Dim[]){a, b}, AT_X);
}

static Dim size(Fixture *f, int64_t value) { return dim_const(f->g->dims, value); }
static NodeId map(Fixture *f, Op op, NodeId a, NodeId b) {
    return graph_map(f->g, op, a, b, 0, AT_OP);
}

static void assert_shape(Fixture *f, NodeId id, const char *text) {
    Text out = text_new(f->arena);
    const Node *n = &f->g->node[id];
    shape_print(f->g->dims, n->type, n->rank, n->shape, &out);
    assert_string_equal(text_get(&out), text);
}

/* The one error so far, which is then forgotten. */
static void assert_error(Fixture *f, NodeId id, Span at, const char *text) {
    assert_int_equal(id, 0);
    assert_int_equal(f->diag->errors, 1);
    const Message *m = &f->diag->messages.at[f->diag->messages.count - 1];
    assert_string_equal(m->text, text);
    assert_memory_equal(&m->span, &at, sizeof at);
    f->diag->errors = 0;
}

static const char *printed(const Graph *g) {
    Text out = text_new(g->arena);
    graph_print(g, &out);
    return text_get(&out);
}

/* ---- adding ------------------------------------------------------------------------------- */

static void equal_nodes_are_one_node(void **state) {
    Fixture *f = *state;
    NodeId x = input(f, "x", T_F32, 1, f->n, 0), y = input(f, "y", T_F32, 1, f->n, 0);
    NodeId sum = map(f, OP_ADD, x, y);
    assert_int_equal(graph_map(f->g, OP_ADD, y, x, 0, AT_X),
                     sum); /* it commutes; the span is free */
    assert_int_not_equal(map(f, OP_SUB, x, y), map(f, OP_SUB, y, x));
    assert_int_not_equal(graph_const(f->g, T_F32, 0.0, AT_X), graph_const(f->g, T_F32, -0.0, AT_X));
    assert_int_equal(graph_const(f->g, T_F32, NAN, AT_X), graph_const(f->g, T_F32, NAN, AT_X));
    assert_int_not_equal(graph_const(f->g, T_F32, 1, AT_X), graph_const(f->g, T_F64, 1, AT_X));
    assert_int_not_equal(graph_literal(f->g, false, 1, 0, AT_X), graph_const(f->g, T_F64, 1, AT_X));
    int count = f->g->count;
    for (int i = 0; i < 1000; i++) (void)graph_const_int(f->g, T_I32, i % 500, AT_X);
    assert_int_equal(f->g->count, count + 500);
    for (NodeId id = 1; id < f->g->count; id++)
        assert_int_equal(graph_find(f->g, &f->g->node[id]), id);
}

static void constants_are_rounded_to_their_type(void **state) {
    Fixture *f = *state;
    double value;
    assert_true(node_is_const(&f->g->node[graph_const(f->g, T_BF16, 1.001, AT_X)], &value));
    assert_true(value == 1.0);
    assert_true(node_is_const(&f->g->node[graph_const(f->g, T_U8, 300, AT_X)], &value));
    assert_true(value == 255); /* a number saturates */
    assert_true(node_is_const(&f->g->node[graph_const_int(f->g, T_U8, 300, AT_X)], &value));
    assert_true(value == 44); /* an integer wraps */
    assert_false(node_is_const(&f->g->node[graph_dim(f->g, f->n, AT_X)], &value));
}

static void nothing_in_is_nothing_out(void **state) {
    Fixture *f = *state;
    NodeId x = input(f, "x", T_F32, 1, f->n, 0);
    assert_int_equal(map(f, OP_ADD, x, 0), 0);
    assert_int_equal(map(f, OP_ADD, 0, x), 0);
    assert_int_equal(graph_cast(f->g, 0, T_F32, AT_X), 0);
    assert_int_equal(graph_reshape(f->g, 0, 0, NULL, AT_X), 0);
    assert_int_equal(graph_permute(f->g, 0, NULL, AT_X), 0);
    assert_int_equal(graph_broadcast(f->g, 0, 1, &f->n, AT_X), 0);
    assert_int_equal(graph_slice(f->g, 0, NULL, NULL, AT_X), 0);
    assert_int_equal(graph_pad(f->g, x, NULL, NULL, 0, AT_X), 0);
    assert_int_equal(graph_reduce(f->g, OP_SUM, 0, 1, AT_X), 0);
    assert_int_equal(graph_dot(f->g, x, 0, 0, 1, AT_X), 0);
    assert_int_equal(graph_iota(f->g, 0, AT_X), 0);
    assert_int_equal(graph_dim(f->g, 0, AT_X), 0);
    assert_int_equal(f->diag->errors, 0);
}

static void limits_are_errors_with_a_name(void **state) {
    Fixture *f = *state;
    NodeId x = input(f, "x", T_F32, 1, f->n, 0);
    assert_error(f, input(f, "y", T_F32, 2, size(f, 1 << 21), size(f, 1 << 20)), AT_X,
                 "f32[2097152, 1048576] has more than 1099511627776 elements (--limit elements)");
    f->limits.nodes = 2;
    x = map(f, OP_EXP, x, 0);
    assert_int_not_equal(x, 0);
    assert_error(f, map(f, OP_EXP, x, 0), AT_OP,
                 "'test' needs more than 2 operations (--limit nodes)");
    assert_int_equal(f->g->count, 3);
}

/* ---- types -------------------------------------------------------------------------------- */

static void types_follow_the_rules(void **state) {
    Fixture *f = *state;
    NodeId h = input(f, "h", T_BF16, 1, f->n, 0), i = input(f, "i", T_I8, 1, f->n, 0);
    NodeId b = input(f, "b", T_BOOL, 1, f->n, 0), d = input(f, "d", T_F64, 1, f->n, 0);
    assert_shape(f, map(f, OP_ADD, h, h), "f32[N]");
    assert_shape(f, map(f, OP_ADD, i, i), "i32[N]");
    assert_shape(f, map(f, OP_EXP, d, 0), "f64[N]");
    assert_shape(f, map(f, OP_NEG, h, 0), "bf16[N]");
    assert_shape(f, map(f, OP_MAX, i, i), "i8[N]");
    assert_shape(f, map(f, OP_LT, h, h), "bool[N]");
    assert_shape(f, map(f, OP_AND, b, b), "bool[N]");
    assert_shape(f, map(f, OP_ISNAN, h, 0), "bool[N]");
    assert_shape(f, graph_map(f->g, OP_WHERE, b, h, h, AT_OP), "bf16[N]");
    assert_shape(f, graph_reduce(f->g, OP_SUM, b, 1, AT_OP), "i32[1]");
    assert_shape(f, graph_reduce(f->g, OP_SUM, h, 1, AT_OP), "f32[1]");
    assert_shape(f, graph_reduce(f->g, OP_RMAX, h, 1, AT_OP), "bf16[1]");
    assert_shape(f, graph_reduce(f->g, OP_ANY, b, 1, AT_OP), "bool[1]");
    assert_shape(f, graph_reduce(f->g, OP_ARGMAX, h, 1, AT_OP), "i32[1]");
    assert_shape(f, graph_dot(f->g, h, h, 0, 1, AT_OP), "f32");
    assert_shape(f, graph_dot(f->g, i, i, 0, 1, AT_OP), "i32");
}

static void wrong_types_point_at_the_operand(void **state) {
    Fixture *f = *state;
    NodeId i = input(f, "i", T_I32, 1, f->n, 0), b = input(f, "b", T_BOOL, 1, f->n, 0);
    NodeId x = input(f, "x", T_F32, 1, f->n, 0);
    assert_error(f, map(f, OP_EXP, i, 0), AT_X,
                 "exp needs a float, but this is i32[N]; write `x as f32`");
    assert_error(f, map(f, OP_ADD, b, b), AT_X,
                 "add needs a number, but this is bool[N]; write `x as i32`");
    assert_error(f, map(f, OP_AND, b, x), AT_X,
                 "and needs bool, but this is f32[N]; compare it, as in `x != 0`");
    assert_error(f, graph_map(f->g, OP_WHERE, x, x, x, AT_OP), AT_X,
                 "where needs bool, but this is f32[N]; compare it, as in `x != 0`");
    assert_error(f, map(f, OP_ADD, x, i), AT_OP,
                 "add needs one type, but these are f32[N] and i32[N]; convert one with `as`");
    assert_error(f, graph_dot(f->g, b, b, 0, 1, AT_OP), AT_X,
                 "matmul needs a number, but this is bool[N]; write `x as i32`");
}

static void weakness_spreads_through_maps_only(void **state) {
    Fixture *f = *state;
    NodeId one = graph_literal(f->g, true, 1, 1, AT_X), n = graph_dim(f->g, f->n, AT_X);
    NodeId strong = graph_const_int(f->g, T_I64, 1, AT_X), sum = map(f, OP_ADD, one, n);
    assert_true(f->g->node[one].weak && f->g->node[n].weak && f->g->node[sum].weak);
    assert_false(f->g->node[strong].weak);
    assert_false(f->g->node[map(f, OP_ADD, strong, n)].weak);
    NodeId cast = graph_cast(f->g, n, T_I64, AT_X);
    assert_int_not_equal(cast, n);
    assert_false(f->g->node[cast].weak);
    assert_int_equal(graph_cast(f->g, strong, T_I64, AT_X), strong);
}

/* ---- shapes ------------------------------------------------------------------------------- */

static void views_give_shapes(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId x = input(f, "x", T_F32, 2, f->n, f->d), one = graph_const(g, T_F32, 1, AT_X);
    Dim flat = dim_mul(g->dims, f->n, f->d), zero = size(f, 0),
        d2 = dim_mul(g->dims, f->d, size(f, 2));
    assert_shape(f, graph_reshape(g, x, 1, &flat, AT_OP), "f32[N*D]");
    assert_int_equal(graph_reshape(g, x, 2, (Dim[]){f->n, f->d}, AT_OP), x);
    assert_shape(f, graph_permute(g, x, (int[]){1, 0}, AT_OP), "f32[D, N]");
    assert_int_equal(graph_permute(g, x, (int[]){0, 1}, AT_OP), x);
    assert_shape(f, graph_broadcast(g, x, 3, (Dim[]){d2, f->n, f->d}, AT_OP), "f32[2*D, N, D]");
    assert_shape(f, graph_broadcast(g, one, 1, &f->n, AT_OP), "f32[N]");
    assert_shape(f, graph_slice(g, x, (Dim[]){zero, zero}, (Dim[]){f->n, size(f, 1)}, AT_OP),
                 "f32[N, 1]");
    assert_shape(f, graph_pad(g, x, (Dim[]){zero, f->d}, (Dim[]){f->n, d2}, one, AT_OP),
                 "f32[N, 2*D]");
    assert_int_equal(f->diag->errors, 0);
    assert_int_equal(g->dims->guards.count, 0);
}

static void shapes_that_do_not_fit_are_errors(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId x = input(f, "x", T_F32, 2, f->n, f->d), y = input(f, "y", T_F32, 1, size(f, 8), 0);
    Dim flat = dim_mul(g->dims, f->n, f->n);
    assert_error(f, map(f, OP_ADD, x, y), AT_OP,
                 "add needs one shape, but these are f32[N, D] and f32[8]");
    assert_error(
        f, graph_reshape(g, x, 1, &flat, AT_OP), AT_OP,
        "reshape keeps the number of elements: f32[N, D] has N*D, and the new shape has N*N");
    assert_error(f, graph_broadcast(g, y, 1, &f->n, AT_OP), AT_OP,
                 "f32[8] does not broadcast to f32[N]: axis 0 is neither 1 nor N");
    assert_error(f, graph_slice(g, y, (Dim[]){size(f, 4)}, (Dim[]){size(f, 5)}, AT_OP), AT_OP,
                 "slice: 5 elements from 4 on do not fit axis 0 of 8 elements");
    assert_error(f, graph_slice(g, y, (Dim[]){size(f, 4)}, (Dim[]){size(f, 0)}, AT_OP), AT_OP,
                 "slice: axis 0 would have 0 elements, and needs at least one");
    assert_error(f, graph_dot(g, x, y, 0, 1, AT_OP), AT_OP,
                 "matmul needs equal batch and summed axes, but these are f32[N, D] and f32[8]");
    assert_error(f, graph_iota(g, size(f, (int64_t)1 << 31), AT_OP), AT_OP,
                 "iota counts in i32, and 2147483648 elements are too many");
    assert_int_equal(g->dims->guards.count, 0);
}

static void what_is_not_known_to_fit_is_guarded(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId x = input(f, "x", T_F32, 1, f->n, 0);
    Dim less = dim_sub(g->dims, f->n, size(f, 4));
    NodeId slice = graph_slice(g, x, (Dim[]){size(f, 4)}, &less, AT_OP);
    assert_shape(f, slice, "f32[N - 4]");
    assert_int_equal(g->dims->guards.count, 1); /* 1 <= N - 4 */
    assert_int_equal(graph_slice(g, x, (Dim[]){size(f, 4)}, &less, AT_OP), slice);
    assert_int_equal(g->dims->guards.count, 1);
    (void)graph_slice(g, x, (Dim[]){f->d}, (Dim[]){size(f, 2)}, AT_OP);
    assert_int_equal(g->dims->guards.count, 2); /* D + 2 <= N */
    Dim product = dim_mul(g->dims, f->d, size(f, 3));
    assert_true(dim_assume(g->dims, DIM_EQ, f->n, product, AT_OP, "assert"));
    assert_shape(f, graph_reshape(g, x, 2, (Dim[]){f->d, size(f, 3)}, AT_OP), "f32[D, 3]");
}

static void contractions_and_composites_give_shapes(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId a = graph_input(g, "a", T_F32, 3, (Dim[]){size(f, 2), f->n, f->d}, AT_X);
    NodeId b = graph_input(g, "b", T_F32, 3, (Dim[]){size(f, 2), size(f, 5), f->d}, AT_X);
    NodeId i = input(f, "i", T_I32, 1, size(f, 7), 0), row = input(f, "row", T_F32, 1, f->d, 0);
    assert_shape(f, graph_dot(g, a, b, 1, 1, AT_OP), "f32[2, N, 5]");
    assert_shape(f, graph_dot(g, a, row, 0, 1, AT_OP), "f32[2, N]");
    assert_shape(f, graph_reduce(g, OP_SUM, a, 5, AT_OP), "f32[1, N, 1]");
    assert_shape(f, graph_reduce(g, OP_MEAN, a, 2, AT_OP), "f32[2, 1, D]");
    assert_shape(f, graph_reduce(g, OP_SOFTMAX, a, 4, AT_OP), "f32[2, N, D]");
    Node take = {.op = OP_GATHER, .src_count = 2, .src = {a, i}, .attr = {1}, .span = AT_OP};
    assert_shape(f, graph_add(g, &take), "f32[2, 7, D]");
    Node norm = {.op = OP_RMS_NORM, .src_count = 2, .src = {a, row}, .span = AT_OP};
    assert_shape(f, graph_add(g, &norm), "f32[2, N, D]");
    Node wrong = {.op = OP_RMS_NORM, .src_count = 2, .src = {b, i}, .span = AT_OP};
    assert_error(f, graph_add(g, &wrong), AT_X,
                 "rms_norm needs a float, but this is i32[7]; write `x as f32`");
    NodeId logits = input(f, "logits", T_BF16, 2, size(f, 7), f->d);
    Node loss = {.op = OP_CROSS_ENTROPY, .src_count = 2, .src = {logits, i}, .span = AT_OP};
    assert_shape(f, graph_add(g, &loss), "f32[7]");
}

/* ---- printing, rewriting, verifying ------------------------------------------------------- */

static void a_graph_prints_one_node_a_line(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId x = input(f, "x", T_BF16, 2, f->n, f->d);
    Dim half = dim_div(g->dims, f->d, size(f, 2), AT_OP), zero = size(f, 0);
    NodeId v = graph_slice(g, x, (Dim[]){zero, half}, (Dim[]){f->n, half}, AT_OP);
    NodeId t = graph_permute(g, v, (int[]){1, 0}, AT_OP);
    NodeId s = graph_reduce(g, OP_SUM, t, 3, AT_OP);
    NodeId c = graph_const(g, T_F32, 0.1f, AT_OP), i = graph_const_int(g, T_I8, -3, AT_OP);
    NodeId l = graph_literal(g, false, -INFINITY, 0, AT_OP),
           w = graph_literal(g, false, 2, 0, AT_OP);
    NodeId y = graph_dot(g, x, x, 0, 1, AT_OP);
    (void)i, (void)l, (void)w;
    graph_output(g, "s", s, AT_OP);
    graph_output(g, "y", y, AT_OP);
    (void)c;
    assert_string_equal(printed(g), "fn test[N, D]\n"
                                    "  %1 = input x : bf16[N, D]\n"
                                    "  %2 = slice %1 start=[0, D/2] : bf16[N, D/2]\n"
                                    "  %3 = permute %2 axes=[1, 0] : bf16[D/2, N]\n"
                                    "  %4 = sum %3 axis=[0, 1] : f32[1, 1]\n"
                                    "  %5 = const 0.10000000149011612 : f32\n"
                                    "  %6 = const -3 : i8\n"
                                    "  %7 = const -inf : weak f64\n"
                                    "  %8 = const 2.0 : weak f64\n"
                                    "  %9 = matmul %1 %1 batch=0 summed=1 : f32[N, N]\n"
                                    "  s = %4\n"
                                    "  y = %9\n"
                                    "  assert D % 2 == 0   // exact division\n");
}

static void a_walk_drops_what_nothing_reads(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId unused = input(f, "unused", T_F32, 1, f->n, 0), x = input(f, "x", T_F32, 1, f->n, 0);
    (void)map(f, OP_EXP, unused, 0);
    NodeId y = map(f, OP_NEG, x, 0);
    graph_output(g, "y", y, AT_OP);
    graph_output(g, "same", y, AT_OP);
    graph_output(g, "x", x, AT_OP);
    Graph *to = graph_rewrite(g, NULL, NULL);
    graph_verify(to, "test");
    assert_string_equal(printed(to), "fn test[N, D]\n"
                                     "  %1 = input unused : f32[N]\n"
                                     "  %2 = input x : f32[N]\n"
                                     "  %3 = neg %2 : f32[N]\n"
                                     "  y = %3\n"
                                     "  same = %3\n"
                                     "  x = %2\n");
}

/* Whether graph_verify ends the process. */
static bool is_caught(const Graph *g) {
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        if (!freopen("/dev/null", "w", stderr)) _exit(2);
        graph_verify(g, "test");
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) || WEXITSTATUS(status) > 2;
}

static void the_verifier_catches_what_add_would_not_make(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId x = input(f, "x", T_F32, 1, f->n, 0), y = input(f, "y", T_F32, 1, f->n, 0);
    NodeId sum = map(f, OP_ADD, x, y), e = map(f, OP_EXP, sum, 0);
    graph_output(g, "e", e, AT_OP);
    assert_false(is_caught(g));
    const Node right[2] = {g->node[sum], g->node[e]};
    g->node[e].type = T_F64;
    assert_true(is_caught(g));
    g->node[e] = right[1];
    g->node[e].shape[0] = f->d;
    assert_true(is_caught(g));
    g->node[e] = right[1];
    g->node[e].src[0] = e;
    assert_true(is_caught(g));
    g->node[e] = right[1];
    g->node[sum].src[0] = y;
    g->node[sum].src[1] = x;
    assert_true(is_caught(g));
    g->node[sum] = right[0];
    assert_false(is_caught(g));
    (void)map(f, OP_EXP, x, 0); /* nothing reads it */
    assert_true(is_caught(g));
}

/* ---- decompose ---------------------------------------------------------------------------- */

static void composites_become_their_formulas(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId x = input(f, "x", T_BF16, 2, f->n, f->d);
    graph_output(g, "y", graph_reduce(g, OP_SOFTMAX, x, 2, AT_OP), AT_OP);
    Graph *to = decompose(g);
    graph_verify(to, "decompose");
    assert_string_equal(printed(to), "fn test[N, D]\n"
                                     "  %1 = input x : bf16[N, D]\n"
                                     "  %2 = as %1 : f32[N, D]\n"
                                     "  %3 = max %2 axis=[1] : f32[N, 1]\n"
                                     "  %4 = const -inf : f32\n"
                                     "  %5 = reshape %4 : f32[1, 1]\n"
                                     "  %6 = broadcast %5 : f32[N, 1]\n"
                                     "  %7 = eq %3 %6 : bool[N, 1]\n"
                                     "  %8 = const 0.0 : f32\n"
                                     "  %9 = reshape %8 : f32[1, 1]\n"
                                     "  %10 = broadcast %9 : f32[N, 1]\n"
                                     "  %11 = where %7 %10 %3 : f32[N, 1]\n"
                                     "  %12 = broadcast %11 : f32[N, D]\n"
                                     "  %13 = sub %2 %12 : f32[N, D]\n"
                                     "  %14 = exp %13 : f32[N, D]\n"
                                     "  %15 = sum %14 axis=[1] : f32[N, 1]\n"
                                     "  %16 = eq %10 %15 : bool[N, 1]\n"
                                     "  %17 = const 1.0 : f32\n"
                                     "  %18 = reshape %17 : f32[1, 1]\n"
                                     "  %19 = broadcast %18 : f32[N, 1]\n"
                                     "  %20 = where %16 %19 %15 : f32[N, 1]\n"
                                     "  %21 = div %19 %20 : f32[N, 1]\n"
                                     "  %22 = broadcast %21 : f32[N, D]\n"
                                     "  %23 = mul %14 %22 : f32[N, D]\n"
                                     "  y = %23\n");
}

static void softmax_and_logsumexp_share_their_exponentials(void **state) {
    Fixture *f = *state;
    Graph *g = f->g;
    NodeId x = input(f, "x", T_F32, 2, f->n, f->d);
    graph_output(g, "y", graph_reduce(g, OP_SOFTMAX, x, 2, AT_OP), AT_OP);
    graph_output(g, "l", graph_reduce(g, OP_LOGSUMEXP, x, 2, AT_OP), AT_OP);
    Graph *to = decompose(g);
    int count[OP_COUNT] = {0};
    for (NodeId id = 1; id < to->count; id++) count[to->node[id].op]++;
    assert_int_equal(count[OP_EXP], 1);
    assert_int_equal(count[OP_SUM], 1);
    assert_int_equal(count[OP_RMAX], 1);
}

enum { ROWS = 8, COLUMNS = 6 };

/* Ordinary rows, and those that formulas get wrong. */
static Tensor *awkward_rows(Dtype type) {
    static const double rows[ROWS][COLUMNS] = {
        {0.5, -1, 2, 0.25, -0.0, 3},
        {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY},
        {1, INFINITY, 2, 3, -INFINITY, 0},
        {1, NAN, 2, 3, 4, 5},
        {-INFINITY, 1, -INFINITY, 2, 0, -3},
        {1000, 999, -1000, 0, 500, 1000},
        {1e-30, -1e-30, 1e-40, 0, 0, 0},
        {7, 7, 7, 7, 7, 7},
    };
    Tensor *t = tensor_new(type, 2, (int64_t[]){ROWS, COLUMNS});
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        tensor_set(t, i, (Scalar){.f = rows[i / COLUMNS][i % COLUMNS]});
    return t;
}

static Tensor *evaluated(const Graph *g, const Tensor *const *inputs, EvalMode mode) {
    Tensor *out = NULL;
    int64_t symbols[2] = {ROWS, COLUMNS};
    assert_true(eval(g, symbols, inputs, mode, false, &out));
    return out;
}

static void assert_close(const char *name, const Tensor *a, const Tensor *b) {
    for (int64_t i = 0; i < tensor_count(a); i++) {
        double x = tensor_get(a, i).f, y = tensor_get(b, i).f;
        bool close = isfinite(x) ? fabs(x - y) <= 2e-6 * (fabs(x) + 1e-3)
                     : isnan(x)  ? isnan(y)
                                 : x == y;
        if (!close) fail_msg("%s: element %d is %g, and decomposed %g", name, (int)i, x, y);
    }
}

/* The composite as the evaluator defines it, and its formula: also at NaN, Inf and -0. */
static void check_formula(Fixture *f, Dtype type, Node draft) {
    Graph *g = graph_like(f->g);
    const char *name = op_info[draft.op].name;
    NodeId x = graph_input(g, "x", type, 2, (Dim[]){f->n, f->d}, AT_X);
    NodeId rows[2] = {graph_input(g, "gain", type, 1, &f->d, AT_X),
                      graph_input(g, "bias", type, 1, &f->d, AT_X)};
    NodeId labels = graph_input(g, "labels", T_I64, 1, &f->n, AT_X);
    draft.src_count = op_sources(draft.op);
    draft.src[0] = x;
    for (int i = 1; i < draft.src_count; i++) draft.src[i] = rows[i - 1];
    if (draft.op == OP_CROSS_ENTROPY || draft.op == OP_SCATTER) draft.src[1] = labels;
    if (draft.op == OP_SCATTER) draft.src[2] = x, draft.attr[1] = OP_ADD;
    if (draft.op == OP_CLAMP)
        for (int i = 1; i < 3; i++)
            draft.src[i] = graph_broadcast(g, graph_const(g, type, i - 1.5, AT_X), 2,
                                           (Dim[]){f->n, f->d}, AT_X);
    NodeId id = graph_add(g, &draft);
    graph_output(g, "y", id, AT_OP);
    g = graph_rewrite(g, NULL, NULL);
    Graph *to = decompose(g);
    graph_verify(to, "decompose");
    for (NodeId i = 1; i < to->count; i++)
        assert_int_not_equal(op_info[to->node[i].op].class, COMPOSITE);
    Tensor *in[4] = {awkward_rows(type), tensor_new(type, 1, (int64_t[]){COLUMNS}),
                     tensor_new(type, 1, (int64_t[]){COLUMNS}),
                     tensor_new(T_I64, 1, (int64_t[]){ROWS})};
    tensor_random(in[1], 1);
    tensor_random(in[2], 2);
    for (int64_t i = 0; i < ROWS; i++) /* some out of range; the first does not fit i32 */
        tensor_set(in[3], i, (Scalar){.i = i ? i - 4 : ((int64_t)1 << 32) + 1});
    for (EvalMode mode = EVAL_EXACT; mode <= EVAL_DECLARED; mode++) {
        Tensor *a = evaluated(g, (const Tensor *const *)in, mode);
        Tensor *b = evaluated(to, (const Tensor *const *)in, mode);
        assert_close(name, a, b);
        tensor_free(a);
        tensor_free(b);
    }
    for (int i = 0; i < 4; i++) tensor_free(in[i]);
}

static void formulas_mean_what_the_evaluator_says(void **state) {
    Fixture *f = *state;
    const Dtype types[] = {T_F64, T_F32, T_BF16};
    double eps = 1e-5;
    for (int t = 0; t < 3; t++)
        for (Op op = OP_NULL + 1; op < OP_COUNT; op++) {
            Node draft = {.op = op, .span = AT_OP};
            if (op_info[op].class != COMPOSITE) continue;
            bool along = op == OP_MEAN || op == OP_VAR || op == OP_LOGSUMEXP || op == OP_SOFTMAX ||
                         op == OP_LOG_SOFTMAX;
            if (op == OP_LAYER_NORM || op == OP_RMS_NORM) memcpy(&draft.bits, &eps, sizeof eps);
            for (int axes = 1; axes <= (along ? 3 : 1); axes++) {
                if (along) draft.attr[0] = axes;
                check_formula(f, types[t], draft);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(F) cmocka_unit_test_setup_teardown(F, setup, teardown)
        TEST(equal_nodes_are_one_node),
        TEST(constants_are_rounded_to_their_type),
        TEST(nothing_in_is_nothing_out),
        TEST(limits_are_errors_with_a_name),
        TEST(types_follow_the_rules),
        TEST(wrong_types_point_at_the_operand),
        TEST(weakness_spreads_through_maps_only),
        TEST(views_give_shapes),
        TEST(shapes_that_do_not_fit_are_errors),
        TEST(what_is_not_known_to_fit_is_guarded),
        TEST(contractions_and_composites_give_shapes),
        TEST(a_graph_prints_one_node_a_line),
        TEST(a_walk_drops_what_nothing_reads),
        TEST(the_verifier_catches_what_add_would_not_make),
        TEST(composites_become_their_formulas),
        TEST(softmax_and_logsumexp_share_their_exponentials),
        TEST(formulas_mean_what_the_evaluator_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
