/* map.c: the elementwise ops. One switch for floats, one for integers, one for ops that give bool;
 * the sources of a node have one type, and the result is converted to the node's. */
#include "graph/eval/eval_private.h"

#include <math.h>

/* ---- floats ----------------------------------------------------------------------------- */

static double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

static double float_unary(Op op, double x) {
    switch (op) {
    case OP_NEG: return -x;
    case OP_ABS: return fabs(x);
    case OP_SIGN: return sign_of(x);
    case OP_FLOOR: return floor(x);
    case OP_CEIL: return ceil(x);
    case OP_ROUND: return rint(x);
    case OP_SQRT: return sqrt(x);
    case OP_RSQRT: return 1 / sqrt(x);
    case OP_CBRT: return cbrt(x);
    case OP_EXP: return exp(x);
    case OP_EXP2: return exp2(x);
    case OP_EXPM1: return expm1(x);
    case OP_LOG: return log(x);
    case OP_LOG2: return log2(x);
    case OP_LOG10: return log10(x);
    case OP_LOG1P: return log1p(x);
    case OP_SIN: return sin(x);
    case OP_COS: return cos(x);
    case OP_TAN: return tan(x);
    case OP_ASIN: return asin(x);
    case OP_ACOS: return acos(x);
    case OP_ATAN: return atan(x);
    case OP_SINH: return sinh(x);
    case OP_COSH: return cosh(x);
    case OP_TANH: return tanh(x);
    case OP_ERF: return erf(x);
    default: BUG("no meaning for %s of floats", op_info[op].name);
    }
}

static double float_binary(Op op, double a, double b) {
    switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_MOD: return fmod(a, b);
    case OP_POW: return pow(a, b);
    case OP_ATAN2: return atan2(a, b);
    case OP_MIN: return eval_min(a, b);
    case OP_MAX: return eval_max(a, b);
    default: BUG("no meaning for %s of floats", op_info[op].name);
    }
}

/* ---- integers: in 64 bits without a sign, so that they wrap ----------------------------- */

/* The quotient of the least integer and -1 wraps: it is a negation. */
static int64_t int_div(int64_t a, int64_t b) {
    if (b == 0) return 0;
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t int_mod(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

/* 1 / a**n truncates to 0 unless a is 1 or -1; 1 / 0 is 0, as for div. */
static int64_t int_pow(int64_t a, int64_t n) {
    if (n < 0) return a == 1 ? 1 : a == -1 ? (n % 2 ? -1 : 1) : 0;
    uint64_t result = 1;
    for (uint64_t factor = (uint64_t)a; n; n /= 2, factor *= factor)
        if (n % 2) result *= factor;
    return (int64_t)result;
}

/* Philox 4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3". */
void eval_philox(uint32_t *counter, uint64_t seed) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)counter[0] * 0xD2511F53, b = (uint64_t)counter[2] * 0xCD9E8D57;
        counter[0] = (uint32_t)(b >> 32) ^ counter[1] ^ key[0];
        counter[1] = (uint32_t)b;
        counter[2] = (uint32_t)(a >> 32) ^ counter[3] ^ key[1];
        counter[3] = (uint32_t)a;
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
}

static int64_t philox(uint64_t seed, uint64_t index) {
    uint32_t counter[4] = {(uint32_t)(index / 4), (uint32_t)(index / 4 >> 32), 0, 0};
    eval_philox(counter, seed);
    return counter[index % 4];
}

static int64_t int_map(Op op, int64_t a, int64_t b) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case OP_NEG: return (int64_t)(0 - x);
    case OP_ABS: return (int64_t)(a < 0 ? 0 - x : x);
    case OP_SIGN: return (a > 0) - (a < 0);
    case OP_ADD: return (int64_t)(x + y);
    case OP_SUB: return (int64_t)(x - y);
    case OP_MUL: return (int64_t)(x * y);
    case OP_DIV: return int_div(a, b);
    case OP_MOD: return int_mod(a, b);
    case OP_POW: return int_pow(a, b);
    case OP_MIN: return a < b ? a : b;
    case OP_MAX: return a > b ? a : b;
    case OP_PHILOX: return philox(x, y);
    default: BUG("no meaning for %s of integers", op_info[op].name);
    }
}

/* ---- what gives bool -------------------------------------------------------------------- */

static bool float_compare(Op op, double a, double b) {
    switch (op) {
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_ISNAN: return isnan(a);
    default: BUG("no meaning for %s of floats", op_info[op].name);
    }
}

