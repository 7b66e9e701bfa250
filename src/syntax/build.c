/* build.c: the constructors that the grammar calls, one for each kind of node.
 * In: spans and finished kids. Out: nodes in the arena, with their texts, numbers and depths. The
 * limits on depth, statements and arguments are checked here: no tree exceeds them. */
#include "syntax/build.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists ------------------------------------------------------------------------------ */

AstList *list_new(Build *b) { return arena_new_of(b->arena, AstList); }

AstList *list_add(Build *b, AstList *list, Ast *item) {
    if (item) vec_push(b->arena, list, item);
    return list;
}

/* ---- nodes ------------------------------------------------------------------------------ */

/* A node that owns `count` kids; `name` is the place of its text. */
static Ast *node_new(Build *b, AstKind kind, Span at, Span name, int count, Ast **kid) {
    Ast *node = arena_new_of(b->arena, Ast);
    *node = (Ast){.kind = kind, .span = at, .name_span = name, .kid_count = count, .kid = kid};
    for (int i = 0; i < count; i++)
        if (kid[i] && kid[i]->depth > node->depth) node->depth = kid[i]->depth;
    node->depth++;
    return node;
}

/* A left-associative chain of a million terms is a tree of depth a million. The parser could build
 * it, but a recursive walk would overflow the stack: it ends here. */
static Ast *check_depth(Build *b, Ast *node) {
    int64_t most = b->limits->depth < PARSER_STACK ? b->limits->depth : PARSER_STACK;
    if (node->kind > A_LIST || node->depth <= most) return node;
    blame_limit(b, node->name_span, "an expression nests deeper", "depth", most);
    if (most == PARSER_STACK)
        diag_note(b->diag, NOWHERE, "'depth' cannot be more than %d", PARSER_STACK);
    build_stop(b);
}

static Ast *node_over_list(Build *b, AstKind kind, Span at, Span name, const AstList *list) {
    return check_depth(b, node_new(b, kind, at, name, list->count, list->at));
}

static Ast *node_over(Build *b, AstKind kind, Span at, Span name, Ast *kid) {
    Ast **kids = arena_new_of(b->arena, Ast *);
    kids[0] = kid;
    return check_depth(b, node_new(b, kind, at, name, 1, kids));
}

static Ast *node_over_two(Build *b, AstKind kind, Span at, Span name, Ast *first, Ast *second) {
    Ast **kids = arena_array(b->arena, Ast *, 2);
    kids[0] = first;
    kids[1] = second;
    return check_depth(b, node_new(b, kind, at, name, 2, kids));
}

/* The node, with the text under its name_span. */
static Ast *named(Build *b, Ast *node) {
    node->text = build_text(b, node->name_span);
    return node;
}

static Ast *titled(Ast *node, const char *text) {
    node->text = text;
    return node;
}

/* ---- names and numbers ------------------------------------------------------------------ */

Ast *build_name(Build *b, Span at) { return named(b, node_new(b, A_NAME, at, at, 0, NULL)); }

/* strtod in the C locale, whatever locale the process has set. */
static double parse_double(const char *text) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    double value = strtod(text, NULL);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    return value;
}

static bool is_hex(const char *text) { return text[0] == '0' && (text[1] | 0x20) == 'x'; }

Ast *build_number(Build *b, Span at) {
    Ast *node = named(b, node_new(b, A_NUMBER, at, at, 0, NULL));
    const char *text = node->text;
    node->number = parse_double(text);
    if (is_hex(text) || !strpbrk(text, ".eE")) {
        errno = 0;
        node->integer = strtoll(text, NULL, is_hex(text) ? 16 : 10);
        node->is_int = errno == 0;
        if (!node->is_int) node->integer = 0;
    }
    if (isinf(node->number))
        diag_error(b->diag, at, "%s does not fit in f64: infinity is 'inf'", build_quote(b, at));
    return node;
}

/* The text between the quotes: there are no escapes. */
Ast *build_string(Build *b, Span at) {
    Span inside = {at.lo + 1, at.hi - 1, at.file};
    return named(b, node_new(b, A_STRING, at, inside, 0, NULL));
}

