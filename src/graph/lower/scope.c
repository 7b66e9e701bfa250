/* scope.c: the names of one function: dims, inputs, outputs, locals. They share one namespace, and
 * each is defined once; `_` is not a name: it may be defined any number of times and is never read.
 * The consts of the file are visible, too. */
#include "graph/lower/lower_private.h"

#include <math.h>
#include <string.h>

static const char *const kind_text[] = {
    [E_DIM] = "dim", [E_INPUT] = "input", [E_LOCAL] = "name", [E_OUTPUT] = "output"};

Scope *scope_new(Lower *l, Item *item, Span call) {
    Scope *scope = arena_new_of(l->arena, Scope);
    scope->item = item;
    scope->caller = l->scope;
    scope->call = call;
    if (l->scope) {
        scope->depth = l->scope->depth + 1;
        scope->autocast = l->scope->autocast;
    }
    return scope;
}

Entry *scope_find(const Scope *scope, const char *name) {
    int at = names_find(&scope->names, name);
    return at < 0 ? NULL : &scope->entries.at[at];
}

/* ---- names with a fixed meaning ----------------------------------------------------------- */

static const struct {
    const char *name;
    Dtype type; /* T_NONE: a weak float */
    double value;
} words[] = {
    {"inf", T_NONE, INFINITY},
    {"nan", T_NONE, NAN},
    {"true", T_BOOL, 1},
    {"false", T_BOOL, 0},
};
enum { WORD_COUNT = sizeof words / sizeof *words };

static int word_find(const char *name) {
    for (int i = 0; i < WORD_COUNT; i++)
        if (!strcmp(name, words[i].name)) return i;
    return -1;
}

static NodeId word_node(Lower *l, int word, Span span) {
    if (words[word].type == T_BOOL)
        return graph_const_int(l->g, T_BOOL, (int64_t)words[word].value, span);
    return graph_literal(l->g, false, words[word].value, 0, span);
}

/* ---- adding ------------------------------------------------------------------------------- */

static const Item *const_find(Lower *l, const char *name) {
    int at = names_find(&l->item_names, name);
    return at >= 0 && l->items.at[at].kind == ITEM_CONST ? &l->items.at[at] : NULL;
}

static const char *const taken_text[] = {
    [E_DIM] = "a dim", [E_INPUT] = "an input", [E_LOCAL] = "defined", [E_OUTPUT] = "an output"};

bool name_check(Lower *l, const char *name, Span span) {
    if (word_find(name) < 0) return true;
    diag_error(l->diag, span, "'%s' has a fixed meaning and cannot be redefined", name);
    return false;
}

static bool name_is_free(Lower *l, const Scope *scope, const char *name, Span span) {
    const Entry *old = scope_find(scope, name);
    const Item *constant = const_find(l, name);
    if (!old && !constant) return true;
    diag_error(l->diag, span, "'%s' is already %s: names are defined once", name,
               old ? taken_text[old->kind] : "a constant");
    diag_note(l->diag, old ? old->span : constant->ast->name_span, "it is defined here");
    return false;
}

Entry *scope_add(Lower *l, Scope *scope, EntryKind kind, const char *name, Span span) {
    bool nameless = !strcmp(name, "_");
    if (!name_check(l, name, span) || !name_is_free(l, scope, name, span)) return NULL;
    if (nameless && kind != E_LOCAL) {
        diag_error(l->diag, span, "'_' is not a name: it only drops results");
        return NULL;
    }
    if (!nameless) names_add(l->arena, &scope->names, name, scope->entries.count);
    vec_push(l->arena, &scope->entries, ((Entry){.name = name, .span = span, .kind = kind}));
    return &scope->entries.at[scope->entries.count - 1];
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Not for errors that are dropped: many errors with many names would take long. */
static const char *suggest_name(Lower *l, const char *name) {
    Suggestion s = suggestion_for(name);
    if (l->diag->errors >= l->diag->error_limit) return "";
    for (int i = 0; i < WORD_COUNT; i++) suggestion_add(&s, words[i].name);
    for (int i = 0; i < l->items.count; i++)
        if (l->items.at[i].kind == ITEM_CONST) suggestion_add(&s, l->items.at[i].ast->text);
    suggestion_add_names(&s, &l->scope->names);
    return suggestion_text(&s, l->arena);
}

/* What to write, or another name. */
static const char *name_advice(Lower *l, const char *name) {
    const char *advice = foreign_name(name), *suggestion = suggest_name(l, name);
    if (advice) return arena_printf(l->arena, ": %s", advice);
    if (suggestion[0] || !l->in_type) return suggestion;
    return arena_printf(
        l->arena, ": dims are declared behind the function's name, as in 'fn f[%s](..)'", name);
}

/* A name without a value is reported once in a function: a dim that was forgotten is in many types.
 */
static bool was_reported(Lower *l, const char *name) {
    if (!l->scope) return false;
    if (names_find(&l->scope->unknown, name) >= 0) return true;
    names_add(l->arena, &l->scope->unknown, name, 0);
    return false;
}

static NodeId report_unknown(Lower *l, const Ast *e) {
    if (was_reported(l, e->text)) return 0;
    int item = names_find(&l->item_names, e->text);
    if (item >= 0 || op_find(e->text, NULL) || imports_find(l->imports, e->text) >= 0)
        diag_error(l->diag, e->span, "'%s' is a function: call it, as in '%s(..)'", e->text,
                   e->text);
    else
        diag_error(l->diag, e->span, "nothing is called '%s'%s", e->text, name_advice(l, e->text));
    return 0;
}

static NodeId report_const_order(Lower *l, const Item *constant, const Ast *e) {
    diag_error(l->diag, e->span, "a const can use only those above it, and '%s' is below", e->text);
    diag_note(l->diag, constant->ast->name_span, "it is defined here");
    return 0;
}

static NodeId entry_node(Lower *l, Entry *entry, const Ast *e) {
    entry->used = true;
    if (entry->kind == E_DIM) return node_of_dim(l->g, entry->dim, e->span);
    if (entry->kind == E_OUTPUT && !entry->known) {
        if (was_reported(l, entry->name)) return 0;
        diag_error(l->diag, e->span, "the output '%s' is read before it is assigned", entry->name);
        return 0;
    }
    return entry->node;
}

NodeId lower_name(Lower *l, const Ast *e) {
    Entry *entry = l->scope ? scope_find(l->scope, e->text) : NULL;
    if (entry) return entry_node(l, entry, e);
    int word = word_find(e->text);
    if (word >= 0) return word_node(l, word, e->span);
    const Item *constant = const_find(l, e->text);
    if (constant && constant->state != DONE) return report_const_order(l, constant, e);
    if (constant && constant->failed) return 0;
    if (constant)
        return graph_literal(l->g, constant->is_int, constant->number, constant->integer, e->span);
    return report_unknown(l, e);
}

/* ---- unused ------------------------------------------------------------------------------- */

/* A file can have any number of them: prints as many as errors. */
void scope_warn_unused(Lower *l, const Scope *scope) {
    for (int i = 0; i < scope->entries.count && l->diag->warnings < l->diag->error_limit; i++) {
        const Entry *e = &scope->entries.at[i];
        if (!e->used && e->kind != E_OUTPUT && e->name[0] != '_')
            diag_warning(l->diag, e->span, "the %s '%s' is never used", kind_text[e->kind],
                         e->name);
    }
}
