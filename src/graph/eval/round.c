/* round.c: the rounding of floats in the evaluator's modes, and the order of sums.
 *
 *   EVAL_EXACT     nothing is rounded; sums in long double, as a reference for f64 results
 *   EVAL_DECLARED  each result is rounded to its type; sums in their type, first term to last
 *   EVAL_UNDECIDED the same, but a sum of terms of both signs is NaN if those of one sign alone
 *                  overflow its type: its order decides whether it is finite, infinite or NaN;
 *                  so is a product along axes whose order decides that
 *   EVAL_NUDGED    as declared, but rounded results are moved by up to 2 epsilon, and sums are
 *                  added in another order, and products that are added are not rounded: an equally
 *                  correct program */
#include "graph/eval/eval_private.h"

#include <float.h>
#include <math.h>

/* From -1 to 1; Knuth's MMIX generator, whose upper bits are good. */
static double random_unit(Eval *e) {
    e->random = e->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)e->random * 0x1p-63;
}

/* Exact results stay: multiplying by 1, or log(1), is exact in every program. An f64 result does
 * not show whether it was rounded; a whole number probably was not. */
double eval_round(Eval *e, double value) {
    if (e->mode == EVAL_EXACT) return value;
    double rounded = dtype_round(e->type, value);
    if (e->mode < EVAL_NUDGED || !isfinite(rounded)) return rounded;
    bool exact = e->type == T_F64 ? value == rint(value) : value == rounded;
    if (exact) return rounded;
    return dtype_round(e->type, value * (1 + 2 * dtype_epsilon(e->type) * random_unit(e)));
}

/* Before it was rounded it lay up to half an epsilon away. */
double eval_unrounded(Eval *e, double value) {
    return value * (1 + dtype_epsilon(e->type) / 2 * random_unit(e));
}

/* A value midway between two numbers of the type was probably not rounded, and stays. All others
 * move by up to 32 units, as after a longer computation: if that crosses a tie, a correct program
 * may round to the other side. */
double eval_before_cast(Eval *e, Dtype from, Dtype to, double value) {
    if (e->mode < EVAL_NUDGED || !dtype_is_narrow(to) || !isfinite(value)) return value;
    double rounded = dtype_round(to, value), opposite = 2 * value - rounded;
    if (dtype_round(to, opposite) == opposite) return value;
    return value * (1 + 32 * dtype_epsilon(dtype_compute(from)) * random_unit(e));
}

/* Sixteen orders with few lanes, whose error is that of a plain loop; then some with more lanes. */
int eval_lanes(const Eval *e) {
    const int program = (int)e->mode - EVAL_NUDGED;
    return program < 0 ? 1 : 1 + program % 4 + program / 16 * 4;
}

int64_t eval_turn(const Eval *e, int64_t count) {
    const int program = (int)e->mode - EVAL_NUDGED;
    return program < 0 ? 0 : count * (1 + 2 * (program / 4 % 4)) / 8;
}

static double sum_f32(const Scalar *x, int64_t count, int lanes, int64_t turn) {
    float total = 0;
    for (int lane = 0; lane < lanes; lane++) {
        float partial = 0;
        for (int64_t i = lane; i < count; i += lanes)
            partial += (float)x[i + turn - (i + turn < count ? 0 : count)].f;
        total += partial;
    }
    return total;
}

static double sum_f64(const Scalar *x, int64_t count, int lanes, int64_t turn) {
    double total = 0;
    for (int lane = 0; lane < lanes; lane++) {
        double partial = 0;
        for (int64_t i = lane; i < count; i += lanes)
            partial += x[i + turn - (i + turn < count ? 0 : count)].f;
        total += partial;
    }
    return total;
}

double eval_overflow(const Eval *e, double sum, double above, double below) {
    const double most = e->type == T_F64 ? DBL_MAX : FLT_MAX;
    const bool is_finite = isfinite(above) && isfinite(below);
    if (e->type != T_F64 && !is_finite) return sum; /* as the terms are */
    return above > 0 && below < 0 && (above > most || below < -most) ? NAN : sum;
}

static double sum_overflow(const Eval *e, const Scalar *x, int64_t count, double sum) {
    double above = 0, below = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(x[i].f)) return sum;
        *(x[i].f > 0 ? &above : &below) += x[i].f;
    }
    return eval_overflow(e, sum, above, below);
}

double eval_sum(const Eval *e, const Scalar *x, int64_t count) {
    if (e->mode != EVAL_EXACT) {
        const int lanes = eval_lanes(e);
        const int64_t turn = eval_turn(e, count);
        double sum =
            e->type == T_F64 ? sum_f64(x, count, lanes, turn) : sum_f32(x, count, lanes, turn);
        return e->mode == EVAL_UNDECIDED ? sum_overflow(e, x, count, sum) : sum;
    }
    long double total = 0;
    for (int64_t i = 0; i < count; i++) total += x[i].f;
    return (double)total;
}

int64_t eval_wrap(Dtype type, uint64_t value) {
    switch (type) {
    case T_BOOL: return value != 0;
    case T_U8: return (uint8_t)value;
    case T_I8: return (int8_t)(uint8_t)value;
    case T_I32: return (int32_t)(uint32_t)value;
    default: return (int64_t)value;
    }
}

/* Equal numbers that differ are 0 and -0. */
double eval_max(double a, double b) {
    if (isnan(a) || isnan(b)) return NAN;
    return a > b ? a : b > a ? b : signbit(a) ? b : a;
}

double eval_min(double a, double b) {
    if (isnan(a) || isnan(b)) return NAN;
    return a < b ? a : b < a ? b : signbit(a) ? a : b;
}
