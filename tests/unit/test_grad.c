/* test_grad.c: derived functions against central differences of the reference evaluator. For random
 * cotangents u and tangents t of f(x):
 *     vjp     (f(x + h e) - f(x - h e)) u / 2h   for each element e of each input
 *     jvp     u (J t) = (u J) t
 * Inputs are multiples of 2^-10 and h is a power of two, so that x + h and x - h are exact. */
#include "graph/eval/eval.h"
#include "graph/lower/lower.h"
#include "grad_cases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TENSORS_MAX = 48 };
static const double step = 0x1p-12, tolerance = 2e-5;

typedef struct World {
    Arena *arena;
    Diag *diag;
    Limits limits;
    const GradCase *c;
    const char *text;
    const Graph *f, *vjp, *jvp, *forward, *backward;
    uint64_t random;
} World;

/* ---- graphs ------------------------------------------------------------------------------- */

static const Graph *find_function(const Model *model, const char *name) {
    for (int i = 0; i < model->functions.count; i++)
        if (!strcmp(model->functions.at[i]->name, name)) return model->functions.at[i];
    fail_msg("no function %s", name);
    return NULL;
}

static void world_open(World *w, const GradCase *c, const char *text, const char *name) {
    /* where the first dim is odd, train keeps as little as it can */
    LowerOptions options = {.keep_bytes = c->symbols[0] % 2};
    *w = (World){.c = c, .arena = arena_new(0), .limits = limits_default(), .random = 1};
    w->diag = diag_new(w->arena, 20);
    w->text = arena_printf(w->arena,
                           "%s\nfn vjp_of_f = vjp(%s);\nfn jvp_of_f = jvp(%s);\n"
                           "fn forward, backward = train(%s);\n",
                           text, name, name, name);
    uint32_t file = diag_source(w->diag, "test.fx", w->text, strlen(w->text));
    const Ast *ast = parse(w->arena, w->diag, file, &w->limits);
    const Model *model = ast ? lower(w->arena, w->diag, ast, "test", &w->limits, &options) : NULL;
    if (!model) {
        Text out = text_new(w->arena);
        diag_print(w->diag, &out, false);
        fail_msg("%s\n%s", w->text, text_get(&out));
        return;
    }
    w->f = find_function(model, name);
    w->vjp = find_function(model, "vjp_of_f");
    w->jvp = find_function(model, "jvp_of_f");
    graph_verify(w->vjp, "vjp");
    graph_verify(w->jvp, "jvp");
    w->forward = find_function(model, "forward");
    w->backward = find_function(model, "backward");
    graph_verify(w->forward, "train");
    graph_verify(w->backward, "train");
}

/* ---- tensors ------------------------------------------------------------------------------ */

static double random_number(World *w, double lo, double hi) {
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    double unit = (double)(w->random >> 11) * 0x1p-53;
    return floor((lo + (hi - lo) * unit) * 1024) / 1024;
}

static Tensor *tensor_of(World *w, const Graph *g, NodeId id, double lo, double hi) {
    const Node *n = &g->node[id];
    int64_t shape[RANK_MAX];
    for (int axis = 0; axis < n->rank; axis++)
        assert_true(dim_value(g->dims, n->shape[axis], w->c->symbols, &shape[axis]));
    Tensor *x = tensor_new(n->type, n->rank, shape);
    for (int64_t i = 0; i < tensor_count(x); i++) {
        double value = random_number(w, lo, hi);
        Scalar s = dtype_is_float(n->type) ? (Scalar){.f = value}
                                           : (Scalar){.i = llabs((long long)(1024 * value)) % 3};
        if (n->type == T_BOOL) s.i %= 2;
        tensor_set(x, i, s);
    }
    return x;
}

static bool is_float(const Graph *g, NodeId id) { return dtype_is_float(g->node[id].type); }

static void evaluate(const World *w, const Graph *g, Tensor *const *input, Tensor **output) {
    if (eval(g, w->c->symbols, (const Tensor *const *)input, EVAL_EXACT, false, output)) return;
    Text out = text_new(w->arena);
    diag_print(w->diag, &out, false);
    fail_msg("%s\n%s", w->text, text_get(&out));
}

