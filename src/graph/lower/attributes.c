/* attributes.c: the attributes before a function, and the names of types. */
#include "graph/lower/lower_private.h"

#include <string.h>

/* Type names of other languages. */
static const struct {
    const char *name;
    Dtype type;
} foreign_types[] = {
    {"float", T_F32},
    {"float32", T_F32},
    {"fp32", T_F32},
    {"double", T_F64},
    {"float64", T_F64},
    {"fp64", T_F64},
    {"half", T_F16},
    {"float16", T_F16},
    {"fp16", T_F16},
    {"bfloat16", T_BF16},
    {"int", T_I32},
    {"int32", T_I32},
    {"long", T_I64},
    {"int64", T_I64},
    {"int8", T_I8},
    {"uint8", T_U8},
    {"byte", T_U8},
    {"fp8", T_F8E4M3},
    {"f8", T_F8E4M3},
    {"boolean", T_BOOL},
    {"int8_t", T_I8},
    {"uint8_t", T_U8},
    {"int32_t", T_I32},
    {"int64_t", T_I64},
    {"float8_e4m3fn", T_F8E4M3},
    {"float8_e4m3", T_F8E4M3},
    {"float8_e5m2", T_F8E5M2},
};
enum { FOREIGN = sizeof foreign_types / sizeof *foreign_types };

static const char *dtype_list(Arena *arena) {
    Text text = text_new(arena);
    text_str(&text, ": there are");
    for (int i = T_NONE + 1; i < T_COUNT; i++) text_printf(&text, " %s", dtype_name((Dtype)i));
    return text_get(&text);
}

Dtype lower_dtype(Lower *l, const char *name, Span span) {
    Dtype type = dtype_parse(name);
    if (type != T_NONE) return type;
    Suggestion s = suggestion_for(name);
    for (int i = T_NONE + 1; i < T_COUNT; i++) suggestion_add(&s, dtype_name((Dtype)i));
    for (int i = 0; i < FOREIGN; i++)
        if (!strcmp(name, foreign_types[i].name)) s.best = dtype_name(foreign_types[i].type);
    diag_error(l->diag, span, "no type is called '%s'%s", name,
               s.best ? suggestion_text(&s, l->arena) : dtype_list(l->arena));
    return T_NONE;
}

/* ---- one function per attribute ----------------------------------------------------------- */

static const char *word_argument(Lower *l, const Ast *attr, const char *what) {
    if (attr->kid[0]->kind == A_NAME) return attr->kid[0]->text;
    diag_error(l->diag, attr->kid[0]->span, "'@%s' takes the name of %s", attr->text, what);
    return NULL;
}

static bool attr_strict(Lower *l, const Ast *attr, FnAttrs *attrs) {
    (void)l, (void)attr;
    attrs->strict = true;
    return true;
}

static bool attr_nondeterministic(Lower *l, const Ast *attr, FnAttrs *attrs) {
    (void)l, (void)attr;
    attrs->nondeterministic = true;
    return true;
}

static bool set_kernels(Lower *l, const Ast *attr, FnAttrs *attrs, int64_t count) {
    if (attrs->max_kernels) {
        diag_error(l->diag, attr->span, "the number of kernels is already bounded");
        diag_note(l->diag, attrs->max_kernels_span, "it is bounded here");
        return false;
    }
    attrs->max_kernels = (int)count;
    attrs->max_kernels_span = attr->span;
    return true;
}

static bool attr_one_kernel(Lower *l, const Ast *attr, FnAttrs *attrs) {
    return set_kernels(l, attr, attrs, 1);
}

static bool attr_max_kernels(Lower *l, const Ast *attr, FnAttrs *attrs) {
    const Ast *count = attr->kid[0];
    bool good = count->kind == A_NUMBER && count->is_int && count->integer >= 1 &&
                count->integer <= l->limits->kernels;
    if (good) return set_kernels(l, attr, attrs, count->integer);
    diag_error(l->diag, count->span, "'@max_kernels' takes an integer from 1 to %lld",
               (long long)l->limits->kernels);
    return false;
}

