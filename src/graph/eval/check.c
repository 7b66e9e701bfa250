/* check.c: is a result right? eval.h states the rule.
 * In: a candidate, and the evaluator's results on the same inputs. Out: a report.
 * The allowed error depends on the program (cancellation, ties in rounding, near-equal maxima), so
 * it is measured: as the error of the declared types, and if that does not explain a candidate, of
 * programs that differ from it only in their roundings. */
#include "graph/eval/eval.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { NUDGED_PROGRAMS = 4, NUDGED_OF_FEW = 16, FEW_ELEMENTS = 64 };

typedef struct Check {
    const Tensor *candidate, *exact;
    const Tensor *const *declared;
    int count;               /* of declared */
    const Tensor *undecided; /* result of EVAL_UNDECIDED; NULL: not computed */
    Dtype type;
    int64_t size;
    double largest_error, rms_error; /* of the declared results */
    double largest, rms;             /* of the exact result */
} Check;

/* ---- the distance of neighbours ---------------------------------------------------------- */

/* The least positive number. */
static double tiny(Dtype type) {
    switch (type) {
    case T_F8E4M3: return 0x1p-9;
    case T_F8E5M2: return 0x1p-16;
    case T_BF16: return 0x1p-133;
    case T_F16: return 0x1p-24;
    case T_F32: return 0x1p-149;
    default: return DBL_TRUE_MIN;
    }
}

/* The distance from e to its neighbour away from 0, in a narrow type. */
static double step(const Check *c, double e) {
    int exponent;
    if (!dtype_is_narrow(c->type)) return 4 * tiny(c->type);
    if (!isfinite(e)) return 0;
    frexp(e, &exponent); /* |e| is at least 2^(exponent - 1), or 0 */
    return fmax(e == 0 ? 0 : ldexp(dtype_epsilon(c->type), exponent - 1), tiny(c->type));
}

/* ---- what the declared results say ------------------------------------------------------ */

static double number(const Tensor *t, int64_t i) { return tensor_get(t, i).f; }

/* Root mean square; `sum` is of squares of numbers divided by `largest`, since squares of f64
 * numbers may overflow. */
static double rms(double sum, double largest, int64_t size) {
    return largest * sqrt(sum / (double)size);
}

/* Does what a program is free to do decide whether the element is finite, infinite or NaN? */
static bool is_undecided(const Check *c, int64_t i) {
    return c->undecided && isnan(number(c->undecided, i)) && !isnan(number(c->exact, i));
}

/* 0 if one of the two is not finite: then only their kinds are compared. */
static double error_at(const Check *c, const Tensor *t, int64_t i) {
    if (is_undecided(c, i)) return 0;
    double error = fabs(number(t, i) - number(c->exact, i));
    return isfinite(error) ? error : 0;
}

static double rms_error(const Check *c, const Tensor *t) {
    double sum = 0, largest = 0;
    for (int64_t i = 0; i < c->size; i++) largest = fmax(largest, error_at(c, t, i));
    for (int64_t i = 0; largest > 0 && i < c->size; i++) {
        double part = error_at(c, t, i) / largest;
        sum += part * part;
    }
    return rms(sum, largest, c->size);
}

static void measure_exact(Check *c) {
    double sum = 0;
    for (int64_t i = 0; i < c->size; i++)
        if (isfinite(number(c->exact, i))) c->largest = fmax(c->largest, fabs(number(c->exact, i)));
    for (int64_t i = 0; c->largest > 0 && i < c->size; i++) {
        double part = number(c->exact, i) / c->largest;
        if (isfinite(part)) sum += part * part;
    }
    c->rms = rms(sum, c->largest, c->size);
}

static void measure_declared(Check *c, const Tensor *declared) {
    for (int64_t i = 0; i < c->size; i++) {
        double beyond = error_at(c, declared, i) - step(c, number(c->exact, i));
        c->largest_error = fmax(c->largest_error, beyond);
    }
    c->rms_error = fmax(c->rms_error, rms_error(c, declared));
}

/* ---- what is allowed -------------------------------------------------------------------- */

static double factor(const Check *c) {
    return dtype_is_narrow(c->type) || c->size < FEW_ELEMENTS ? 3 : 2;
}

static double unit(const Check *c) { return dtype_epsilon(dtype_compute(c->type)); }

static double steps(const Check *c) {
    double n = (double)c->size;
    if (!dtype_is_narrow(c->type)) return 4 * tiny(c->type);
    return fmax(dtype_epsilon(c->type) * c->rms, tiny(c->type)) * sqrt(fmax(4, n / 256) / n);
}

static double allowed_error(const Check *c, double e) {
    return factor(c) * c->largest_error + step(c, e) + 4 * unit(c) * c->largest;
}

