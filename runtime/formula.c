/* formula.c: the value of an expression over dims, given as text: "ceil_div(N, 8)".
 * In: a C expression and the values of its names. Out: a number, computed as C would in int64_t and
 * double. The host function of an emitted file has the same text, so both compute the same
 * launch. */
#include "runtime/runtime.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 2000 }; /* of the recursion: a thousand pairs of parentheses */

typedef struct Number {
    bool is_real;
    Scalar value; /* f when it is real, else i */
} Number;

typedef struct Formula {
    const char *at; /* what is read next */
    const FormulaDims *dims;
    int depth;
    bool failed; /* the value so far is of no use */
} Formula;

static Number conditional(Formula *f);

static Number integer(int64_t i) { return (Number){false, {.i = i}}; }
static Number real(double x) { return (Number){true, {.f = x}}; }
static double as_real(Number x) { return x.is_real ? x.value.f : (double)x.value.i; }
static bool is_true(Number x) { return x.is_real ? x.value.f != 0 : x.value.i != 0; }

static Number fail(Formula *f) {
    f->failed = true;
    return integer(0);
}

/* ---- reading ------------------------------------------------------------------------------ */

static void skip_blanks(Formula *f) { f->at += strspn(f->at, " \n"); }

static bool take(Formula *f, const char *text) {
    skip_blanks(f);
    size_t size = strlen(text);
    if (strncmp(f->at, text, size) != 0) return false;
    f->at += size;
    return true;
}

/* The identifier that stands here: its size, 0 when there is none. */
static size_t word_size(const char *at) {
    size_t size = 0;
    while (isalnum((unsigned char)at[size]) || at[size] == '_') size++;
    return isdigit((unsigned char)*at) ? 0 : size;
}

static bool is_word(const char *at, size_t size, const char *word) {
    return strlen(word) == size && !strncmp(at, word, size);
}

/* ---- operators ---------------------------------------------------------------------------- */

static const struct {
    const char *text;
    int level; /* binds tighter the higher it is */
} operators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4}, {"<", 4},
                 {">", 4},  {"+", 5},  {"-", 5},  {"*", 6},  {"/", 6},  {"%", 6}};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static Number compare(const char *op, Number a, Number b) {
    double x = as_real(a), y = as_real(b);
    bool both = !a.is_real && !b.is_real; /* integers that double cannot tell apart are different */
    bool less = both ? a.value.i < b.value.i : x < y,
         equal = both ? a.value.i == b.value.i : x == y;
    bool more = both ? a.value.i > b.value.i : x > y;
    switch (op[0]) {
    case '=': return integer(equal);
    case '!': return integer(!equal);
    case '<': return integer(less || (op[1] && equal));
    default: return integer(more || (op[1] && equal));
    }
}

static Number arithmetic(Formula *f, char op, Number a, Number b) {
    int64_t result = 0, x = a.value.i, y = b.value.i;
    if (a.is_real || b.is_real) {
        double p = as_real(a), q = as_real(b);
        return op == '%' ? fail(f)
                         : real(op == '+'   ? p + q
                                : op == '-' ? p - q
                                : op == '*' ? p * q
                                            : p / q);
    }
    switch (op) {
    case '+': return __builtin_add_overflow(x, y, &result) ? fail(f) : integer(result);
    case '-': return __builtin_sub_overflow(x, y, &result) ? fail(f) : integer(result);
    case '*': return __builtin_mul_overflow(x, y, &result) ? fail(f) : integer(result);
    default:
        if (!y || (x == INT64_MIN && y == -1)) return fail(f);
        return integer(op == '/' ? x / y : x % y);
    }
}

/* ---- functions ---------------------------------------------------------------------------- */

/* The functions of <math.h> from doubles to double, so that any text of the op table can be
 * read. */
static const struct {
    const char *name;
    double (*of)(double);
} unary_functions[] = {
    {"acos", acos},   {"acosh", acosh},   {"asin", asin},   {"asinh", asinh},
    {"atan", atan},   {"atanh", atanh},   {"cbrt", cbrt},   {"ceil", ceil},
    {"cos", cos},     {"cosh", cosh},     {"erf", erf},     {"erfc", erfc},
    {"exp", exp},     {"exp2", exp2},     {"expm1", expm1}, {"fabs", fabs},
    {"floor", floor}, {"lgamma", lgamma}, {"log", log},     {"log10", log10},
    {"log1p", log1p}, {"log2", log2},     {"logb", logb},   {"nearbyint", nearbyint},
    {"rint", rint},   {"round", round},   {"sin", sin},     {"sinh", sinh},
    {"sqrt", sqrt},   {"tan", tan},       {"tanh", tanh},   {"tgamma", tgamma},
    {"trunc", trunc}};

static const struct {
    const char *name;
    double (*of)(double, double);
} binary_functions[] = {{"atan2", atan2},        {"copysign", copysign},   {"fdim", fdim},
                        {"fmax", fmax},          {"fmin", fmin},           {"fmod", fmod},
                        {"hypot", hypot},        {"nextafter", nextafter}, {"pow", pow},
                        {"remainder", remainder}};

/* Rounded up. */
static Number ceil_div(Formula *f, Number a, Number b) {
    return arithmetic(f, '/', arithmetic(f, '+', a, arithmetic(f, '-', b, integer(1))), b);
}

