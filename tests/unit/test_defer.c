/* test_defer.c: the graph that defer makes is compared with the one before it, which divides the
 * weights of a softmax first, as under @strict. Both are evaluated; the rule is that of all
 * results.
 *
 * Where the weights are rounded to a narrow type, the two round other numbers, equally often. How
 * far that may carry them apart is told by the error of the plain graph: the exact result is that
 * of the same graph without the rounding. */
#include "graph/eval/eval.h"
#include "graph/lower/lower.h"
#include "graph/pass/pass.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SYMBOLS_MAX = 4, INPUTS_MAX = 4, OUTPUTS_MAX = 3 };

typedef struct Case {
    const char *text;
    int64_t symbols[SYMBOLS_MAX];
    double spread; /* of the inputs */
} Case;

/* The plain definition in many forms. */
static const Case cases[] = {
    {"fn f[M, N, D](x: f32[M, N], v: bf16[N, D]) -> (y: f32[M, D]) "
     "{ y = (dropout(3 * softmax(x), 0.25, 7) as bf16) @ v; }",
     {9, 70, 5},
     4},
    {"fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D]) { y = softmax(x) @ v; }",
     {7, 33, 5},
     4},
    {"fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D]) { y = softmax(80 * x) @ v; }",
     {16, 64, 16},
     4},
    {"fn f[M, N, D](x: f32[M, N], v: bf16[N, D]) -> (y: f32[M, D]) "
     "{ y = (softmax(x) as bf16) @ v; }",
     {24, 96, 8},
     3},
    {"fn f[M, N, D](x: f16[M, N], v: f16[N, D]) -> (y: f16[M, D]) "
     "{ y = ((softmax(x as f32) as f16) @ v) as f16; }",
     {24, 96, 8},
     3},
    {"fn f[M, N, D](x: bf16[M, N], v: bf16[N, D]) -> (y: f32[M, D], z: f32[M, D]) "
     "{ p = softmax(x as f32) as bf16; y = p @ v; z = p @ (v * 2 as bf16); }",
     {12, 40, 6},
     2},
    {"fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D], l: f32[M]) "
     "{ y = softmax(x) @ v; l = logsumexp(x); }",
     {9, 50, 4},
     5},
    {"fn f[B, M, N, D](x: f32[B, M, N], v: f32[B, N, D]) -> (y: f32[B, M, D]) "
     "{ y = softmax(where(iota(N) <= iota(M)[:, None], x, -inf)) @ v; }",
     {2, 10, 10, 5},
     4},
    /* whole rows of -inf have weights of 0 */
    {"fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D], l: f32[M]) "
     "{ s = where(iota(M)[:, None] % 3 == 0, -inf, x); y = softmax(s) @ v; l = logsumexp(s); }",
     {9, 17, 4},
     4},
    /* +inf: NaN for NaN */
    {"fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D], l: f32[M]) "
     "{ s = where(iota(M)[:, None] + iota(N) == 5, inf, x); y = softmax(s) @ v; l = logsumexp(s); "
     "}",
     {9, 17, 4},
     4},
    /* two axes are summed */
    {"fn f[M, H, N, D](x: f32[M, H, N], v: f32[H, N, D]) -> (y: f32[M, D]) "
     "{ y = einsum(\"mhn,hnd->md\", softmax(x, axis = [1, 2]), v); }",
     {6, 3, 14, 5},
     4},
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- graphs ------------------------------------------------------------------------------- */

typedef struct World {
    Arena *arena;
    Diag *diag;
    Limits limits;
    const Graph *plain, *deferred, *unrounded;
} World;

static NodeId widened(Graph *to, NodeId id) {
    while (to->node[id].op == OP_CAST && dtype_is_float(to->node[id].type))
        id = to->node[id].src[0];
    return graph_cast(to, id, T_F32, NOWHERE);
}

/* A contraction reads its left operand before it was rounded. */
static NodeId unround(Graph *to, const Graph *from, NodeId old, const Node *draft, void *context) {
    Node n = *draft;
    (void)from, (void)old, (void)context;
    if (n.op != OP_DOT || n.type != T_F32) return graph_add(to, draft);
    n.src[0] = widened(to, n.src[0]);
    n.src[1] = graph_cast(to, n.src[1], T_F32, NOWHERE);
    return graph_add(to, &n);
}

static void world_open(World *w, const char *text) {
    LowerOptions options = {0};
    w->arena = arena_new(0);
    w->diag = diag_new(w->arena, 20);
    w->limits = limits_default();
    uint32_t file = diag_source(w->diag, "test.fx", text, strlen(text));
    const Ast *ast = parse(w->arena, w->diag, file, &w->limits);
    const Model *model = ast ? lower(w->arena, w->diag, ast, "test", &w->limits, &options) : NULL;
    if (!model) {
        Text out = text_new(w->arena);
        diag_print(w->diag, &out, false);
        fail_msg("%s\n%s", text, text_get(&out));
        return;
    }
    w->plain = model->functions.at[0];
    w->deferred = defer(w->plain);
    w->unrounded = graph_rewrite(w->plain, unround, NULL);
    graph_verify(w->deferred, "defer");
}

static const char *printed(const Graph *g) {
    Text out = text_new(g->arena);
    graph_print(g, &out);
    return text_get(&out);
}

static bool has_op(const Graph *g, Op op) {
    for (NodeId id = 1; id < g->count; id++)
        if (g->node[id].op == op) return true;
    return false;
}

/* ---- tensors ------------------------------------------------------------------------------ */

/* From -spread to spread; Knuth's MMIX generator. */
static void inputs_open(const Graph *g, const Case *c, Tensor **input) {
    uint64_t random = 1;
    for (int i = 0; i < g->inputs.count; i++) {
        const Node *n = &g->node[g->inputs.at[i].node];
        int64_t shape[RANK_MAX];
        for (int axis = 0; axis < n->rank; axis++)
            assert_true(dim_value(g->dims, n->shape[axis], c->symbols, &shape[axis]));
        input[i] = tensor_new(n->type, n->rank, shape);
        for (int64_t j = 0; j < tensor_count(input[i]); j++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double x = c->spread * (double)(int64_t)random * 0x1p-63;
            tensor_set(input[i], j, (Scalar){.f = x});
        }
    }
}

static void evaluate(const Graph *g, const Case *c, Tensor *const *input, EvalMode mode,
                     Tensor **output) {
    assert_true(eval(g, c->symbols, (const Tensor *const *)input, mode, false, output));
}

static void free_all(Tensor **tensors, int count) {
    for (int i = 0; i < count; i++) tensor_free(tensors[i]);
}

/* ---- tests -------------------------------------------------------------------------------- */

/* Both programs as declared, beside the exact result of the graph before defer. */
static void compare(const World *w, const Case *c) {
    Tensor *input[INPUTS_MAX], *exact[OUTPUTS_MAX], *plain[OUTPUTS_MAX], *deferred[OUTPUTS_MAX];
    const int outputs = w->plain->outputs.count;
    inputs_open(w->plain, c, input);
    evaluate(w->unrounded, c, input, EVAL_EXACT, exact);
    evaluate(w->plain, c, input, EVAL_DECLARED, plain);
    for (int mode = EVAL_EXACT; mode <= EVAL_DECLARED; mode++) {
        evaluate(w->deferred, c, input, (EvalMode)mode, deferred);
        for (int i = 0; i < outputs; i++) {
            CheckReport report;
            const Tensor *const declared[] = {plain[i]};
            Text out = text_new(w->arena);
            if (check_output(deferred[i], exact[i], declared, 1, &report)) continue;
            check_print(w->plain->outputs.at[i].name, &report, &out);
            fail_msg("%s\n%s", c->text, text_get(&out));
        }
        free_all(deferred, outputs);
    }
    free_all(input, w->plain->inputs.count);
    free_all(exact, outputs);
    free_all(plain, outputs);
}

static void deferred_and_plain_agree(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        World w;
        world_open(&w, cases[i].text);
        assert_true(has_op(w.plain, OP_SOFTMAX));
        assert_false(has_op(w.deferred, OP_SOFTMAX));
        assert_false(has_op(w.deferred, OP_LOGSUMEXP));
        compare(&w, &cases[i]);
        arena_free(w.arena);
    }
}

/* What reads the weights besides, or along another axis, or in 8 bits, gets them divided. */
static void other_readers_keep_the_softmax(void **state) {
    (void)state;
    static const char *const texts[] = {
        "fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D], p: f32[M, N]) "
        "{ p = softmax(x); y = p @ v; }",
        "fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D]) "
        "{ y = softmax(x, axis = 0) @ v; }",
        "fn f[M, N, D](x: f32[M, N], v: f32[D, M]) -> (y: f32[D, N]) { y = v @ softmax(x); }",
        "fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D]) { y = (x * softmax(x)) @ v; }",
        "fn f[M, N, D](x: f32[M, N], v: f32[N, D]) -> (y: f32[M, D]) { y = (17 * softmax(x)) @ v; }",
        "fn f[M, N, D](x: f32[M, N], v: f8e4m3[N, D]) -> (y: f32[M, D]) "
        "{ y = (softmax(x) as f8e4m3) @ v; }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        World w;
        world_open(&w, texts[i]);
        assert_string_equal(printed(w.deferred), printed(w.plain));
        arena_free(w.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deferred_and_plain_agree),
        cmocka_unit_test(other_readers_keep_the_softmax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
