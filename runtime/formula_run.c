/* formula_run.c: the value of a formula.
 * In: its steps, values of dims. Out: a number; or none, where an integer overflows or is divided
 * by 0. What C does not evaluate is jumped over, and may have no value. */
#include "runtime/formula.h"

enum { ROOM = 8 << 10 };

static Number integer(int64_t i) { return (Number){false, {.i = i}}; }
static Number real(double x) { return (Number){true, {.f = x}}; }
static double as_real(Number x) { return x.is_real ? x.value.f : (double)x.value.i; }
static bool is_true(Number x) { return x.is_real ? x.value.f != 0 : x.value.i != 0; }

/* ---- operators ---------------------------------------------------------------------------- */

/* Integers that double cannot tell apart are different. */
static Number compare(FormulaOp op, Number a, Number b) {
    const double x = as_real(a), y = as_real(b);
    const bool both = !a.is_real && !b.is_real;
    const bool less = both ? a.value.i < b.value.i : x < y,
               equal = both ? a.value.i == b.value.i : x == y,
               more = both ? a.value.i > b.value.i : x > y;
    switch (op) {
    case F_EQUAL: return integer(equal);
    case F_UNEQUAL: return integer(!equal);
    case F_LESS: return integer(less);
    case F_MORE: return integer(more);
    case F_NOT_MORE: return integer(less || equal);
    default: return integer(more || equal);
    }
}

static bool real_arithmetic(FormulaOp op, double a, double b, Number *out) {
    if (op >= F_MOD) return false;
    *out = real(op == F_ADD ? a + b : op == F_SUB ? a - b : op == F_MUL ? a * b : a / b);
    return true;
}

static bool divide(FormulaOp op, int64_t a, int64_t b, int64_t *out) {
    if (!b || (a == INT64_MIN && b == -1)) return false;
    *out = op == F_MOD ? a % b : a / b;
    return true;
}

static bool whole_arithmetic(FormulaOp op, int64_t a, int64_t b, int64_t *out) {
    int64_t most;
    switch (op) {
    case F_ADD: return !__builtin_add_overflow(a, b, out);
    case F_SUB: return !__builtin_sub_overflow(a, b, out);
    case F_MUL: return !__builtin_mul_overflow(a, b, out);
    case F_CEIL_DIV:
        return !__builtin_sub_overflow(b, 1, &most) && !__builtin_add_overflow(a, most, &most) &&
               divide(op, most, b, out);
    case F_LEAST: *out = a < b ? a : b; return true;
    case F_MOST: *out = a > b ? a : b; return true;
    default: return divide(op, a, b, out);
    }
}

static bool arithmetic(FormulaOp op, Number a, Number b, Number *out) {
    if (a.is_real || b.is_real) return real_arithmetic(op, as_real(a), as_real(b), out);
    *out = integer(0);
    return whole_arithmetic(op, a.value.i, b.value.i, &out->value.i);
}

static bool negate(Number *x) {
    if (x->is_real) x->value.f = -x->value.f;
    return x->is_real || !__builtin_sub_overflow((int64_t)0, x->value.i, &x->value.i);
}

static Number cast(Number x, Dtype type) {
    return (Number){dtype_is_float(type), dtype_convert(x.is_real ? T_F64 : T_I64, type, x.value)};
}

/* ---- steps -------------------------------------------------------------------------------- */

typedef struct Machine {
    const int64_t *dims;
    int next, top; /* the next step; values on the stack */
    Number stack[FORMULA_STACK];
} Machine;

/* The value on top decides; if it stays, as 0 or 1, what is jumped over is not computed. */
static void branch(Machine *m, const FormulaStep *s) {
    const bool is = is_true(m->stack[m->top - 1]);
    const bool stays = s->op == F_OR ? is : s->op == F_AND && !is;
    if (stays || (s->op == F_UNLESS && !is)) m->next = s->at;
    if (stays)
        m->stack[m->top - 1] = integer(is);
    else
        m->top--;
}

static bool step(Machine *m, const FormulaStep *s) {
    Number *x = &m->stack[m->top - 1];
    switch (s->op) {
    case F_NUMBER: m->stack[m->top++] = s->number; return true;
    case F_DIM: m->stack[m->top++] = integer(m->dims[s->at]); return true;
    case F_NEGATE: return negate(x);
    case F_NOT: *x = integer(!is_true(*x)); return true;
    case F_TRUTH: *x = integer(is_true(*x)); return true;
    case F_CAST: *x = cast(*x, (Dtype)s->at); return true;
    case F_UNARY: *x = real(s->unary(as_real(*x))); return true;
    case F_JUMP: m->next = s->at; return true;
    case F_OR:
    case F_AND:
    case F_UNLESS: branch(m, s); return true;
    default: break;
    }
    m->top--;
    x--;
    if (s->op == F_BINARY) {
        *x = real(s->binary(as_real(x[0]), as_real(x[1])));
        return true;
    }
    if (s->op <= F_NOT_LESS) {
        *x = compare(s->op, x[0], x[1]);
        return true;
    }
    return arithmetic(s->op, x[0], x[1], x);
}

bool formula_run(const FormulaCode *code, const int64_t *dims, Dtype type, Scalar *value) {
    Machine m;
    m.dims = dims;
    m.next = m.top = 0;
    if (!code) return false;
    while (m.next < code->steps.count)
        if (!step(&m, &code->steps.at[m.next++])) return false;
    *value = dtype_convert(m.stack[0].is_real ? T_F64 : T_I64, type, m.stack[0].value);
    return true;
}

bool formula_value(const char *text, const FormulaDims *dims, Dtype type, Scalar *value) {
    _Alignas(16) char room[ROOM];
    Arena arena = arena_over(room, sizeof room);
    const FormulaCode *code = formula_compile(&arena, text, dims->name, dims->count);
    bool has = formula_run(code, dims->value, type, value);
    arena_clear(&arena);
    return has;
}
