/* test_one_batch.c: the graph that one_batch makes has the same values, bit for bit, and attentions
 * that are found; other graphs stay as they are. */
#include "graph/eval/eval.h"
#include "graph/lower/lower.h"
#include "graph/pass/pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SYMBOLS_MAX = 6, INPUTS_MAX = 5, OUTPUTS_MAX = 2 };

typedef struct Case {
    const char *text;
    int64_t symbols[SYMBOLS_MAX];
} Case;

static const Case cases[] = {
    /* queries without the batch of keys and values */
    {"fn f[B, H, M, S, D](q: bf16[H, M, D], k: bf16[B, H, S, D], v: bf16[B, H, S, D]) "
     "-> (y: f32[B, H, M, D]) { y = softmax(q @ k.T) as bf16 @ v; }",
     {2, 3, 5, 7, 4}},
    {"fn f[B, M, S, D](q: f32[M, D], k: f32[B, S, D], v: f32[B, S, D]) -> (y: f32[B, M, D]) "
     "{ y = softmax(where(iota(M)[:, None] < iota(S), -inf, q @ k.T)) @ v; }",
     {2, 5, 7, 4}},
    /* keys without that of queries and values */
    {"fn f[B, H, M, S, D](q: f32[B, H, M, D], k: f32[H, S, D], v: f32[B, H, S, D]) "
     "-> (y: f32[B, H, M, D], l: f32[B, H, M]) "
     "{ s = q @ k.T * 2; y = softmax(s) @ v; l = logsumexp(s); }",
     {2, 3, 5, 7, 4}},
    /* values without that of queries and keys */
    {"fn f[B, H, M, S, D](q: f32[B, H, M, D], k: f32[B, H, S, D], v: f32[B, S, D]) "
     "-> (y: f32[B, H, M, D]) { y = softmax(q @ k.T) @ v[:, None]; }",
     {2, 3, 5, 7, 4}},
    {"fn f[H, M, S, D](q: f32[M, D], k: f32[H, S, D], v: f32[S, D]) -> (y: f32[H, M, D]) "
     "{ y = softmax(q @ k.T) @ v; }",
     {3, 5, 7, 4}},
    /* keys and values without that of queries */
    {"fn f[B, H, M, S, D](q: f32[B, H, M, D], k: f32[H, S, D], v: f32[H, S, D]) "
     "-> (y: f32[B, H, M, D]) { y = softmax(q @ k.T) @ v; }",
     {2, 3, 5, 7, 4}},
    /* axes of the batch, split for a mask and merged again */
    {"fn f[B, W, H, S, D](q: f32[B*W, H, S, D], k: f32[B*W, H, S, D], v: f32[B*W, H, S, D], "
     "bias: f32[H, S, S], mask: f32[W, S, S]) -> (y: f32[B*W, S, H*D]) "
     "{ s = reshape(q @ k.T + bias, B, W, H, S, S) + mask[:, None]; "
     "y = reshape(permute(reshape(softmax(s), B*W, H, S, S) @ v, 0, 2, 1, 3), B*W, S, H*D); }",
     {2, 3, 2, 5, 4}},
    /* .. merged, and split for the values alone */
    {"fn f[B, H, S, D](q: f32[B*H, S, D], k: f32[B*H, S, D], v: f32[B, H, S, D]) "
     "-> (y: f32[B, H, S, D]) "
     "{ y = reshape(0.5 * softmax(q @ k.T), B, H, S, S) @ v; }",
     {2, 3, 5, 4}},
    /* rows in windows */
    {"fn f[W, M, S, D](q: f32[W*M, D], k: f32[S, D], v: f32[S, D], bias: f32[M, S]) "
     "-> (y: f32[W*M, D]) "
     "{ y = reshape(softmax(reshape(q @ k.T, W, M, S) + bias), W*M, S) @ v; }",
     {2, 3, 5, 4}},
    /* one query */
    {"fn f[B, H, S, D](q: f32[H, 1, D], k: f32[B, H, S, D], v: f32[B, H, S, D]) "
     "-> (y: f32[B, H, 1, D]) { y = softmax(q @ k.T) @ v; }",
     {2, 3, 5, 4}},
};

