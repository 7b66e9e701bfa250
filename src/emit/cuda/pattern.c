/* pattern.c: which CUDA function computes an operation: where another one than in ops.def takes
 * fewer instructions, and is as exact where it matters. In: Value. Out: a pattern of its operands.
 */
#include "emit/cuda/cuda.h"
#include "emit/text/imported.h"

#include <math.h>

/* ---- quotients ----------------------------------------------------------------------------- */

/* Of floats, by a literal with a reciprocal far from overflow and underflow. */
static bool divides_by_literal(const Writer *w, const Value *v) {
    if (v->op != OP_DIV || v->operand != T_F32) return false;
    const Value *by = &w->b->values.at[v->src[1]];
    const double size = by->kind == V_CONST ? fabs(const_float(by)) : 0;
    return size >= 0x1p-100 && size <= 0x1p100;
}

/* By 1 + exp(x), as in a sigmoid: the error of exp is as large as that of an approximate division.
 */
static bool divides_by_exp(const Writer *w, const Value *v) {
    if (v->op != OP_DIV || v->operand != T_F32) return false;
    const Value *by = &w->b->values.at[v->src[1]];
    return by->kind == V_OP && by->op == OP_ADD &&
           (w->b->values.at[by->src[0]].op == OP_EXP || w->b->values.at[by->src[1]].op == OP_EXP);
}

/* By what all elements of a row share: the compiler computes its reciprocal once. */
static bool divides_by_shared(const Writer *w, const Value *v) {
    if (v->op != OP_DIV || v->operand != T_F32 || w->k->family != F_ROW || w->level < 2)
        return false;
    return w->s->value[v->src[1]].level < 2 && w->s->value[v->src[0]].level == 2;
}

/* ---- errors relative to 1 ------------------------------------------------------------------ */

/* The readers of a value: whether `accepts` holds for all of them, and there is one. */
typedef struct Readers {
    int of, reader;
    bool (*accepts)(const Body *b, int reader, int value);
    bool is_read, is_refused;
} Readers;

static void ask_reader(const Body *b, int source, void *context) {
    Readers *r = context;
    if (source != r->of) return;
    r->is_read = true;
    r->is_refused |= !r->accepts(b, r->reader, source);
}

static bool is_stored(const Body *b, int value) {
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].value == value) return true;
    for (int i = 0; i < b->accs.count; i++)
        if (b->accs.at[i].value == value || b->accs.at[i].index == value) return true;
    return false;
}

bool value_is_read_only_by(const Body *b, int value,
                           bool (*accepts)(const Body *b, int reader, int value)) {
    Readers r = {.of = value, .accepts = accepts};
    for (r.reader = value + 1; r.reader < b->values.count && !r.is_refused; r.reader++)
        each_source(b, r.reader, ask_reader, &r);
    return r.is_read && !r.is_refused && !is_stored(b, value);
}

static bool is_op(const Body *b, int value, Op op) {
    return b->values.at[value].kind == V_OP && b->values.at[value].op == op;
}

static int other_source(const Value *v, int source) {
    return v->src[0] == source ? v->src[1] : v->src[0];
}

/* h + h * y, of which the second term is `product` */
static bool adds_to_factor(const Body *b, int sum, int product) {
    if (!is_op(b, sum, OP_ADD)) return false;
    const int h = other_source(&b->values.at[sum], product);
    return b->values.at[product].src[0] == h || b->values.at[product].src[1] == h;
}

static bool multiplies(const Body *b, int product, int y) {
    return is_op(b, product, OP_MUL) && other_source(&b->values.at[product], y) != y &&
           value_is_read_only_by(b, product, adds_to_factor);
}

/* A function that is read as the y of h + h * y alone, as in a gelu: its error matters beside 1. */
static bool is_beside_one(const Body *b, const Value *y) {
    if ((y->op != OP_ERF && y->op != OP_TANH) || y->operand == T_F64) return false;
    return value_is_read_only_by(b, (int)(y - b->values.at), multiplies);
}

/* -------------------------------------------------------------------------------------------- */

const char *cuda_pattern(Writer *w, const Value *v) {
    if (op_is_call(v->op)) return imported_pattern(w, v, false);
    const char *random = cuda_random(w, v);
    if (random) return random;
    if (v->attr && v->op == OP_MUL) return "mul_rounded($a, $b)";
    if (v->attr) return op_text(v->op, IN_CUDA, dtype_is_float(v->operand));
    if (divides_by_literal(w, v)) return "divide($a, $b)";
    if (divides_by_exp(w, v)) return "divide_approx($a, $b)";
    if (divides_by_shared(w, v)) return "divide_by($a, $b)";
    if (is_beside_one(w->b, v))
        return v->op == OP_ERF ? "erf_beside_one($a)" : "tanh_beside_one($a)";
    const char *small = cuda_small_difference(w, v);
    if (!small) small = cuda_half(cuda_of(w), v);
    if (small) return small;
    return op_text(v->op, IN_CUDA, dtype_is_float(v->operand));
}
