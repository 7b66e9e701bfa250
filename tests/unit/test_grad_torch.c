/* test_grad_torch.c: derived functions against PyTorch's autograd: the models of
 * tests/reference/gradients.fx, the numbers of gradients.txt; make_gradients.py, which makes these,
 * says what the inputs are. */
#include "graph/eval/eval.h"
#include "graph/lower/lower.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TENSORS_MAX = 16, TEXT_MAX = 1 << 15 };

typedef struct Case {
    const Graph *vjp;
    int64_t symbols[8];
    char model[32];
    Tensor *output[TENSORS_MAX];
    int next; /* output to be compared */
} Case;

static const char *read_text(const char *path) {
    static char text[TEXT_MAX];
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    return text;
}

/* All models, each with its vjp. */
static const Model *models(Arena *arena) {
    static Limits limits;
    LowerOptions options = {0};
    Diag *diag = diag_new(arena, 20);
    Text text = text_new(arena);
    const char *models = read_text(REFERENCE "/gradients.fx");
    text_str(&text, models);
    for (const char *at = strstr(models, "\nfn "); at; at = strstr(at + 1, "\nfn ")) {
        const char *name = at + strlen("\nfn ");
        const int size = (int)strcspn(name, "[ ");
        if (name[size] == '[')
            text_printf(&text, "fn vjp_%.*s = vjp(%.*s);\n", size, name, size, name);
    }
    limits = limits_default();
    uint32_t file = diag_source(diag, "test.fx", text_get(&text), text.size);
    const Ast *ast = parse(arena, diag, file, &limits);
    const Model *model = ast ? lower(arena, diag, ast, "test", &limits, &options) : NULL;
    if (model) return model;
    Text out = text_new(arena);
    diag_print(diag, &out, false);
    fail_msg("%s", text_get(&out));
    return NULL;
}

/* Input number t, as make_gradients.py has it. */
static Tensor *input(const Case *c, int t) {
    const Graph *g = c->vjp;
    const Node *n = &g->node[g->inputs.at[t].node];
    int64_t shape[RANK_MAX];
    for (int axis = 0; axis < n->rank; axis++)
        assert_true(dim_value(g->dims, n->shape[axis], c->symbols, &shape[axis]));
    Tensor *x = tensor_new(n->type, n->rank, shape);
    for (int64_t i = 0; i < tensor_count(x); i++) {
        const double value = (double)((37 * i + 11 * t) % 61) / 32 - 0.9375;
        tensor_set(x, i,
                   dtype_is_float(n->type) ? (Scalar){.f = value} : (Scalar){.i = (7 * i + t) % 3});
    }
    return x;
}

static void close_case(Case *c) {
    if (!c->vjp) return;
    assert_int_equal(c->next, c->vjp->outputs.count);
    for (int i = 0; i < c->vjp->outputs.count; i++) tensor_free(c->output[i]);
}

/* "model linear 3 4 2" */
static void open_case(Case *c, const Model *model, char *line) {
    Tensor *x[TENSORS_MAX];
    *c = (Case){0};
    int size = 0;
    assert_int_equal(sscanf(line, "model %31s%n", c->model, &size), 1);
    for (int i = 0; i < 8; i++) c->symbols[i] = strtoll(line + size, &line, 10), size = 0;
    for (int i = 0; i < model->functions.count; i++)
        if (!strncmp(model->functions.at[i]->name, "vjp_", 4) &&
            !strcmp(model->functions.at[i]->name + 4, c->model))
            c->vjp = model->functions.at[i];
    if (!c->vjp) fail_msg("no model %s", c->model);
    for (int i = 0; i < c->vjp->inputs.count; i++) x[i] = input(c, i);
    assert_true(eval(c->vjp, c->symbols, (const Tensor *const *)x, EVAL_EXACT, false, c->output));
    for (int i = 0; i < c->vjp->inputs.count; i++) tensor_free(x[i]);
}

/* "x 12 -0.19921875 ..": the next output. f32 outputs are rounded. */
static void compare(Case *c, char *line) {
    char name[32];
    int size = 0, count = 0;
    assert_int_equal(sscanf(line, "%31s %d%n", name, &count, &size), 2);
    const GraphOutput *output = &c->vjp->outputs.at[c->next];
    const Tensor *got = c->output[c->next++];
    const double tolerance = c->vjp->node[output->node].type == T_F64 ? 1e-10 : 1e-6;
    assert_string_equal(output->name + 1, name);
    assert_int_equal(tensor_count(got), count);
    line += size;
    for (int i = 0; i < count; i++) {
        const double want = strtod(line, &line), is = tensor_get(got, i).f;
        if (fabs(is - want) <= tolerance * (1 + fabs(want))) continue;
        fail_msg("%s: d%s[%d] is %.12g, and PyTorch has %.12g", c->model, name, i, is, want);
    }
}

static void autograd_agrees(void **state) {
    (void)state;
    static char line[TEXT_MAX];
    Arena *arena = arena_new(0);
    const Model *model = models(arena);
    Case c = {0};
    FILE *file = fopen(REFERENCE "/gradients.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "model ", 6)) {
            compare(&c, line);
            continue;
        }
        close_case(&c);
        open_case(&c, model, line);
    }
    close_case(&c);
    fclose(file);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(autograd_agrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
