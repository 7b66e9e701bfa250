/* expression.c: expressions to nodes: names, numbers, casts, and the dispatch of calls. All
 * recursion over expressions passes through here, and is bounded here. */
#include "graph/lower/lower_private.h"

#include <string.h>

static NodeId report_misplaced(Lower *l, const Ast *e) {
    if (e->kind == A_LIST)
        diag_error(l->diag, e->span,
                   "a list is allowed only after 'axis =': a tensor of numbers is an input");
    else if (e->kind == A_STRING)
        diag_error(l->diag, e->span, "a string is allowed only as the first argument of 'einsum'");
    else
        BUG("an expression of kind %d", (int)e->kind);
    return 0;
}

/* ---- calls -------------------------------------------------------------------------------- */

static Suggestion suggest_own(Lower *l, const char *name) {
    Suggestion s = suggestion_for(name);
    for (int i = 0; i < l->items.count; i++)
        if (l->items.at[i].kind != ITEM_CONST && !l->items.at[i].hidden)
            suggestion_add(&s, l->items.at[i].ast->text);
    for (int i = 0; l->imports && i < l->imports->functions.count; i++)
        suggestion_add(&s, l->imports->functions.at[i].name);
    return s;
}

static const char *suggest_function(Lower *l, const char *name) {
    if (l->diag->errors >= l->diag->error_limit) return "";
    Suggestion s = suggest_own(l, name);
    suggestion_add_ops(&s);
    return suggestion_text(&s, l->arena);
}

/* Is it one letter away from a function of the file or its imports, which is meant then? */
static bool is_misspelt(Lower *l, const char *name) {
    if (l->diag->errors >= l->diag->error_limit) return false;
    const Suggestion s = suggest_own(l, name);
    return s.best && s.distance <= 1;
}

static bool report_unknown_function(Lower *l, const Ast *call) {
    const char *advice = foreign_function(call->text);
    const Declaration *declaration = imports_other(l->imports, call->text);
    if (declaration) return report_not_operator(l, declaration, call);
    if (dtype_parse(call->text) != T_NONE)
        diag_error(l->diag, call->name_span, "'as' converts types: write '.. as %s'", call->text);
    else if (scope_find(l->scope, call->text))
        diag_error(l->diag, call->name_span, "'%s' is a value and cannot be called", call->text);
    else if (advice && !is_misspelt(l, call->text))
        diag_error(l->diag, call->name_span, "no function is called '%s': %s", call->text, advice);
    else
        diag_error(l->diag, call->name_span, "no function is called '%s'%s", call->text,
                   suggest_function(l, call->text));
    return false;
}

/* Infix operators are meant as they are. */
static void warn_builtin(Lower *l, int imported, const Ast *call) {
    if (call->name_span.hi - call->name_span.lo != strlen(call->text)) return;
    diag_warning(l->diag, call->name_span,
                 "this is the language's '%s', not that of the header: give that one another name",
                 call->text);
    diag_note(l->diag, l->imports->functions.at[imported].span, "it is defined here");
}

static bool lower_call(Lower *l, const Ast *call, NodeIds *values) {
    Op op = op_find(call->text, call);
    const int imported = imports_find(l->imports, call->text);
    if (op != OP_NULL) {
        if (imported >= 0) warn_builtin(l, imported, call);
        return lower_builtin(l, op, call, values);
    }
    if (imported >= 0) {
        const NodeId id = lower_imported(l, imported, call);
        if (id) vec_push(l->arena, values, id);
        return id != 0;
    }
    Item *item = item_find(l, call->text);
    if (!item || item->kind == ITEM_CONST) return report_unknown_function(l, call);
    if (item->kind == ITEM_FN) return lower_inline(l, item, call, values);
    return false; /* an item that this version lacks: already reported */
}

static NodeId one_value(Lower *l, const Ast *call) {
    NodeIds values = {0};
    if (!lower_call(l, call, &values)) return 0;
    if (values.count == 1) return values.at[0];
    diag_error(l->diag, call->span,
               "this gives %d values, and one is needed: name them first, as in 'a, b = ..;'",
               values.count);
    return 0;
}

/* ---- expressions -------------------------------------------------------------------------- */

bool spend(Lower *l, int steps, Span span) {
    bool was_left = l->spent <= l->limits->nodes;
    l->spent += steps;
    if (l->spent <= l->limits->nodes) return true;
    if (was_left)
        diag_error(l->diag, span,
                   "inlining the calls takes more than %lld steps ('--limit nodes=N' changes this)",
                   (long long)l->limits->nodes);
    return false;
}

static bool enter(Lower *l, const Ast *e) {
    if (l->scope->caller && !spend(l, 1, e->span)) return false;
    if (l->depth < l->limits->depth) return true;
    diag_error(l->diag, e->span,
               "expressions nest more than %lld deep, through calls ('--limit depth=N' changes "
               "this)",
               (long long)l->limits->depth);
    return false;
}

static NodeId lower_kind(Lower *l, const Ast *e) {
    switch (e->kind) {
    case A_NAME: return lower_name(l, e);
    case A_NUMBER: return graph_literal(l->g, e->is_int, e->number, e->integer, e->span);
    case A_CALL: return one_value(l, e);
    case A_INDEX: return lower_index(l, e);
    case A_CAST: return lower_cast(l, e);
    default: return report_misplaced(l, e);
    }
}

NodeId lower_expr(Lower *l, const Ast *e) {
    if (!enter(l, e)) return 0;
    l->depth++;
    NodeId id = lower_kind(l, e);
    l->depth--;
    return id;
}

bool lower_values(Lower *l, const Ast *e, NodeIds *values) {
    if (e->kind == A_CALL) {
        if (!enter(l, e)) return false;
        l->depth++;
        bool ok = lower_call(l, e, values);
        l->depth--;
        return ok;
    }
    NodeId id = lower_expr(l, e);
    if (id) vec_push(l->arena, values, id);
    return id != 0;
}