static bool attr_autocast(Lower *l, const Ast *attr, FnAttrs *attrs) {
    const char *name = word_argument(l, attr, "a float type, such as bf16");
    if (!name) return false;
    Dtype type = lower_dtype(l, name, attr->kid[0]->span);
    if (type != T_NONE && !dtype_is_float(type))
        diag_error(l->diag, attr->kid[0]->span, "'@autocast' takes a float type, and %s is not one",
                   name);
    attrs->autocast = type;
    return dtype_is_float(type);
}

static bool attr_precision(Lower *l, const Ast *attr, FnAttrs *attrs) {
    const char *name =
        word_argument(l, attr, "a precision: ieee, tf32, tf32x3, bf16x3, bf16x6 or f8");
    if (!name) return false;
    for (int i = 0; i < PRECISION_COUNT; i++)
        if (!strcmp(name, precision_name((Precision)i)))
            return attrs->precision = (Precision)i, true;
    diag_error(l->diag, attr->kid[0]->span,
               "no precision is called '%s': there are ieee, tf32, tf32x3, bf16x3, bf16x6 and f8",
               name);
    return false;
}

/* Index of the input with that name, -1 after a diag_error. */
static int input_find(Lower *l, const Ast *fn, const Ast *name) {
    const Ast *inputs = fn->kid[FN_INPUTS];
    Suggestion s = suggestion_for(name->text);
    for (int i = 0; i < inputs->kid_count; i++) {
        if (!strcmp(name->text, inputs->kid[i]->text)) return i;
        suggestion_add(&s, inputs->kid[i]->text);
    }
    diag_error(l->diag, name->span, "%s has no input called '%s'%s", fn->text, name->text,
               suggestion_text(&s, l->arena));
    return -1;
}

/* One name of the list; `given` has the earlier places of each input. */
static bool set_input(Lower *l, const Ast *attr, const Ast *name, const Ast **given, bool *set) {
    if (name->kind != A_NAME) {
        diag_error(l->diag, name->span, "'@%s' takes names of inputs", attr->text);
        return false;
    }
    int input = input_find(l, l->scope->item->ast, name);
    if (input < 0) return false;
    if (given[input]) {
        diag_error(l->diag, name->span, "the input '%s' is named twice", name->text);
        diag_note(l->diag, given[input]->span, "it is named here");
        return false;
    }
    given[input] = name;
    set[input] = true;
    return true;
}

/* By input: is it in the list? */
static bool *set_inputs(Lower *l, const Ast *attr, bool *ok) {
    int inputs = l->scope->item->ast->kid[FN_INPUTS]->kid_count;
    const Ast **given = arena_array(l->arena, const Ast *, inputs + 1);
    bool *set = arena_array(l->arena, bool, inputs + 1);
    *ok = true;
    for (int i = 0; i < attr->kid_count; i++)
        if (!set_input(l, attr, attr->kid[i], given, set)) *ok = false;
    return set;
}

static bool attr_constant(Lower *l, const Ast *attr, FnAttrs *attrs) {
    bool ok;
    attrs->constant = set_inputs(l, attr, &ok);
    return ok;
}

/* Before a function of train, without names: the backward one consumes what is kept (derive.c). */
static bool attr_consume(Lower *l, const Ast *attr, FnAttrs *attrs) {
    const bool train = is_train(l->scope->item);
    bool ok;
    attrs->consumed = set_inputs(l, attr, &ok);
    if (train && attr->kid_count)
        diag_error(l->diag, attr->span,
                   "'@consume' before functions of 'train' takes no names: the backward function "
                   "consumes what is kept");
    if (!train && !attr->kid_count)
        diag_error(l->diag, attr->span, "'@consume' takes the names of inputs");
    return ok && train == !attr->kid_count;
}

