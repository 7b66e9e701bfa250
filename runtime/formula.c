/* formula.c: expressions over dims, given as text: "ceil_div(N, 8)".
 * In: a C expression and the names in it. Out: steps for formula_run.c, which compute what C would
 * in int64_t and double. The host function of an emitted file has the same text, so both compute
 * the same launch. */
#include "runtime/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 2000 }; /* of the recursion: a thousand pairs of parentheses */

typedef struct Reader {
    const char *at; /* what is read next */
    const char *const *names;
    int name_count;
    Arena *arena;
    FormulaCode *code;
    int depth;  /* of the recursion */
    int values; /* on the stack, when the last step is done */
    bool failed;
} Reader;

static void conditional(Reader *r);

static void fail(Reader *r) { r->failed = true; }

/* ---- steps -------------------------------------------------------------------------------- */

/* `change`: of the number of values on the stack. */
static int add(Reader *r, FormulaStep step, int change) {
    vec_push(r->arena, &r->code->steps, step);
    r->values += change;
    if (r->values > FORMULA_STACK) fail(r);
    return r->code->steps.count - 1;
}

/* The jump at `from` goes to what is added next. */
static void land(Reader *r, int from) { r->code->steps.at[from].at = r->code->steps.count; }

static void push(Reader *r, Number number) { add(r, (FormulaStep){F_NUMBER, 0, {number}}, 1); }

static Number integer(int64_t i) { return (Number){false, {.i = i}}; }
static Number real(double x) { return (Number){true, {.f = x}}; }

/* ---- reading ------------------------------------------------------------------------------ */

static void skip_blanks(Reader *r) { r->at += strspn(r->at, " \n"); }

static bool take(Reader *r, const char *text) {
    skip_blanks(r);
    size_t size = strlen(text);
    if (strncmp(r->at, text, size) != 0) return false;
    r->at += size;
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
    FormulaOp op;
} operators[] = {{"||", 1, F_OR},      {"&&", 2, F_AND},      {"==", 3, F_EQUAL},
                 {"!=", 3, F_UNEQUAL}, {"<=", 4, F_NOT_MORE}, {">=", 4, F_NOT_LESS},
                 {"<", 4, F_LESS},     {">", 4, F_MORE},      {"+", 5, F_ADD},
                 {"-", 5, F_SUB},      {"*", 6, F_MUL},       {"/", 6, F_DIV},
                 {"%", 6, F_MOD}};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

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

/* The functions of emitted files. */
static const struct {
    const char *name;
    FormulaOp op;
} whole_functions[] = {{"ceil_div", F_CEIL_DIV}, {"fx_least", F_LEAST}, {"fx_most", F_MOST}};

static void call(Reader *r, const char *name, size_t size) {
    conditional(r);
    bool is_pair = take(r, ",");
    if (is_pair) conditional(r);
    if (!take(r, ")")) fail(r);
    for (size_t i = 0; is_pair && i < sizeof whole_functions / sizeof *whole_functions; i++)
        if (is_word(name, size, whole_functions[i].name)) {
            add(r, (FormulaStep){.op = whole_functions[i].op}, -1);
            return;
        }
    for (size_t i = 0; !is_pair && i < sizeof unary_functions / sizeof *unary_functions; i++)
        if (is_word(name, size, unary_functions[i].name)) {
            add(r, (FormulaStep){F_UNARY, 0, {.unary = unary_functions[i].of}}, 0);
            return;
        }
    for (size_t i = 0; is_pair && i < sizeof binary_functions / sizeof *binary_functions; i++)
        if (is_word(name, size, binary_functions[i].name)) {
            add(r, (FormulaStep){F_BINARY, 0, {.binary = binary_functions[i].of}}, -1);
            return;
        }
    fail(r);
}

/* ---- operands ----------------------------------------------------------------------------- */

/* 4096, 1e-06f, 0.5 */
static void number(Reader *r) {
    const char *at = r->at;
    char *end, *real_end;
    long long whole = strtoll(at, &end, 10);
    double x = strtod(at, &real_end);
    bool is_real = real_end > end, is_single = is_real && *real_end == 'f';
    r->at = is_real ? real_end + is_single : end;
    push(r, !is_real ? integer(whole) : real(is_single ? (double)strtof(at, NULL) : x));
}