static double dot(const Tensor *x, const Tensor *y) {
    double sum = 0;
    for (int64_t i = 0; i < tensor_count(x); i++) sum += tensor_get(x, i).f * tensor_get(y, i).f;
    return sum;
}

static void free_all(Tensor **tensors, int count) {
    for (int i = 0; i < count; i++) tensor_free(tensors[i]);
}

/* Of the floating-point outputs, with their cotangents. */
static double value_along(const World *w, Tensor *const *input) {
    Tensor *output[TENSORS_MAX];
    double sum = 0;
    int next = w->f->inputs.count;
    evaluate(w, w->f, input, output);
    for (int i = 0; i < w->f->outputs.count; i++)
        if (is_float(w->f, w->f->outputs.at[i].node)) sum += dot(output[i], input[next++]);
    free_all(output, w->f->outputs.count);
    return sum;
}

/* ---- the comparisons ----------------------------------------------------------------------- */

static void check_near(const World *w, const char *what, int64_t at, double got, double want) {
    if (fabs(got - want) <= tolerance * (1 + fabs(want))) return;
    fail_msg("%s: %s[%lld] is %.10g, and central differences give %.10g", w->text, what,
             (long long)at, got, want);
}

/* x: f's inputs, then the cotangents. */
static void check_vjp(const World *w, Tensor **x, Tensor *const *gradient) {
    int next = 0;
    for (int i = 0; i < w->f->inputs.count; i++) {
        if (!is_float(w->f, w->f->inputs.at[i].node)) continue;
        const Tensor *dx = gradient[next++];
        for (int64_t k = 0; k < tensor_count(x[i]); k++) {
            const double at = tensor_get(x[i], k).f;
            tensor_set(x[i], k, (Scalar){.f = at + step});
            const double above = value_along(w, x);
            tensor_set(x[i], k, (Scalar){.f = at - step});
            const double below = value_along(w, x);
            tensor_set(x[i], k, (Scalar){.f = at});
            check_near(w, w->f->inputs.at[i].name, k, tensor_get(dx, k).f,
                       (above - below) / (2 * step));
        }
    }
}

/* u (J t) and (u J) t */
static void check_jvp(World *w, Tensor **x, Tensor *const *gradient) {
    Tensor *input[TENSORS_MAX], *tangent[TENSORS_MAX];
    const int own = w->f->inputs.count;
    double forward = 0, backward = 0;
    int count = 0;
    for (int i = 0; i < own; i++) input[i] = x[i];
    for (int i = 0; i < own; i++)
        if (is_float(w->f, w->f->inputs.at[i].node)) {
            input[own + count] = tensor_of(w, w->f, w->f->inputs.at[i].node, -1, 1);
            backward += dot(input[own + count], gradient[count]);
            count++;
        }
    evaluate(w, w->jvp, input, tangent);
    for (int i = 0; i < w->jvp->outputs.count; i++) forward += dot(tangent[i], x[own + i]);
    check_near(w, "jvp", 0, forward, backward);
    free_all(tangent, w->jvp->outputs.count);
    free_all(input + own, count);
}

static const Tensor *tensor_named(const char *name, const Graph *g, bool outputs,
                                  Tensor *const *tensor) {
    for (int i = 0; i < (outputs ? g->outputs.count : g->inputs.count); i++)
        if (!strcmp(name, outputs ? g->outputs.at[i].name : g->inputs.at[i].name)) return tensor[i];
    return NULL;
}

/* What train makes gives what f and its vjp give. */
static void check_train(const World *w, Tensor *const *x, Tensor *const *gradient) {
    Tensor *kept[TENSORS_MAX], *got[TENSORS_MAX];
    const Tensor *input[TENSORS_MAX];
    evaluate(w, w->forward, x, kept);
    for (int i = 0; i < w->backward->inputs.count; i++) {
        const char *name = w->backward->inputs.at[i].name;
        input[i] = tensor_named(name, w->vjp, false, x);
        if (!input[i]) input[i] = tensor_named(name, w->forward, true, kept);
        if (!input[i]) fail_msg("%s: nothing is called %s", w->text, name);
    }
    assert_true(eval(w->backward, w->c->symbols, input, EVAL_EXACT, false, got));
    assert_int_equal(w->backward->outputs.count, w->vjp->outputs.count);
    for (int i = 0; i < w->vjp->outputs.count; i++)
        for (int64_t k = 0; k < tensor_count(got[i]); k++)
            check_near(w, "train", k, tensor_get(got[i], k).f, tensor_get(gradient[i], k).f);
    free_all(got, w->backward->outputs.count);
    free_all(kept, w->forward->outputs.count);
}

