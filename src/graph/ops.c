/* ops.c: the op table of ops.def as data, and the table of reductions. */
#include "graph/graph.h"

#include <math.h>
#include <string.h>

enum { CHEAP, COSTLY };

/* The columns of ops.def. */
#define ONE(text)                                                                                  \
    { text, NULL }
#define TWO(real, whole)                                                                           \
    { real, whole }
#define NONE                                                                                       \
    { NULL, NULL }
#define SAME NONE
#define NO_TEXT                                                                                    \
    { NONE, NONE, NONE, NONE }
#define TEXTS(c, cuda, host, reference)                                                            \
    { c, cuda, host, reference }
#define FUNCTION(f, arguments)                                                                     \
    TEXTS(ONE(f "_$t(" arguments ")"), ONE(f "(" arguments ")"), ONE(f "(" arguments ")"), SAME)

const OpInfo op_info[OP_COUNT] = {
    [OP_NULL] = {"null", "", LEAF, R_GIVEN, false, false, NO_TEXT, ""},
#define OP(id, name, signature, class, rule, commutes, cost, texts, meaning)                       \
    [OP_##id] = {name, signature, class, rule, commutes, cost, texts, meaning},
#include "graph/ops.def"
#undef OP
};

/* Parameters without a default are sources, except sizes and axes of leaves and views. */
int op_sources(Op op) {
    const OpInfo *info = &op_info[op];
    if (info->class == LEAF || info->class == SUGAR) return 0;
    if (info->class == VIEW) return op == OP_PAD ? 2 : 1;
    int count = 1;
    const char *end = strchr(info->signature, '=');
    for (const char *c = info->signature; *c && c != end; c++) count += *c == ',';
    return end ? count - 1 : count;
}

bool op_is_call(Op op) { return op == OP_CALL || op == OP_CALL_COSTLY; }

/* ---- texts -------------------------------------------------------------------------------- */

/* The reference uses the host's text if it has none of its own. */
static const OpText *text_in(Op op, Language language) {
    const OpText *text = op_info[op].text;
    return language == IN_REFERENCE && !text[IN_REFERENCE].real ? &text[IN_HOST] : &text[language];
}

bool op_has_text(Op op, Language language) {
    return op > OP_NULL && op < OP_COUNT && text_in(op, language)->real;
}

const char *op_text(Op op, Language language, bool is_real) {
    if (!op_has_text(op, language)) BUG("op %d has no text in language %d", (int)op, (int)language);
    const OpText *text = text_in(op, language);
    return is_real || !text->whole ? text->real : text->whole;
}

const char *pattern_text(Arena *arena, const char *pattern, const char *const *operands,
                         const char *type) {
    Text out = text_new(arena);
    for (const char *p = pattern; *p; p++) {
        if (*p != '$')
            text_char(&out, *p);
        else if (*++p == 't')
            text_str(&out, type);
        else
            text_str(&out, operands[*p - 'a']);
    }
    return text_get(&out);
}

/* ---- reductions --------------------------------------------------------------------------- */

static const Reduction reductions[] = {{OP_SUM, OP_CUMSUM, OP_ADD, 0, "Sum"},
                                       {OP_PROD, OP_CUMPROD, OP_MUL, 1, "Prod"},
                                       {OP_RMAX, OP_CUMMAX, OP_MAX, -INFINITY, "Max"},
                                       {OP_RMIN, OP_CUMMIN, OP_MIN, INFINITY, "Min"},
                                       {OP_ANY, OP_NULL, OP_OR, 0, "Any"},
                                       {OP_ALL, OP_NULL, OP_AND, 1, "All"},
                                       {OP_ARGMAX, OP_NULL, OP_MAX, -INFINITY, "ArgMax"}};

const Reduction *reduction_of(Op op) {
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (reductions[i].op == op || reductions[i].scan == op) return &reductions[i];
    BUG("op %d is no reduction", (int)op);
}

/* Of a type that is computed in. */
Scalar reduction_identity(const Reduction *r, Dtype type) {
    if (dtype_is_float(type)) return (Scalar){.f = r->identity};
    const bool is_wide = dtype_size(type) == 8;
    if (r->identity == -INFINITY) return (Scalar){.i = is_wide ? INT64_MIN : INT32_MIN};
    if (r->identity == INFINITY) return (Scalar){.i = is_wide ? INT64_MAX : INT32_MAX};
    return (Scalar){.i = (int64_t)r->identity};
}
