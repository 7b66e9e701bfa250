/* random.c: random numbers, and functions of them, whose range is known.
 * In: Value. Out: a pattern of its operands. */
#include "emit/cuda/cuda.h"

static const Value *find_op(const Body *b, int value, Op op) {
    const Value *v = &b->values.at[value];
    return v->kind == V_OP && v->op == op ? v : NULL;
}

/* Words of one position come of one block; those of neighbours in a pack of few. */
static const char *philox_pattern(Writer *w, const Value *v) {
    const int scale = v->attr, offset = v->attr2;
    if (w->level == 2 && cuda_shares_random((const CudaWriter *)w, v)) {
        if (!scale) return "philox_in_pack<VEC>($a, $b - l, l)";
        return arena_printf(w->arena, "philox_in_pack<VEC, %d, %d>($a, $b - l, l)", scale, offset);
    }
    const bool in_tile = w->k->family >= F_ATTENTION;
    if (!scale) return in_tile ? "philox_in_tile($a, $b)" : "philox($a, $b)";
    return arena_printf(w->arena, "%s<%d, %d>($a, $b)", in_tile ? "philox_in_tile" : "philox_of",
                        scale, offset);
}

/* ---- functions of a number u from 0 to 1 ---------------------------------------------------- */

static bool is_number(const Body *b, int value, double least, double most) {
    const Value *v = &b->values.at[value];
    return v->kind == V_CONST && const_float(v) >= least && const_float(v) <= most;
}

/* Of either sign, neither large nor tiny. */
static bool is_factor(const Body *b, int value) {
    return is_number(b, value, 1e-5, 1e5) || is_number(b, value, -1e5, -1e-5);
}

static bool is_unit(const Body *b, int value) { return find_op(b, value, OP_UNIT_FLOAT); }

/* log(1 - u) */
static bool is_log_of_rest(const Body *b, int value) {
    const Value *log = find_op(b, value, OP_LOG);
    const Value *rest = log ? find_op(b, log->src[0], OP_SUB) : NULL;
    return rest && is_number(b, rest->src[0], 1, 1) && is_unit(b, rest->src[1]);
}

/* The product of such a value and of a number. */
static bool is_multiple(const Body *b, int value, bool (*is_it)(const Body *b, int value)) {
    const Value *v = find_op(b, value, OP_MUL);
    for (int i = 0; v && i < 2; i++)
        if (is_factor(b, v->src[i]) && is_it(b, v->src[1 - i])) return true;
    return false;
}

/* The parts of a normal distribution: no branches to special cases, which would keep neighbours
 * from overlapping. */
const char *cuda_random(Writer *w, const Value *v) {
    const Body *b = w->b;
    switch (v->op) {
    case OP_PHILOX: return philox_pattern(w, v);
    case OP_LOG: return is_log_of_rest(b, (int)(v - b->values.at)) ? "log_of_part($a)" : NULL;
    case OP_COS: return is_multiple(b, v->src[0], is_unit) ? "cos_near($a)" : NULL;
    case OP_SQRT: return is_multiple(b, v->src[0], is_log_of_rest) ? "sqrt_near($a)" : NULL;
    default: return NULL;
    }
}
