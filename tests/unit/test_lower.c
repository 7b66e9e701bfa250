/* test_lower.c: what the golden tests of lowering cannot show: attributes, the numbers that views,
 * matmul and einsum stand for, the order of outputs, sameness from run to run, and no memory. */
#include "graph/eval/eval.h"
#include "graph/lower/lower.h"
#include "graph/pass/pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;
static Diag *diag;
static Limits limits;

static int setup(void **state) {
    (void)state;
    arena = arena_new(0);
    diag = diag_new(arena, 20);
    limits = limits_default();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

static const char *said(void) {
    Text out = text_new(arena);
    diag_print(diag, &out, false);
    return text_get(&out);
}

/* NULL after diag_errors. */
static Model *try_lower(const char *text) {
    LowerOptions options = {0};
    uint32_t file = diag_source(diag, "test.fx", text, strlen(text));
    const Ast *ast = parse(arena, diag, file, &limits);
    return ast ? lower(arena, diag, ast, "test", &limits, &options) : NULL;
}

static Model *lowered(const char *text) {
    Model *model = try_lower(text);
    if (!model) print_error("%s", said());
    assert_non_null(model);
    for (int i = 0; i < model->functions.count; i++) graph_verify(model->functions.at[i], "lower");
    return model;
}

/* ---- attributes --------------------------------------------------------------------------- */

static void attributes_reach_the_graph(void **state) {
    (void)state;
    Model *model = lowered("@strict @max_kernels(2) @precision(bf16x3)\n"
                           "fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }\n"
                           "@one_kernel @autocast(f16)\n"
                           "fn g[N](x: f32[N]) -> (y: f32[N]) { y = x; }\n"
                           "fn h[N](x: f32[N]) -> (y: f32[N]) { y = x; }\n");
    const FnAttrs *f = &model->functions.at[0]->attrs, *g = &model->functions.at[1]->attrs,
                  *h = &model->functions.at[2]->attrs;
    assert_true(f->strict && f->max_kernels == 2 && f->precision == P_BF16X3);
    assert_int_equal(f->autocast, T_NONE);
    assert_int_equal(f->max_kernels_span.lo, 8);
    assert_int_equal(f->max_kernels_span.hi, 23);
    assert_true(!g->strict && g->max_kernels == 1 && g->precision == P_IEEE);
    assert_int_equal(g->autocast, T_F16);
    assert_true(!h->strict && !h->max_kernels && h->max_kernels_span.file == NO_FILE);
}

/* Of what a called function asks for, only strictness holds for its caller. */
static void strictness_is_inherited(void **state) {
    (void)state;
    Model *model = lowered("@strict @one_kernel @precision(tf32)\n"
                           "fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }\n"
                           "fn g[N](x: f32[N]) -> (y: f32[N]) { y = f(x) + 1; }\n");
    assert_int_equal(model->functions.count, 1);
    const FnAttrs *g = &model->functions.at[0]->attrs;
    assert_true(g->strict && !g->max_kernels && g->precision == P_IEEE);
}

/* ---- the graph ---------------------------------------------------------------------------- */

static void outputs_and_inputs_as_declared(void **state) {
    (void)state;
    Model *model =
        lowered("fn f[N](a: f32[N], _spare: f32[N], b: i32[N]) -> (y: f32[N], z: i32[N])\n"
                "{ z = b; y = a; }\n");
    const Graph *g = model->functions.at[0];
    assert_string_equal(model->name, "test");
    assert_string_equal(g->name, "f");
    assert_int_equal(g->inputs.count, 3);
    assert_string_equal(g->inputs.at[1].name, "_spare");
    assert_string_equal(g->outputs.at[0].name, "y");
    assert_int_equal(g->outputs.at[0].node, g->inputs.at[0].node);
    assert_int_equal(g->outputs.at[1].node, g->inputs.at[2].node);
    assert_int_equal(diag->warnings, 0);
}

static const char *const attention =
    "fn attention[B, H, S, D](q: bf16[B, H, S, D], k: bf16[B, H, S, D], v: bf16[B, H, S, D])\n"
    "    -> (o: bf16[B, H, S, D]) {\n"
    "    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);\n"
    "    o = softmax(s) as bf16 @ v;\n"
    "}\n";

static const char *printed(const Graph *g) {
    Text out = text_new(arena);
    graph_print(g, &out);
    return text_get(&out);
}

static void the_same_text_gives_the_same_graph(void **state) {
    (void)state;
    const char *first = printed(lowered(attention)->functions.at[0]);
    assert_string_equal(first, printed(lowered(attention)->functions.at[0]));
}

/* ---- meaning ------------------------------------------------------------------------------ */

enum { INPUTS = 16, OUTPUTS = 32 };

static Tensor *input_of(const Graph *g, int i, const int64_t *symbols) {
    const Node *n = &g->node[g->inputs.at[i].node];
    int64_t shape[RANK_MAX];
    for (int axis = 0; axis < n->rank; axis++)
        assert_true(dim_value(g->dims, n->shape[axis], symbols, &shape[axis]));
    Tensor *tensor = tensor_new(n->type, n->rank, shape);
    assert_non_null(tensor);
    tensor_random(tensor, (uint64_t)i);
    return tensor;
}

/* Evaluates the first function; all its outputs are bool scalars that must be true. */
static void assert_holds(const char *text, const int64_t *symbols) {
    const Graph *g = lowered(text)->functions.at[0];
    Tensor *input[INPUTS], *output[OUTPUTS];
    const DimGuard *failed;
    assert_true(g->inputs.count <= INPUTS && g->outputs.count <= OUTPUTS);
    assert_true(dims_check(g->dims, symbols, &failed));
    for (int i = 0; i < g->inputs.count; i++) input[i] = input_of(g, i, symbols);
    assert_true(eval(g, symbols, (const Tensor *const *)input, EVAL_EXACT, true, output));
    for (int i = 0; i < g->outputs.count; i++) {
        if (!tensor_get(output[i], 0).i) fail_msg("%s does not hold", g->outputs.at[i].name);
        tensor_free(output[i]);
    }
    for (int i = 0; i < g->inputs.count; i++) tensor_free(input[i]);
}

#define CLOSE "fn close[N](a: f64[N], b: f64[N]) -> (ok: bool) { ok = all(abs(a - b) < 1e-9); }\n"

/* The symbols are 2 3 4 5 6 in the order of the dims. */
static const int64_t sizes[] = {2, 3, 4, 5, 6};

static void matmul_is_a_sum_of_products(void **state) {
    (void)state;
    assert_holds(
        CLOSE
        "fn f[B, H, I, J, K](x: f64[I, K], w: f64[K, J], v: f64[K], a: f64[B, H, I, K],\n"
        "                    b: f64[B, H, K, J], o: f64[B, 1, K, J], g: f64[H, K, J])\n"
        "    -> (two: bool, row: bool, column: bool, inner: bool, rows: bool, batch: bool,\n"
        "        one: bool, wide: bool, last: bool, first: bool) {\n"
        "    two = close(reshape(x @ w, -1), reshape(sum(x[:, :, None] * w, axis = 1), -1));\n"
        "    row = close(v @ w, sum(v[:, None] * w, axis = 0));\n"
        "    column = close(x @ v, sum(x * v));\n"
        "    inner = close(reshape(v @ v, 1), reshape(sum(v * v), 1));\n"
        "    rows = close(reshape(a @ w, -1), reshape(sum(a[..., None] * w, axis = 3), -1));\n"
        "    batch = close(reshape(a @ b, -1),\n"
        "                  reshape(sum(a[..., None] * b[:, :, None], axis = 3), -1));\n"
        "    one = close(reshape(a @ o, -1),\n"
        "                reshape(sum(a[..., None] * o[:, :, None], axis = 3), -1));\n"
        "    wide = close(reshape(a @ g, -1),\n"
        "                 reshape(sum(a[..., None] * g[None, :, None], axis = 3), -1));\n"
        "    last = close(reshape(x @ b, -1),\n"
        "                 reshape(sum(x[:, :, None] * b[:, :, None], axis = 3), -1));\n"
        "    first = close(reshape(v @ b, -1), reshape(sum(v[:, None] * b, axis = 2), -1));\n"
        "}\n",
        sizes);
}

static void einsum_is_a_sum_of_products(void **state) {
    (void)state;
    assert_holds(
        CLOSE
        "fn f[B, H, I, J, K](q: f64[B, H, I, K], k: f64[B, H, J, K], x: f64[I, J], y: f64[J, K],\n"
        "                    z: f64[I, I], v: f64[I])\n"
        "    -> (scores: bool, implicit: bool, turned: bool, diagonal: bool, trace: bool,\n"
        "        lonely: bool, chain: bool, cross: bool, plane: bool, outer: bool, same: bool) {\n"
        "    scores = close(reshape(einsum(\"bhid,bhjd->bhij\", q, k), -1),\n"
        "                   reshape(sum(q[:, :, :, None] * k[:, :, None]), -1));\n"
        "    implicit = close(reshape(einsum(\"ij,jk\", x, y), -1), reshape(x @ y, -1));\n"
        "    turned = close(reshape(einsum(\"ij, jk -> ki\", x, y), -1), reshape((x @ y).T, -1));\n"
        "    only = where(iota(I)[:, None] == iota(I), z, 0);\n"
        "    diagonal = close(einsum(\"ii->i\", z), sum(only));\n"
        "    trace = close(reshape(einsum(\"ii\", z), 1), reshape(sum(only, axis = [0, 1]), 1));\n"
        "    lonely = close(reshape(einsum(\"bhid,bhjd->bi\", q, k), -1),\n"
        "                   reshape(sum(q[:, :, :, None] * k[:, :, None], axis = [1, 3, 4]), "
        "-1));\n"
        "    chain = close(reshape(einsum(\"i,ij,jk->ik\", v, x, y), -1),\n"
        "                  reshape((v[:, None] * x) @ y, -1));\n"
        "    product = q[:, :, :, None, :, None] * k[:, :, None, :, None] * x[:, :, None, None];\n"
        "    cross = close(reshape(einsum(\"bhik,bhjl,ij->bkhl\", q, k, x), -1),\n"
        "                  reshape(permute(sum(product, axis = [2, 3]), 0, 2, 1, 3), -1));\n"
        "    plane = close(einsum(\"iij->j\", broadcast(x, I, I, J)), sum(x, axis = 0));\n"
        "    outer = close(reshape(einsum(\"i,j->ji\", v, v), -1),\n"
        "                  reshape(v * v[:, None], -1));\n"
        "    same = close(reshape(einsum(\"ij,ij->ij\", x, x), -1), reshape(x * x, -1));\n"
        "}\n",
        sizes);
}

static void views_move_elements(void **state) {
    (void)state;
    assert_holds(
        CLOSE "fn f[I, J, K, L](x: f64[J, K], y: f64[J, L], v: f64[K])\n"
              "    -> (left: bool, right: bool, end: bool, slice: bool, padded: bool, kept: bool,\n"
              "        parts: bool, counted: bool, taken: bool, negative: bool) {\n"
              "    all_three = concat(x, y, x[:, :1], axis = 1);\n"
              "    left = close(reshape(all_three[:, :K], -1), reshape(x, -1));\n"
              "    right = close(reshape(all_three[:, K:K + L], -1), reshape(y, -1));\n"
              "    end = close(all_three[:, -1], x[:, 0]);\n"
              "    slice = close(x[1:, :-1][-1], x[J - 1, 0:K - 1]);\n"
              "    new, old = split(pad(x, 1, K, 0, value = 7), 2);\n"
              "    padded = all(new == 7, axis = [0, 1]);\n"
              "    kept = close(reshape(old, -1), reshape(x, -1));\n"
              "    low, high = split(concat(v, -v, axis = 0), 2);\n"
              "    parts = close(low, -high);\n"
              "    counted = all(full(I, J) == iota(J) as i64 - iota(J) + I);\n"
              "    taken = close(take(x, 1, axis = 0), x[1]);\n"
              "    negative = close(permute(x, -1, 0)[2], x[:, 2]);\n"
              "}\n",
        sizes);
}

/* ---- no memory ---------------------------------------------------------------------------- */

static void lower_attention(void *done) {
    diag = diag_new(arena, 20);
    *(bool *)done = try_lower(attention) != NULL;
}

/* At every limit, all memory that was taken comes back (the sanitizer looks) and nothing but the
 * jump out of arena_alloc happens. */
static void memory_may_end_anywhere(void **state) {
    (void)state;
    bool done = false;
    Recovery why;
    for (size_t limit = 2000; !done; limit += 1009) {
        arena_free(arena);
        arena = arena_new(limit);
        recover(lower_attention, &done, &why);
    }
    assert_int_equal(diag->errors, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(attributes_reach_the_graph, setup, teardown),
        cmocka_unit_test_setup_teardown(strictness_is_inherited, setup, teardown),
        cmocka_unit_test_setup_teardown(outputs_and_inputs_as_declared, setup, teardown),
        cmocka_unit_test_setup_teardown(the_same_text_gives_the_same_graph, setup, teardown),
        cmocka_unit_test_setup_teardown(matmul_is_a_sum_of_products, setup, teardown),
        cmocka_unit_test_setup_teardown(einsum_is_a_sum_of_products, setup, teardown),
        cmocka_unit_test_setup_teardown(views_move_elements, setup, teardown),
        cmocka_unit_test_setup_teardown(memory_may_end_anywhere, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
