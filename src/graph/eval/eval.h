/* eval.h: the meaning of a graph: the reference evaluator, and the rule for checking results. */
#ifndef FUSEC_EVAL_H
#define FUSEC_EVAL_H

#include "graph/graph.h"
#include "runtime/runtime.h"

/* ---- bind.c: dims from inputs ---------------------------------------------------------------- */

/* Values of the dims from the inputs' shapes (and from `bindings`, for dims in no shape). False
 * after diag_errors: a rank or size that does not fit, a guard that fails, an unknown dim. files:
 * by input, for messages; NULL, or with NULL in it: from no file. */
bool bind_dims(const Graph *g, const Tensor *const *inputs, const char *const *files,
               const DimBinding *bindings, int count, int64_t *symbols);

/* ---- eval.c and eval_*.c: the meaning of a graph ------------------------------------------- */

typedef enum EvalMode {
    EVAL_EXACT,    /* floats in double throughout, rounded only where the program says so */
    EVAL_DECLARED, /* every node rounded to its own type: the unfused program, for the tolerance */
    /* as declared, but NaN where programs may differ: where the order of a sum's terms decides
     * whether it overflows its type on the way; where NaN or Inf is multiplied with a masked
     * weight, which the others skip */
    EVAL_UNDECIDED,
    /* as declared, with other roundings and another order of sums: an equally correct program.
     * EVAL_NUDGED + 1, + 2 .. are more of them */
    EVAL_NUDGED
} EvalMode;

/* Allocates outputs[i] (to be freed with tensor_free). check_bounds: out-of-range indices of take
 * and labels are diag_errors instead of clamping. False after a diag_error or refusal (memory). */
bool eval(const Graph *g, const int64_t *symbols, const Tensor *const *inputs, EvalMode mode,
          bool check_bounds, Tensor **outputs);

/* ---- check.c: is a result right? ----------------------------------------------------------- */

/* The rule. c is the candidate, e the exact result, d that of the declared types (or several: the
 * largest error of any counts); all have the output's type T. With
 *     u      epsilon of T's compute type: 2^-23, or 2^-52 for f64
 *     k      2; 3 when T is narrower than f32 or there are fewer than 64 elements
 *     step   distance of neighbours in T at e, when T is narrower than f32, else 4 tiny
 *     tiny   least number above 0 in T
 *     E      largest |d - e| - step of all elements, at least 0
 *     M      largest |e| of all elements
 *
 *  integers, bool   c is e, or the d of that element (where rounding decides a comparison)
 *  undecided        nothing is asked of c where EVAL_UNDECIDED gives NaN and e is none: there an
 *                   honest program has any result, as the order of its sums is, or what it skips
 *  NaN, Inf         c is NaN, Inf, -Inf or finite as e is, or as the d of that element is (where
 *                   the declared types overflow and exact numbers do not)
 *  every element    |c - e| <= k E + step + 4 u M
 *  all together     rms(c - e) <= k rms(d - e) + 4 u rms(e) + steps, from 64 elements up; steps is
 *                   4 tiny, or max(epsilon(T) rms(e), tiny) sqrt(max(4, n/256) / n) when narrower
 *
 * The bound of every element finds what is wrong in one place: index, mask, race. It must allow
 * one step, for a result next to a tie may round the other way. That hides a rounding left out
 * or added, which is why the mean error is bounded too, where only a few steps are allowed. */
typedef struct CheckReport {
    bool ok;
    const char *why; /* "ok", or the part of the rule that failed */
    Dtype type;
    int rank;
    int64_t index[TENSOR_RANK_MAX]; /* of the worst element: the one to look at */
    Scalar got, want;               /* there */
    double error, allowed;          /* there; 1 and 0 if they must be equal and are not */
    double rms, rms_allowed;        /* allowed 0: not bounded */
} CheckReport;

/* True if the candidate passes, given `count` results of the declared types; all tensors have one
 * type and shape. */
bool check_output(const Tensor *candidate, const Tensor *exact, const Tensor *const *declared,
                  int count, CheckReport *report);
/* Evaluates g and checks all its outputs. A declared result may be exact by luck, so a failing
 * output is checked again with the results of four nudged programs (see check.c), or sixteen if it
 * has fewer than 64 elements: for a correct sum of 4096 products that is alone in its output, four
 * programs fail one in fifty, sixteen one in a thousand. Then EVAL_UNDECIDED is taken into
 * account, too. False after a diag_error or refusal; reports[i].ok says whether an output is
 * right. */
bool check_outputs(const Graph *g, const int64_t *symbols, const Tensor *const *inputs,
                   bool check_bounds, const Tensor *const *candidates, CheckReport *reports);
/* "y: ok, largest error 1.2e-07 of 4.8e-07 allowed, at [3, 17]: got 1.5, want 1.5000001" */
void check_print(const char *name, const CheckReport *report, Text *out);

#endif