/* ---- expressions ------------------------------------------------------------------------ */

Ast *build_unary(Build *b, Span at, Span op_at, const char *op, Ast *x) {
    return titled(node_over(b, A_CALL, at, op_at, x), op);
}

Ast *build_binary(Build *b, Span at, Span op_at, const char *op, Ast *left, Ast *right) {
    return titled(node_over_two(b, A_CALL, at, op_at, left, right), op);
}

/* torch.exp: the name of a module of Python. */
static bool is_module(const Ast *base) {
    static const char *const modules[] = {"torch", "np", "numpy", "jnp", "jax",  "tf",        "tl",
                                          "F",     "nn", "lax",   "xp",  "math", "functional"};
    for (size_t i = 0; base->kind == A_NAME && i < sizeof modules / sizeof *modules; i++)
        if (!strcmp(base->text, modules[i])) return true;
    return false;
}

Ast *build_property(Build *b, Span at, Ast *base, Span name) {
    const char *text = build_text(b, name);
    if (!strcmp(text, "T")) return titled(node_over(b, A_CALL, at, name, base), "transpose");
    const char *quote = build_quote(b, name), *advice = foreign_function(text);
    if (advice) {
        diag_error(b->diag, name, "'%s' cannot follow '.', only 'T' can: %s", quote, advice);
        return NULL;
    }
    if (is_module(base) && foreign_name(text)) {
        diag_error(b->diag, base->span, "there are no modules: %s", foreign_name(text));
        return NULL;
    }
    if (is_module(base)) {
        diag_error(b->diag, base->span, "there are no modules: write '%s' without '%s.'", quote,
                   build_quote(b, base->span));
        return NULL;
    }
    diag_error(b->diag, name,
               "'%s' cannot follow '.', only 'T' can: functions are called '%s(x, ..)'", quote,
               quote);
    return NULL;
}

Ast *build_cast(Build *b, Span at, Ast *value, Span type) {
    return named(b, node_over(b, A_CAST, at, type, value));
}

static void check_count(Build *b, const char *what, const AstList *list) {
    int64_t most = b->limits->arguments;
    if (list->count > most)
        blame_limit(b, list->at[most > 0 ? most : 0]->span, what, "arguments", most);
}

/* Positional arguments come first. */
static void check_order(Build *b, const AstList *arguments) {
    for (int i = 1; i < arguments->count; i++)
        if (arguments->at[i - 1]->kind == A_NAMED && arguments->at[i]->kind != A_NAMED) {
            diag_error(b->diag, arguments->at[i]->span,
                       "an argument without a name follows one with a name");
            diag_note(b->diag, arguments->at[i - 1]->span, "this is the one with a name");
            return;
        }
}

Ast *build_call(Build *b, Span at, Span callee, AstList *arguments) {
    check_count(b, "a call has more arguments", arguments);
    check_order(b, arguments);
    return named(b, node_over_list(b, A_CALL, at, callee, arguments));
}

Ast *build_named(Build *b, Span at, Span name, Ast *value) {
    return named(b, node_over(b, A_NAMED, at, name, value));
}

Ast *build_index(Build *b, Span at, Ast *base, AstList *items) {
    Ast **kids = arena_array(b->arena, Ast *, items->count + 1);
    kids[0] = base;
    memcpy(kids + 1, items->at, sizeof *kids * (size_t)items->count);
    return check_depth(b, node_new(b, A_INDEX, at, at, items->count + 1, kids));
}

Ast *build_slice(Build *b, Span at, Ast *start, Ast *stop) {
    return node_over_two(b, A_SLICE, at, at, start, stop);
}

Ast *build_word(Build *b, Span at, AstKind kind) { return node_new(b, kind, at, at, 0, NULL); }

Ast *build_list(Build *b, Span at, AstList *elements) {
    return node_over_list(b, A_LIST, at, at, elements);
}

/* ---- statements ------------------------------------------------------------------------- */