static double allowed_rms(const Check *c) {
    return factor(c) * c->rms_error + 4 * unit(c) * c->rms + steps(c);
}

/* ---- one element ------------------------------------------------------------------------ */

static bool same_kind(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return isinf(a) || isinf(b) ? a == b : true;
}

static bool kind_is_right(const Check *c, int64_t i) {
    double got = number(c->candidate, i);
    bool right = is_undecided(c, i) || same_kind(got, number(c->exact, i));
    for (int j = 0; j < c->count && !right; j++) right = same_kind(got, number(c->declared[j], i));
    return right;
}

static bool integer_is_right(const Check *c, int64_t i) {
    int64_t got = tensor_get(c->candidate, i).i;
    bool right = got == tensor_get(c->exact, i).i;
    for (int j = 0; j < c->count && !right; j++) right = got == tensor_get(c->declared[j], i).i;
    return right;
}

/* ---- the report ------------------------------------------------------------------------- */

static void note_element(const Check *c, int64_t i, double error, double allowed,
                         CheckReport *report) {
    report->got = tensor_get(c->candidate, i);
    report->want = tensor_get(c->exact, i);
    report->error = error;
    report->allowed = allowed;
    for (int axis = report->rank - 1; axis >= 0; axis--) {
        report->index[axis] = i % c->exact->shape[axis];
        i /= c->exact->shape[axis];
    }
}

static bool fail(CheckReport *report, const char *why) {
    report->ok = false;
    report->why = why;
    return false;
}

static bool check_integers(const Check *c, CheckReport *report) {
    if (c->size) note_element(c, 0, 0, 0, report);
    for (int64_t i = 0; i < c->size; i++) {
        if (integer_is_right(c, i)) continue;
        note_element(c, i, 1, 0, report);
        return fail(report, "not equal");
    }
    return true;
}

static bool check_kinds(const Check *c, CheckReport *report) {
    for (int64_t i = 0; i < c->size; i++) {
        if (kind_is_right(c, i)) continue;
        note_element(c, i, 1, 0, report);
        return fail(report, isnan(number(c->candidate, i)) ? "NaN" : "NaN or Inf in another place");
    }
    return true;
}

/* The worst element has the largest ratio of its error to the allowed one. */
static bool check_elements(const Check *c, CheckReport *report) {
    double worst = -1;
    for (int64_t i = 0; i < c->size; i++) {
        double want = number(c->exact, i), error = error_at(c, c->candidate, i);
        double allowed = allowed_error(c, isfinite(want) ? want : 0);
        if (error / allowed <= worst) continue;
        worst = error / allowed;
        note_element(c, i, error, allowed, report);
    }
    return worst <= 1 ? true : fail(report, "error");
}

static bool check_rms(const Check *c, CheckReport *report) {
    report->rms = rms_error(c, c->candidate);
    if (c->size < FEW_ELEMENTS) return true;
    report->rms_allowed = allowed_rms(c);
    return report->rms <= report->rms_allowed ? true : fail(report, "mean error");
}

/* ---- the rule --------------------------------------------------------------------------- */

static void must_match(const Tensor *a, const Tensor *b) {
    bool match = a->type == b->type && a->rank == b->rank;
    for (int axis = 0; match && axis < a->rank; axis++) match = a->shape[axis] == b->shape[axis];
    if (!match) BUG("check of tensors of different type or shape");
}

static bool check_among(Check *c, CheckReport *report) {
    const Tensor *exact = c->exact;
    c->type = exact->type;
    c->size = tensor_count(exact);
    *report = (CheckReport){.ok = true, .why = "ok", .type = exact->type, .rank = exact->rank};
    must_match(c->candidate, exact);
    for (int j = 0; j < c->count; j++) must_match(c->declared[j], exact);
    if (!dtype_is_float(c->type)) return check_integers(c, report);
    measure_exact(c);
    for (int j = 0; j < c->count; j++) measure_declared(c, c->declared[j]);
    return check_kinds(c, report) && check_elements(c, report) && check_rms(c, report);
}

bool check_output(const Tensor *candidate, const Tensor *exact, const Tensor *const *declared,
                  int count, CheckReport *report) {
    Check c = {.candidate = candidate, .exact = exact, .declared = declared, .count = count};
    return check_among(&c, report);
}

/* ---- all outputs of a graph ------------------------------------------------------------- */

/* The programs: one row of outputs for each, as eval fills it. */
enum { EXACT, DECLARED, UNDECIDED, NUDGED, PROGRAMS = NUDGED + NUDGED_OF_FEW };

typedef struct Results {
    Tensor **row[PROGRAMS];
    int outputs;
} Results;