static Number call(Formula *f, const char *name, size_t size) {
    Number a = conditional(f);
    bool is_pair = take(f, ",");
    Number b = is_pair ? conditional(f) : integer(0);
    if (!take(f, ")")) return fail(f);
    if (is_pair && is_word(name, size, "ceil_div")) return ceil_div(f, a, b);
    for (size_t i = 0; !is_pair && i < sizeof unary_functions / sizeof *unary_functions; i++)
        if (is_word(name, size, unary_functions[i].name))
            return real(unary_functions[i].of(as_real(a)));
    for (size_t i = 0; is_pair && i < sizeof binary_functions / sizeof *binary_functions; i++)
        if (is_word(name, size, binary_functions[i].name))
            return real(binary_functions[i].of(as_real(a), as_real(b)));
    return fail(f);
}

/* ---- operands ----------------------------------------------------------------------------- */

/* 4096, 1e-06f, 0.5 */
static Number number(Formula *f) {
    const char *at = f->at;
    char *end, *real_end;
    long long whole = strtoll(at, &end, 10);
    double x = strtod(at, &real_end);
    bool is_real = real_end > end, is_single = is_real && *real_end == 'f';
    f->at = is_real ? real_end + is_single : end;
    if (!is_real) return integer(whole);
    return real(is_single ? (double)strtof(at, NULL) : x);
}

static Number name(Formula *f) {
    const char *at = f->at;
    size_t size = word_size(at);
    f->at += size;
    if (take(f, "(")) return call(f, at, size);
    if (is_word(at, size, "INFINITY")) return real(INFINITY);
    if (is_word(at, size, "NAN")) return real(NAN);
    for (int i = 0; i < f->dims->count; i++)
        if (is_word(at, size, f->dims->name[i])) return integer(f->dims->value[i]);
    return fail(f);
}

/* "(float)" and the like; T_NONE, and nothing is read, when no cast stands here. */
static Dtype cast(Formula *f) {
    static const struct {
        const char *text;
        Dtype type;
    } casts[] = {{"(float)", T_F32},  {"(double)", T_F64},   {"(int8_t)", T_I8},
                 {"(uint8_t)", T_U8}, {"(int32_t)", T_I32},  {"(int64_t)", T_I64},
                 {"(int)", T_I32},    {"(long long)", T_I64}};
    for (size_t i = 0; i < sizeof casts / sizeof casts[0]; i++)
        if (take(f, casts[i].text)) return casts[i].type;
    return T_NONE;
}

static Number unary(Formula *f) {
    Number x;
    Dtype type;
    skip_blanks(f);
    if (++f->depth > DEPTH_MOST) {
        f->at += strlen(f->at);
        return fail(f);
    }
    if (take(f, "-")) {
        x = unary(f);
        x = x.is_real ? real(-x.value.f) : arithmetic(f, '-', integer(0), x);
    } else if (take(f, "!")) {
        x = integer(!is_true(unary(f)));
    } else if ((type = cast(f))) {
        x = unary(f);
        x.value = dtype_convert(x.is_real ? T_F64 : T_I64, type, x.value);
        x.is_real = dtype_is_float(type);
    } else if (take(f, "(")) {
        x = conditional(f);
        if (!take(f, ")")) fail(f);
    } else if (isdigit((unsigned char)*f->at)) {
        x = number(f);
    } else {
        x = word_size(f->at) ? name(f) : fail(f);
    }
    f->depth--;
    return x;
}

/* ---- expressions -------------------------------------------------------------------------- */

static int operator_here(Formula *f) {
    skip_blanks(f);
    for (int i = 0; i < OPERATORS; i++)
        if (!strncmp(f->at, operators[i].text, strlen(operators[i].text))) return i;
    return -1;
}

/* What C does not evaluate is read all the same, but may fail. */
static Number binary(Formula *f, int level) {
    Number left = unary(f);
    for (int i; (i = operator_here(f)) >= 0 && operators[i].level >= level;) {
        const char *op = operators[i].text;
        bool failed = f->failed, is_logic = operators[i].level <= 2;
        bool decided = is_logic && is_true(left) == (*op == '|');
        f->at += strlen(op);
        Number right = binary(f, operators[i].level + 1);
        if (decided) f->failed = failed;
        if (is_logic)
            left = integer(decided ? *op == '|' : is_true(right));
        else
            left = operators[i].level <= 4 ? compare(op, left, right)
                                           : arithmetic(f, *op, left, right);
    }
    return left;
}

static Number conditional(Formula *f) {
    Number condition = binary(f, 1);
    if (!take(f, "?")) return condition;
    bool failed = f->failed, chosen = is_true(condition);
    Number yes = conditional(f);
    if (!chosen) f->failed = failed;
    if (!take(f, ":")) return fail(f);
    failed = f->failed;
    Number no = conditional(f);
    if (chosen) f->failed = failed;
    return chosen ? yes : no;
}

bool formula_value(const char *text, const FormulaDims *dims, Dtype type, Scalar *value) {
    Formula f = {.at = text, .dims = dims};
    Number x = conditional(&f);
    skip_blanks(&f);
    if (f.failed || *f.at) return false;
    *value = dtype_convert(x.is_real ? T_F64 : T_I64, type, x.value);
    return true;
}