static bool attr_memory_budget(Lower *l, const Ast *attr, FnAttrs *attrs) {
    const Ast *part = attr->kid[0];
    const bool train = is_train(l->scope->item);
    if (train && part->kind == A_NUMBER && part->number > 0 && part->number <= 1)
        return attrs->memory_budget = part->number, true;
    if (train)
        diag_error(l->diag, part->span, "'@memory_budget' takes a number above 0, at most 1");
    else
        diag_error(l->diag, attr->span, "'@memory_budget' is for functions that 'train' makes");
    return false;
}

/* Its argument is resolved in derived.c. */
static bool attr_vjp(Lower *l, const Ast *attr, FnAttrs *attrs) {
    (void)attrs;
    return word_argument(l, attr, "the function that is its backward") != NULL;
}

/* ---- all ---------------------------------------------------------------------------------- */

enum { SOME = -1, ANY = -2 }; /* number of arguments: at least one; any number */

static const struct {
    const char *name;
    int arguments;
    bool (*set)(Lower *l, const Ast *attr, FnAttrs *attrs);
} attributes[] = {
    {"one_kernel", 0, attr_one_kernel},
    {"max_kernels", 1, attr_max_kernels},
    {"autocast", 1, attr_autocast},
    {"precision", 1, attr_precision},
    {"strict", 0, attr_strict},
    {"nondeterministic", 0, attr_nondeterministic},
    {"constant", SOME, attr_constant},
    {"consume", ANY, attr_consume},
    {"vjp", 1, attr_vjp},
    {"memory_budget", 1, attr_memory_budget},
};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

static int attr_find(Lower *l, const Ast *attr) {
    Suggestion s = suggestion_for(attr->text);
    for (int i = 0; i < ATTRIBUTES; i++) {
        if (!strcmp(attr->text, attributes[i].name)) return i;
        suggestion_add(&s, attributes[i].name);
    }
    diag_error(l->diag, attr->name_span, "no attribute is called '%s'%s", attr->text,
               suggestion_text(&s, l->arena));
    return -1;
}

static bool lower_attr(Lower *l, const Ast *attr, const Ast **seen, FnAttrs *attrs) {
    int which = attr_find(l, attr);
    if (which < 0) return false;
    if (seen[which]) {
        diag_error(l->diag, attr->span, "'@%s' is given twice", attr->text);
        diag_note(l->diag, seen[which]->span, "it is given here");
        return false;
    }
    seen[which] = attr;
    int wanted = attributes[which].arguments;
    bool enough = wanted == SOME ? attr->kid_count > 0 : attr->kid_count == wanted;
    if (enough || wanted == ANY) return attributes[which].set(l, attr, attrs);
    const char *what = wanted == SOME ? "at least one argument"
                       : wanted       ? "one argument"
                                      : "no arguments";
    diag_error(l->diag, attr->span, "'@%s' takes %s, not %d", attr->text, what, attr->kid_count);
    return false;
}

/* Constants are bound for many calls. */
static bool constants_stay(Lower *l, const Ast *fn, const FnAttrs *attrs) {
    const Ast *inputs = fn->kid[FN_INPUTS];
    for (int i = 0; attrs->constant && attrs->consumed && i < inputs->kid_count; i++) {
        if (!attrs->constant[i] || !attrs->consumed[i]) continue;
        diag_error(l->diag, inputs->kid[i]->span, "'%s' is constant, and cannot be consumed",
                   inputs->kid[i]->text);
        return false;
    }
    return true;
}

bool lower_attrs(Lower *l, const Ast *fn, FnAttrs *attrs) {
    const Ast *list = fn->kid[FN_ATTRS], *seen[ATTRIBUTES] = {0};
    bool ok = true;
    *attrs = (FnAttrs){.max_kernels_span = NOWHERE};
    for (int i = 0; i < list->kid_count; i++)
        if (!lower_attr(l, list->kid[i], seen, attrs)) ok = false;
    return ok && constants_stay(l, fn, attrs);
}