static bool results_open(Results *r, const Graph *g) {
    *r = (Results){.outputs = g->outputs.count};
    for (int p = 0; p < PROGRAMS; p++) {
        r->row[p] = calloc((size_t)r->outputs + 1, sizeof *r->row[p]);
        if (!r->row[p]) return false;
    }
    return true;
}

static void results_close(Results *r) {
    for (int p = 0; p < PROGRAMS; p++) {
        for (int i = 0; r->row[p] && i < r->outputs; i++) tensor_free(r->row[p][i]);
        free(r->row[p]);
    }
}

/* Compares with the declared result alone. */
static bool check_declared(const Results *r, const Tensor *const *candidates,
                           CheckReport *reports) {
    bool ok = true;
    for (int i = 0; i < r->outputs; i++) {
        const Tensor *declared = r->row[DECLARED][i];
        ok &= check_output(candidates[i], r->row[EXACT][i], &declared, 1, &reports[i]);
    }
    return ok;
}

/* The number of nudged programs for output i: with few elements, more runs are needed to know the
 * error. */
static int nudged_count(const Results *r, int i) {
    return tensor_count(r->row[EXACT][i]) < FEW_ELEMENTS ? NUDGED_OF_FEW : NUDGED_PROGRAMS;
}

/* Compares with the results of the nudged programs, too. */
static void check_nudged(const Results *r, const Tensor *const *candidates, CheckReport *reports) {
    for (int i = 0; i < r->outputs; i++) {
        const Tensor *declared[PROGRAMS] = {r->row[DECLARED][i]};
        const int nudged = nudged_count(r, i);
        for (int p = 0; p < nudged; p++) declared[1 + p] = r->row[NUDGED + p][i];
        Check c = {.candidate = candidates[i],
                   .exact = r->row[EXACT][i],
                   .declared = declared,
                   .count = 1 + nudged,
                   .undecided = r->row[UNDECIDED][i]};
        check_among(&c, &reports[i]);
    }
}

static bool eval_nudged(Results *r, const Graph *g, const int64_t *symbols,
                        const Tensor *const *inputs) {
    int most = 0;
    for (int i = 0; i < r->outputs; i++)
        if (nudged_count(r, i) > most) most = nudged_count(r, i);
    bool ok = eval(g, symbols, inputs, EVAL_UNDECIDED, false, r->row[UNDECIDED]);
    for (int p = 0; ok && p < most; p++)
        ok = eval(g, symbols, inputs, (EvalMode)(EVAL_NUDGED + p), false, r->row[NUDGED + p]);
    return ok;
}

bool check_outputs(const Graph *g, const int64_t *symbols, const Tensor *const *inputs,
                   bool check_bounds, const Tensor *const *candidates, CheckReport *reports) {
    Results r;
    bool ok = results_open(&r, g);
    if (!ok) diag_refuse(g->diag, "out of memory: checking %s", g->name);
    ok = ok && eval(g, symbols, inputs, EVAL_EXACT, check_bounds, r.row[EXACT]) &&
         eval(g, symbols, inputs, EVAL_DECLARED, check_bounds, r.row[DECLARED]);
    if (ok && !check_declared(&r, candidates, reports)) {
        ok = eval_nudged(&r, g, symbols, inputs);
        if (ok) check_nudged(&r, candidates, reports);
    }
    results_close(&r);
    return ok;
}

/* ---- one line --------------------------------------------------------------------------- */

static void print_index(const CheckReport *r, Text *out) {
    text_str(out, "at [");
    for (int axis = 0; axis < r->rank; axis++)
        text_printf(out, "%s%" PRId64, axis ? ", " : "", r->index[axis]);
    text_str(out, "]: ");
}

/* The sign of a NaN means nothing. */
static void print_scalar(Dtype type, Scalar value, Text *out) {
    if (dtype_is_float(type))
        text_printf(out, "%.*g", type == T_F64 ? 17 : 9, isnan(value.f) ? (double)NAN : value.f);
    else
        text_printf(out, "%" PRId64, value.i);
}

void check_print(const char *name, const CheckReport *r, Text *out) {
    text_printf(out, "%s: %s", name, r->ok ? "ok" : "wrong");
    if (!r->ok) text_printf(out, " (%s)", r->why);
    if (dtype_is_float(r->type) && r->allowed > 0)
        text_printf(out, ", largest error %.3g of %.3g allowed", r->error, r->allowed);
    if (r->rms_allowed > 0) text_printf(out, ", mean %.3g of %.3g", r->rms, r->rms_allowed);
    if (r->ok && !dtype_is_float(r->type)) return;
    text_str(out, ", ");
    print_index(r, out);
    text_str(out, "got ");
    print_scalar(r->type, r->got, out);
    text_str(out, ", want ");
    print_scalar(r->type, r->want, out);
}