static bool int_compare(Op op, int64_t a, int64_t b) {
    switch (op) {
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_AND: return a && b;
    case OP_OR: return a || b;
    case OP_NOT: return !a;
    default: BUG("no meaning for %s of integers", op_info[op].name);
    }
}

/* ---- one element ------------------------------------------------------------------------ */

/* Repeated multiplication, with its roundings. */
static double float_power(Eval *e, double x, int n) {
    double result = 1;
    for (int i = 0; i < n; i++) result = eval_round(e, result * x);
    return result;
}

static Scalar float_element(Eval *e, const Node *n, double a, double b) {
    double result = n->src_count == 1 ? float_unary(n->op, a) : float_binary(n->op, a, b);
    bool rounds = op_info[n->op].rule == R_ARITH || op_info[n->op].rule == R_FLOAT;
    return (Scalar){.f = rounds ? eval_round(e, result) : result};
}

static Scalar cast(Eval *e, Dtype from, Dtype to, Scalar x) {
    if (dtype_is_float(from)) x.f = eval_before_cast(e, from, to, x.f);
    return dtype_convert(from, to, x);
}

static Scalar element(Eval *e, const Node *n, Dtype source, Scalar a, Scalar b) {
    bool from_float = dtype_is_float(source);
    if (n->op == OP_CAST) return cast(e, source, n->type, a);
    if (n->type == T_BOOL)
        return (Scalar){.i = from_float ? float_compare(n->op, a.f, b.f)
                                        : int_compare(n->op, a.i, b.i)};
    if (n->op == OP_UNIT_FLOAT) return (Scalar){.f = ldexp((double)((uint32_t)a.i >> 8), -24)};
    if (from_float) return float_element(e, n, a.f, b.f);
    return (Scalar){.i = eval_wrap(n->type, (uint64_t)int_map(n->op, a.i, b.i))};
}

/* ---- whole nodes ------------------------------------------------------------------------ */

static void map_where(const Eval *e, const Node *n, Value *out) {
    const Value *condition = eval_source(e, n, 0);
    const Value *a = eval_source(e, n, 1), *b = eval_source(e, n, 2);
    for (int64_t i = 0; i < out->count; i++) out->at[i] = condition->at[i].i ? a->at[i] : b->at[i];
}

static void map_power(Eval *e, const Node *n, int power, Value *out) {
    const Value *x = eval_source(e, n, 0);
    for (int64_t i = 0; i < out->count; i++) out->at[i].f = float_power(e, x->at[i].f, power);
}

/* Is the source a product, perhaps moved or negated, that a sum may be contracted with? */
static bool is_product(const Eval *e, NodeId source) {
    const Node *n = &e->g->node[source];
    while (op_info[n->op].class == VIEW || n->op == OP_NEG) n = &e->g->node[n->src[0]];
    return n->op == OP_MUL || node_literal_power(e->g, n) > 1;
}

/* A nudged sum or difference takes its products as a fused multiply-add does: not yet rounded. */
static void map_sum(Eval *e, const Node *n, const Value *a, const Value *b, Value *out) {
    const bool of_a = is_product(e, n->src[0]), of_b = is_product(e, n->src[1]);
    for (int64_t i = 0; i < out->count; i++) {
        Scalar x = a->at[i], y = b->at[i];
        if (of_a) x.f = eval_unrounded(e, x.f);
        if (of_b) y.f = eval_unrounded(e, y.f);
        out->at[i] = float_element(e, n, x.f, y.f);
    }
}

void eval_map(Eval *e, const Node *n, Value *out) {
    int power = dtype_is_float(n->type) ? node_literal_power(e->g, n) : -1;
    if (n->op == OP_WHERE) {
        map_where(e, n, out);
    } else if (op_is_call(n->op)) {
        eval_call(e, n, out);
    } else if (power >= 0 && e->mode != EVAL_EXACT) {
        map_power(e, n, power, out);
    } else {
        Dtype source = e->g->node[n->src[0]].type;
        const Value *a = eval_source(e, n, 0), *b = n->src_count > 1 ? eval_source(e, n, 1) : a;
        if (e->mode >= EVAL_NUDGED && dtype_is_float(source) &&
            (n->op == OP_ADD || n->op == OP_SUB))
            map_sum(e, n, a, b, out);
        else
            for (int64_t i = 0; i < out->count; i++)
                out->at[i] = element(e, n, source, a->at[i], b->at[i]);
        eval_masked_map(e, n, out);
    }
}