static void check_case(const GradCase *c, const char *text, const char *name) {
    World w;
    Tensor *x[TENSORS_MAX], *gradient[TENSORS_MAX];
    world_open(&w, c, text, name);
    const int own = w.f->inputs.count, all = w.vjp->inputs.count;
    assert_true(all < TENSORS_MAX);
    for (int i = 0; i < own; i++) x[i] = tensor_of(&w, w.f, w.f->inputs.at[i].node, c->lo, c->hi);
    for (int i = own; i < all; i++) x[i] = tensor_of(&w, w.vjp, w.vjp->inputs.at[i].node, -1, 1);
    evaluate(&w, w.vjp, x, gradient);
    check_vjp(&w, x, gradient);
    check_jvp(&w, x, gradient);
    check_train(&w, x, gradient);
    free_all(gradient, w.vjp->outputs.count);
    free_all(x, all);
    arena_free(w.arena);
}

/* ---- tests -------------------------------------------------------------------------------- */

static void every_op(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof grad_cases / sizeof *grad_cases; i++)
        check_case(&grad_cases[i], grad_cases[i].text, "f");
}

/* The text with f64 for every other float type. */
static char *in_doubles(const char *path) {
    static char text[1 << 15];
    static const char *const types[] = {"bf16", "f16", "f32"};
    FILE *file = fopen(path, "r");
    size_t size = 0;
    if (!file) fail_msg("%s cannot be read", path);
    for (int c; (c = fgetc(file)) != EOF && size + 8 < sizeof text;) {
        text[size++] = (char)c;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            const size_t length = strlen(types[i]);
            if (size < length || memcmp(text + size - length, types[i], length)) continue;
            size += (size_t)snprintf(text + size - length, 4, "f64") - length;
        }
    }
    fclose(file);
    text[size] = '\0';
    return text;
}

static void every_example(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof grad_examples / sizeof *grad_examples; i++) {
        const GradCase *c = &grad_examples[i];
        char path[512];
        snprintf(path, sizeof path, "%s/%s.fx", EXAMPLES, c->text);
        check_case(c, in_doubles(path), c->function);
    }
}

/* ---- where there is no derivative ------------------------------------------------------------ */

static void check_convention(const Convention *c) {
    const GradCase sizes = {c->text, {c->n}, 0, 0, NULL};
    World w;
    Tensor *x[3], *gradient[2];
    world_open(&w, &sizes, c->text, "f");
    const int own = w.f->inputs.count;
    for (int i = 0; i <= own; i++) {
        x[i] = tensor_of(&w, w.vjp, w.vjp->inputs.at[i].node, 0, 0);
        for (int64_t k = 0; k < tensor_count(x[i]); k++)
            tensor_set(x[i], k, (Scalar){.f = i == own ? c->dy : c->x[i][k]});
    }
    evaluate(&w, w.vjp, x, gradient);
    for (int i = 0; i < own; i++)
        for (int64_t k = 0; k < tensor_count(gradient[i]); k++) {
            const double got = tensor_get(gradient[i], k).f, want = c->dx[i][k];
            const bool same = isfinite(want) ? fabs(got - want) <= 1e-12
                              : isnan(want)  ? isnan(got)
                                             : got == want;
            if (!same)
                fail_msg("%s: cotangent %d[%d] is %g, not %g", c->text, i, (int)k, got, want);
        }
    free_all(gradient, own);
    free_all(x, own + 1);
    arena_free(w.arena);
}

static void conventions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof grad_conventions / sizeof *grad_conventions; i++)
        check_convention(&grad_conventions[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op),
        cmocka_unit_test(every_example),
        cmocka_unit_test(conventions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
