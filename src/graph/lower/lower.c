/* lower.c: a file to a Model: its items, its consts, the order of its functions, and which of them
 * are requested. Every function is checked by lowering it; called functions are checked first,
 * once, with all dims open: errors of a callee are not repeated for its callers. */
#include "graph/eval/eval.h"
#include "graph/lower/lower_private.h"

#include <string.h>

/* ---- items -------------------------------------------------------------------------------- */

static bool item_name_is_free(Lower *l, const Ast *ast) {
    int old = names_find(&l->item_names, ast->text);
    if (!name_check(l, ast->text, ast->name_span)) return false;
    if (old >= 0) {
        diag_error(l->diag, ast->name_span, "'%s' is already defined", ast->text);
        diag_note(l->diag, l->items.at[old].ast->name_span, "it is defined here");
        return false;
    }
    const int imported = imports_find(l->imports, ast->text);
    if (imported >= 0) {
        diag_error(l->diag, ast->name_span, "'%s' is already defined, by an imported header",
                   ast->text);
        diag_note(l->diag, l->imports->functions.at[imported].span, "it is defined here");
        return false;
    }
    if (ast->kind == A_CONST || op_find(ast->text, NULL) == OP_NULL) return true;
    diag_error(l->diag, ast->name_span, "'%s' is a function of the language: choose another name",
               ast->text);
    return false;
}

static void add_item(Lower *l, const Ast *ast, bool is_second) {
    Item item = {.ast = ast, .base = -1, .backward = -1, .is_second = is_second};
    if (ast->kind == A_IMPORT) return;
    item.kind = ast->kind == A_FN ? ITEM_FN : ast->kind == A_CONST ? ITEM_CONST : ITEM_OTHER;
    if (!item_name_is_free(l, ast)) return;
    item.failed = item.kind == ITEM_CONST;
    names_add(l->arena, &l->item_names, ast->text, l->items.count);
    vec_push(l->arena, &l->items, item);
}

/* fn fwd, bwd = train(f); is two items. */
static void add_items(Lower *l, const Ast *ast) {
    const bool pair = ast->kind == A_DERIVED && ast->kid_count > 1 && ast->kid[1]->kind == A_NAME;
    add_item(l, ast, false);
    if (!pair) return;
    Ast *second = arena_new_of(l->arena, Ast);
    *second = *ast;
    second->text = ast->kid[1]->text;
    second->name_span = ast->kid[1]->span;
    add_item(l, second, true);
}

/* ---- consts ------------------------------------------------------------------------------- */

/* The evaluator computes a const that is not a literal, such as 1.0 / sqrt(2.0). */
static bool const_eval(Lower *l, NodeId id, Item *item) {
    Tensor *value = NULL;
    graph_output(l->g, item->ast->text, id, item->ast->span);
    bool ok = eval(l->g, NULL, NULL, EVAL_EXACT, false, &value);
    if (ok) item->number = tensor_get(value, 0).f;
    tensor_free(value);
    return ok;
}

static bool const_value(Lower *l, Item *item) {
    const Ast *e = item->ast->kid[0];
    NodeId id = lower_expr(l, e);
    if (!id) return false;
    if (!is_weak(l->g, id)) {
        diag_error(l->diag, e->span, "a const is a number without a type, and this is %s",
                   node_text(l->g, id));
        return false;
    }
    const Node *n = &l->g->node[id];
    item->is_int = n->type == T_I64;
    if (!node_is_const(n, &item->number)) return const_eval(l, id, item);
    item->integer = item->is_int ? (int64_t)n->bits : 0;
    return true;
}

/* A const can use those above it. */
static void lower_const(Lower *l, Item *item) {
    l->g = graph_new(l->arena, l->diag, l->limits, dims_new(l->arena, l->limits), item->ast->text);
    graph_imports(l);
    l->scope = scope_new(l, item, NOWHERE);
    item->failed = !const_value(l, item);
    item->state = DONE;
    l->scope = NULL;
}

/* ---- bindings ----------------------------------------------------------------------------- */