/* One batch already, scores that others read, and softmaxes along something else. */
static const char *const same[] = {
    "fn f[B, M, S, D](q: f32[B, M, D], k: f32[B, S, D], v: f32[B, S, D]) -> (y: f32[B, M, D]) "
    "{ y = softmax(q @ k.T) @ v; }",
    "fn f[B, H, M, S, D](q: f32[B, H, M, D], k: f32[B, S, D], v: f32[B, S, D]) "
    "-> (y: f32[B, H, M, D]) { y = softmax(q @ k[:, None].T) @ v[:, None]; }",
    "fn f[B, M, S, D](q: f32[M, D], k: f32[B, S, D], v: f32[B, S, D]) "
    "-> (y: f32[B, M, D], p: f32[B, M, S]) { p = softmax(q @ k.T); y = p @ v; }",
    "fn f[B, M, S, D](q: f32[M, D], k: f32[B, S, D], v: f32[B, S, D]) "
    "-> (y: f32[B, M, D], s: f32[B, M, S]) { s = q @ k.T; y = softmax(s) @ v; }",
    "fn f[B, M, S, D](q: f32[M, D], k: f32[B, S, D], v: f32[B, S, D]) -> (y: f32[B, M, D]) "
    "{ y = softmax(q @ k.T, axis = 1) @ v; }",
    "fn f[A, M, S, D](q: f32[M, D], k: f32[2*S, D], v: f32[S, D]) -> (y: f32[M, D]) "
    "{ y = softmax(reshape(q @ k.T, M, 2, S)[:, 0]) @ v; }",
};

typedef struct World {
    Arena *arena;
    Limits limits;
    const Graph *plain, *changed;
} World;

static void world_open(World *w, const char *text) {
    LowerOptions options = {0};
    w->arena = arena_new(0);
    w->limits = limits_default();
    Diag *diag = diag_new(w->arena, 20);
    const uint32_t file = diag_source(diag, "test.fx", text, strlen(text));
    const Ast *ast = parse(w->arena, diag, file, &w->limits);
    const Model *model = ast ? lower(w->arena, diag, ast, "test", &w->limits, &options) : NULL;
    if (!model) {
        Text out = text_new(w->arena);
        diag_print(diag, &out, false);
        fail_msg("%s\n%s", text, text_get(&out));
        return;
    }
    w->plain = model->functions.at[0];
    w->changed = one_batch(w->plain);
    graph_verify(w->changed, "one_batch");
}

static void evaluate(const Graph *g, const Case *c, EvalMode mode, Tensor **output) {
    Tensor *input[INPUTS_MAX];
    for (int i = 0; i < g->inputs.count; i++) {
        const Node *n = &g->node[g->inputs.at[i].node];
        int64_t shape[RANK_MAX];
        for (int axis = 0; axis < n->rank; axis++)
            assert_true(dim_value(g->dims, n->shape[axis], c->symbols, &shape[axis]));
        input[i] = tensor_new(n->type, n->rank, shape);
        tensor_random(input[i], (uint64_t)i + 1);
    }
    assert_true(eval(g, c->symbols, (const Tensor *const *)input, mode, false, output));
    for (int i = 0; i < g->inputs.count; i++) tensor_free(input[i]);
}

static void compare(const World *w, const Case *c, EvalMode mode) {
    Tensor *plain[OUTPUTS_MAX], *changed[OUTPUTS_MAX];
    evaluate(w->plain, c, mode, plain);
    evaluate(w->changed, c, mode, changed);
    for (int i = 0; i < w->plain->outputs.count; i++) {
        for (int64_t j = 0; j < tensor_count(plain[i]); j++) {
            const Scalar x = tensor_get(plain[i], j), y = tensor_get(changed[i], j);
            if (memcmp(&x, &y, sizeof x) != 0) fail_msg("%s\n%g is now %g", c->text, x.f, y.f);
        }
        tensor_free(plain[i]);
        tensor_free(changed[i]);
    }
}

static bool has_attention(const Graph *g) {
    Attention a;
    const Graph *simple = simplify(lift(heads(decompose(defer(g))), true));
    for (NodeId id = 1; id < simple->count; id++)
        if (find_attention(simple, id, &a)) return true;
    return false;
}

static void attentions_get_one_batch(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World w;
        world_open(&w, cases[i].text);
        if (w.changed == w.plain) fail_msg("not changed: %s", cases[i].text);
        if (!has_attention(w.changed)) fail_msg("no attention: %s", cases[i].text);
        compare(&w, &cases[i], EVAL_EXACT);
        compare(&w, &cases[i], EVAL_DECLARED);
        arena_free(w.arena);
    }
}

static void others_stay(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        World w;
        world_open(&w, same[i]);
        if (w.changed != w.plain) fail_msg("changed: %s", same[i]);
        arena_free(w.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attentions_get_one_batch),
        cmocka_unit_test(others_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