/* Statements and items have one limit together: either can fill a file. */
static void count_statement(Build *b, Span at) {
    if (++b->statements <= b->limits->statements) return;
    blame_limit(b, at, "there are more statements", "statements", b->limits->statements);
    build_stop(b);
}

Ast *build_let(Build *b, Span at, AstList *names, Ast *value) {
    count_statement(b, at);
    return node_over_list(b, A_LET, at, at, list_add(b, names, value));
}

Ast *build_assert(Build *b, Span at, Ast *condition) {
    count_statement(b, at);
    return node_over(b, A_ASSERT, at, at, condition);
}

/* ---- items ------------------------------------------------------------------------------ */

Ast *build_type(Build *b, Span at, Span name, AstList *dims) {
    if (!dims) dims = list_new(b);
    return named(b, node_over_list(b, A_TYPE, at, name, dims));
}

Ast *build_param(Build *b, Span at, Span name, Ast *type) {
    return named(b, node_over(b, A_PARAM, at, name, type));
}

Ast *build_attr(Build *b, Span at, Span name, AstList *arguments) {
    check_count(b, "an attribute has more arguments", arguments);
    check_order(b, arguments);
    return named(b, node_over_list(b, A_ATTR, at, name, arguments));
}

/* One of the lists at the head of an A_FN. Its span is that of its items, or of the name. */
static Ast *section(Build *b, Span name, const AstList *list) {
    Span at = name;
    if (list->count) at = span_join(list->at[0]->span, list->at[list->count - 1]->span);
    return node_new(b, A_LIST, at, at, list->count, list->at);
}

Ast *build_fn(Build *b, Span at, Span name, AstList *dims, AstList *inputs, AstList *outputs,
              AstList *body) {
    count_statement(b, name);
    check_count(b, "a function has more inputs", inputs);
    check_count(b, "a function has more outputs", outputs);
    Ast **kids = arena_array(b->arena, Ast *, FN_BODY + body->count);
    kids[FN_DIMS] = section(b, name, dims);
    kids[FN_INPUTS] = section(b, name, inputs);
    kids[FN_OUTPUTS] = section(b, name, outputs);
    kids[FN_ATTRS] = section(b, name, list_new(b));
    for (int i = 0; i < body->count; i++) kids[FN_BODY + i] = body->at[i];
    return named(b, node_new(b, A_FN, at, name, FN_BODY + body->count, kids));
}

Ast *build_derived(Build *b, Span at, Span name, Span second, Ast *call) {
    count_statement(b, name);
    if (second.file == NO_FILE) return named(b, node_over(b, A_DERIVED, at, name, call));
    return named(b, node_over_two(b, A_DERIVED, at, name, call, build_name(b, second)));
}

/* An A_FN has a place for its attributes; those of an A_DERIVED follow its call and names. */
Ast *build_attributed(Build *b, Span at, AstList *attrs, Ast *fn) {
    if (!fn) return NULL;
    fn->span = at;
    if (fn->kind == A_FN) {
        fn->kid[FN_ATTRS] = section(b, fn->name_span, attrs);
        return fn;
    }
    const int own = fn->kid_count;
    Ast **kids = arena_array(b->arena, Ast *, own + attrs->count);
    for (int i = 0; i < own; i++) kids[i] = fn->kid[i];
    for (int i = 0; i < attrs->count; i++) kids[own + i] = attrs->at[i];
    return named(b, node_new(b, A_DERIVED, at, fn->name_span, own + attrs->count, kids));
}

Ast *build_const(Build *b, Span at, Span name, Ast *value) {
    count_statement(b, at);
    return named(b, node_over(b, A_CONST, at, name, value));
}

Ast *build_import(Build *b, Span at, Span path) {
    count_statement(b, at);
    Span inside = {path.lo + 1, path.hi - 1, path.file};
    return named(b, node_new(b, A_IMPORT, at, inside, 0, NULL));
}

Ast *build_file(Build *b, Span at, AstList *items) {
    return node_over_list(b, A_FILE, at, at, items);
}
