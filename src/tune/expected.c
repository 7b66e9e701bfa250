/* expected.c: is the result of a candidate right?
 * In: its outputs. Out: yes, or why not. Compared with the evaluator's results where the problem is
 * small enough for it; else with the first result, that of the default tiles, which was compared
 * with the evaluator at smaller sizes. */
#include "tune/serve_private.h"

#include <math.h>
#include <string.h>

double expected_work(const Graph *g, const Machine *machine) {
    double work = 0;
    for (int i = 0; i < g->outputs.count; i++) work += cost_elements(g, g->outputs.at[i].node);
    for (NodeId id = 1; id < g->count; id++) {
        const Work w = cost_node(machine, g, id);
        work += cost_elements(g, id) + w.flops + w.special + w.products;
    }
    return work;
}

static void tensors_free_all(Tensor **tensors, int count) {
    for (int i = 0; tensors && i < count; i++) tensor_free(tensors[i]);
}

bool expected_make(Expected *e, Diag *diag, const Graph *g, const TuneTensors *tensors) {
    const int count = tensors->output_count;
    const Tensor *const *inputs = (const Tensor *const *)tensors->input;
    *e = (Expected){.g = g, .tensors = tensors};
    e->first = arena_array(diag->arena, Tensor *, count + 1);
    e->largest = arena_array(diag->arena, double, count + 1);
    for (int i = 0; i < count; i++) e->largest[i] = -1;
    if (!g) return true;
    e->exact = arena_array(diag->arena, Tensor *, count + 1);
    e->declared = arena_array(diag->arena, Tensor *, count + 1);
    return eval(g, tensors->dims, inputs, EVAL_EXACT, true, e->exact) &&
           eval(g, tensors->dims, inputs, EVAL_DECLARED, true, e->declared);
}

void expected_free(Expected *e) {
    const int count = e->tensors ? e->tensors->output_count : 0;
    tensors_free_all(e->exact, count);
    tensors_free_all(e->declared, count);
    tensors_free_all(e->first, count);
    *e = (Expected){0};
}

/* ---- with the evaluator ------------------------------------------------------------------- */

static double part_of_allowed(const CheckReport *r) {
    double error = r->allowed > 0 ? r->error / r->allowed : 0;
    if (r->rms_allowed > 0) error = fmax(error, r->rms / r->rms_allowed);
    return isfinite(error) ? error : 0;
}

static bool by_declared(const Expected *e, double *error) {
    bool ok = true;
    for (int i = 0; i < e->tensors->output_count; i++) {
        CheckReport report;
        const Tensor *const declared[] = {e->declared[i]};
        ok = check_output(e->tensors->output[i], e->exact[i], declared, 1, &report) && ok;
        *error = fmax(*error, part_of_allowed(&report));
    }
    return ok;
}

/* The declared result may be exact by luck: the whole rule is slower. */
static bool by_evaluator(const Expected *e, Diag *diag, const char **why, double *error) {
    const int count = e->tensors->output_count;
    CheckReport *reports = arena_array(diag->arena, CheckReport, count + 1);
    *error = 0;
    if (by_declared(e, error)) return true;
    *error = 0;
    if (!check_outputs(e->g, e->tensors->dims, (const Tensor *const *)e->tensors->input, true,
                       (const Tensor *const *)e->tensors->output, reports))
        return false;
    for (int i = 0; i < count; i++) {
        *error = fmax(*error, part_of_allowed(&reports[i]));
        if (reports[i].ok || *why) continue;
        Text text = text_new(diag->arena);
        check_print(e->g->outputs.at[i].name, &reports[i], &text);
        *why = text_get(&text);
    }
    return true;
}

/* ---- with the first result ---------------------------------------------------------------- */

static bool has_same_bytes(const Expected *e) {
    for (int i = 0; i < e->tensors->output_count; i++) {
        const Tensor *a = e->first[i], *b = e->tensors->output[i];
        if (!a || (a->bytes && memcmp(a->data, b->data, a->bytes) != 0)) return false;
    }
    return true;
}

static void keep_first(Expected *e) {
    for (int i = 0; i < e->tensors->output_count; i++) {
        const Tensor *t = e->tensors->output[i];
        if (!e->first[i]) e->first[i] = tensor_new(t->type, t->rank, t->shape);
        if (!e->first[i]) leave_for_memory(__FILE__, __LINE__);
        memcpy(e->first[i]->data, t->data, t->bytes);
    }
}

bool expected_compare(Expected *e, Diag *diag, const char **why, double *error) {
    *why = NULL;
    *error = e->g ? 0 : -1;
    const bool is_first = e->tensors->output_count && !e->first[0];
    if (!is_first && has_same_bytes(e)) {
        *error = e->first_error;
        return true;
    }
    if (e->g && !by_evaluator(e, diag, why, error)) return false;
    for (int i = 0; !e->g && !is_first && i < e->tensors->output_count; i++)
        if (!tensors_agree(diag->arena, e->first[i], e->tensors->output[i], &e->largest[i]))
            *why = "another result than with the default tiles";
    if (is_first && !*why) {
        keep_first(e);
        e->first_error = *error;
    }
    return true;
}