static bool has_dim(const Item *item, const char *name, Suggestion *s) {
    const Ast *dims = item->ast->kid[FN_DIMS];
    for (int i = 0; i < dims->kid_count; i++) {
        if (!strcmp(dims->kid[i]->text, name)) return true;
        suggestion_add(s, dims->kid[i]->text);
    }
    return false;
}

static bool is_root(const Lower *l, const Item *item) {
    if (item->kind != ITEM_FN || item->hidden) return false;
    return l->options->fn ? !strcmp(item->ast->text, l->options->fn) : !item->called;
}

static void check_binding(Lower *l, const DimBinding *b) {
    Suggestion s = suggestion_for(b->name);
    if (b->value < 1)
        diag_error(l->diag, NOWHERE, "dim %s=%lld: a dim is at least 1", b->name,
                   (long long)b->value);
    for (int i = 0; i < l->items.count; i++)
        if (is_root(l, &l->items.at[i]) && has_dim(&l->items.at[i], b->name, &s)) return;
    const int item = names_find(&l->item_names, b->name);
    const bool is_const = item >= 0 && l->items.at[item].kind == ITEM_CONST;
    const char *hint = is_const ? "; it is a constant of the file" : suggestion_text(&s, l->arena);
    if (l->options->fn)
        diag_error(l->diag, NOWHERE, "dim %s=%lld: '%s' has no dim of that name%s", b->name,
                   (long long)b->value, l->options->fn, hint);
    else
        diag_error(l->diag, NOWHERE,
                   "dim %s=%lld: no function to be compiled has a dim of that name%s", b->name,
                   (long long)b->value, hint);
}

static bool check_fn(Lower *l, const Ast *file) {
    Suggestion s = suggestion_for(l->options->fn ? l->options->fn : "");
    Text all = text_new(l->arena);
    int functions = 0;
    for (int i = 0; i < l->items.count; i++) {
        if (l->items.at[i].kind != ITEM_FN || l->items.at[i].hidden) continue;
        text_printf(&all, "%s%s", functions++ ? ", " : "; it has ", l->items.at[i].ast->text);
        if (l->options->fn && !strcmp(l->items.at[i].ast->text, l->options->fn)) return true;
        suggestion_add(&s, l->items.at[i].ast->text);
    }
    if (l->options->fn)
        diag_error(l->diag, NOWHERE, "--fn %s: the file has no function of that name%s",
                   l->options->fn, s.best ? suggestion_text(&s, l->arena) : text_get(&all));
    else if (!functions && !l->diag->errors)
        diag_error(l->diag, file->span, "the file defines no function");
    return !l->options->fn && functions;
}

/* ---- the file ----------------------------------------------------------------------------- */

/* In the order of the file. */
static void lower_functions(Lower *l, Model *model) {
    int *order = arena_array(l->arena, int, l->items.count), count;
    Graph **graph = arena_array(l->arena, Graph *, l->items.count);
    order_functions(l, order, &count);
    int errors = l->diag->errors;
    for (int i = 0; i < l->options->binding_count; i++) check_binding(l, &l->options->bindings[i]);
    if (errors != l->diag->errors) return;
    for (int i = 0; i < count; i++) {
        Item *item = &l->items.at[order[i]];
        if (!item->failed) graph[order[i]] = lower_fn(l, item, is_root(l, item));
    }
    for (int i = 0; i < l->items.count; i++)
        if (is_root(l, &l->items.at[i]) && graph[i])
            vec_push(l->arena, &model->functions, graph[i]);
}

Model *lower(Arena *arena, Diag *diag, const Ast *file, const char *name, const Limits *limits,
             const LowerOptions *options) {
    Lower l = {.arena = arena, .diag = diag, .limits = limits, .options = options};
    Model *model = arena_new_of(arena, Model);
    int errors = diag->errors;
    model->name = name;
    if (!lower_imports(&l, file)) return NULL;
    model->imports = l.imports;
    for (int i = 0; i < file->kid_count; i++) add_items(&l, file->kid[i]);
    derived_items(&l);
    for (int i = 0; i < l.items.count; i++)
        if (l.items.at[i].kind == ITEM_CONST) lower_const(&l, &l.items.at[i]);
    if (check_fn(&l, file)) lower_functions(&l, model);
    return errors == diag->errors ? model : NULL;
}