static void name(Reader *r) {
    const char *at = r->at;
    size_t size = word_size(at);
    r->at += size;
    if (take(r, "(")) {
        call(r, at, size);
    } else if (is_word(at, size, "INFINITY")) {
        push(r, real(INFINITY));
    } else if (is_word(at, size, "NAN")) {
        push(r, real(NAN));
    } else {
        int i = 0;
        while (i < r->name_count && !is_word(at, size, r->names[i])) i++;
        if (i == r->name_count) fail(r);
        add(r, (FormulaStep){.op = F_DIM, .at = i}, 1);
    }
}

/* "(float)" and the like; T_NONE, and nothing is read, when no cast stands here. */
static Dtype cast(Reader *r) {
    static const struct {
        const char *text;
        Dtype type;
    } casts[] = {{"(float)", T_F32},  {"(double)", T_F64},   {"(int8_t)", T_I8},
                 {"(uint8_t)", T_U8}, {"(int32_t)", T_I32},  {"(int64_t)", T_I64},
                 {"(int)", T_I32},    {"(long long)", T_I64}};
    for (size_t i = 0; i < sizeof casts / sizeof casts[0]; i++)
        if (take(r, casts[i].text)) return casts[i].type;
    return T_NONE;
}

static void unary(Reader *r) {
    Dtype type;
    skip_blanks(r);
    if (++r->depth > DEPTH_MOST) {
        r->at += strlen(r->at);
        fail(r);
        return;
    }
    if (take(r, "-")) {
        unary(r);
        add(r, (FormulaStep){.op = F_NEGATE}, 0);
    } else if (take(r, "!")) {
        unary(r);
        add(r, (FormulaStep){.op = F_NOT}, 0);
    } else if ((type = cast(r))) {
        unary(r);
        add(r, (FormulaStep){.op = F_CAST, .at = (int)type}, 0);
    } else if (take(r, "(")) {
        conditional(r);
        if (!take(r, ")")) fail(r);
    } else if (isdigit((unsigned char)*r->at)) {
        number(r);
    } else if (word_size(r->at)) {
        name(r);
    } else {
        fail(r);
    }
    r->depth--;
}

/* ---- expressions -------------------------------------------------------------------------- */

static int operator_here(Reader *r) {
    skip_blanks(r);
    for (int i = 0; i < OPERATORS; i++)
        if (!strncmp(r->at, operators[i].text, strlen(operators[i].text))) return i;
    return -1;
}

/* The right side of && and || is jumped over where the left one decides. */
static void binary(Reader *r, int level) {
    unary(r);
    for (int i; (i = operator_here(r)) >= 0 && operators[i].level >= level;) {
        const bool is_logic = operators[i].level <= 2;
        const FormulaStep step = {.op = operators[i].op};
        r->at += strlen(operators[i].text);
        const int jump = is_logic ? add(r, step, -1) : 0;
        binary(r, operators[i].level + 1);
        add(r, is_logic ? (FormulaStep){.op = F_TRUTH} : step, is_logic ? 0 : -1);
        if (is_logic) land(r, jump);
    }
}

static void conditional(Reader *r) {
    binary(r, 1);
    if (!take(r, "?")) return;
    const int no = add(r, (FormulaStep){.op = F_UNLESS}, -1);
    conditional(r);
    if (!take(r, ":")) fail(r);
    const int end = add(r, (FormulaStep){.op = F_JUMP}, -1);
    land(r, no);
    conditional(r);
    land(r, end);
}

const FormulaCode *formula_compile(Arena *arena, const char *text, const char *const *names,
                                   int count) {
    Reader r = {.at = text, .names = names, .name_count = count, .arena = arena};
    r.code = arena_new_of(arena, FormulaCode);
    conditional(&r);
    skip_blanks(&r);
    return r.failed || *r.at ? NULL : r.code;
}
