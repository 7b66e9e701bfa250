/* function.c: one function to one Graph: its dims, inputs and outputs, then its statements in
 * order. The body of an inlined function is lowered in the same way, from declare_outputs on, into
 * the caller's Graph. */
#include "graph/lower/lower_private.h"
#include "graph/pass/pass.h"

#include <string.h>

/* ---- declarations ------------------------------------------------------------------------- */

bool lower_type(Lower *l, const Ast *type, Dtype *dtype, int *rank, Dim *shape) {
    *dtype = lower_dtype(l, type->text, type->name_span);
    *rank = type->kid_count;
    if (*dtype == T_NONE || !rank_check(l->g, *rank, type->span)) return false;
    bool ok = true;
    l->in_type = true;
    for (int i = 0; i < *rank; i++)
        if (!(shape[i] = lower_size(l, type->kid[i]))) ok = false;
    l->in_type = false;
    return ok;
}

static bool binding_find(const Lower *l, const char *name, int64_t *value) {
    for (int i = l->options->binding_count - 1; i >= 0; i--)
        if (!strcmp(l->options->bindings[i].name, name))
            return *value = l->options->bindings[i].value, true;
    return false;
}

static void assume_multiples(Lower *l, const Ast *dim, Dim symbol) {
    Dims *dims = l->g->dims;
    for (int i = 0; i < l->options->multiple_count; i++) {
        const DimBinding *m = &l->options->multiples[i];
        if (!strcmp(m->name, dim->text))
            dim_assume(dims, DIM_EQ, dim_mod(dims, symbol, dim_const(dims, m->value)),
                       dim_const(dims, 0), dim->span, "multiple");
    }
}

static bool declare_dims(Lower *l, Scope *scope, bool root) {
    const Ast *dims = scope->item->ast->kid[FN_DIMS];
    bool ok = true;
    for (int i = 0; i < dims->kid_count; i++) {
        int64_t value;
        const Ast *dim = dims->kid[i];
        Entry *entry = scope_add(l, scope, E_DIM, dim->text, dim->span);
        if (!entry) {
            ok = false;
            continue;
        }
        bool bound = root && binding_find(l, dim->text, &value);
        entry->dim =
            bound ? dim_const(l->g->dims, value) : dim_symbol(l->g->dims, dim->text, dim->span);
        entry->known = true;
        if (root && !bound) assume_multiples(l, dim, entry->dim);
    }
    return ok;
}

bool declare_inputs(Lower *l, Scope *scope) {
    const Ast *inputs = scope->item->ast->kid[FN_INPUTS];
    bool ok = true;
    for (int i = 0; i < inputs->kid_count; i++) {
        const Ast *input = inputs->kid[i];
        Dtype type;
        int rank;
        Dim shape[RANK_MAX];
        bool typed = lower_type(l, input->kid[0], &type, &rank, shape);
        Entry *entry = scope_add(l, scope, E_INPUT, input->text, input->name_span);
        if (entry && typed)
            entry->node = graph_input(l->g, input->text, type, rank, shape, input->span);
        if (!entry || !entry->node) ok = false;
    }
    return ok;
}

bool declare_outputs(Lower *l, Scope *scope) {
    const Ast *outputs = scope->item->ast->kid[FN_OUTPUTS];
    bool ok = true;
    for (int i = 0; i < outputs->kid_count; i++) {
        const Ast *output = outputs->kid[i];
        Entry typed = {0};
        bool good = lower_type(l, output->kid[0], &typed.type, &typed.rank, typed.shape);
        Entry *entry = scope_add(l, scope, E_OUTPUT, output->text, output->name_span);
        if (!good || !entry) ok = false;
        if (!entry) continue;
        entry->type = good ? typed.type : T_NONE;
        entry->rank = typed.rank;
        memcpy(entry->shape, typed.shape, sizeof entry->shape);
    }
    return ok;
}

/* ---- outputs ------------------------------------------------------------------------------ */

/* The call that gives the value the declared shape, if one does. */
static const char *shape_fix(Lower *l, const Entry *output, NodeId value) {
    const Node *n = &l->g->node[value];
    Text text = text_new(l->arena);
    bool stretches = n->rank <= output->rank;
    for (int i = 1; stretches && i <= n->rank; i++) {
        Dim size = n->shape[n->rank - i];
        stretches = size == output->shape[output->rank - i] || dim_is(l->g->dims, size, 1);
    }
    if (!stretches) return "";
    text_printf(&text, ": '%s(..", n->rank ? "broadcast" : "full");
    for (int i = 0; i < output->rank; i++) {
        text_str(&text, ", ");
        dim_print(l->g->dims, output->shape[i], &text);
    }
    text_str(&text, ")' repeats it");
    return text_get(&text);
}

enum { REDUCTION_DEPTH = 8 };

/* The reduction along the last axis alone that x is computed from, element by element; 0: none. */
static NodeId last_reduction(const Graph *g, NodeId x, int depth) {
    const Node *n = &g->node[x];
    const OpInfo *op = &op_info[n->op];
    if (n->src_count && strstr(op->signature, "keep = false")) {
        const int rank = g->node[n->src[0]].rank;
        return rank > 1 && n->attr[0] == 1 << (rank - 1) ? x : 0;
    }
    NodeId found = 0;
    for (int i = 0; depth && !found && i < n->src_count; i++)
        if (op->class == MAP || n->op == OP_RESHAPE || n->op == OP_BROADCAST)
            found = last_reduction(g, n->src[i], depth - 1);
    return found;
}

/* NumPy and PyTorch reduce all axes by default. */
static void note_reduction(Lower *l, const Entry *output, NodeId value) {
    const Graph *g = l->g;
    NodeId x = g->node[value].rank > output->rank ? last_reduction(g, value, REDUCTION_DEPTH) : 0;
    if (!x) return;
    Text axes = text_new(l->arena);
    for (int i = 0; i < g->node[g->node[x].src[0]].rank; i++)
        text_printf(&axes, "%s%d", i ? ", " : "", i);
    diag_note(l->diag, g->node[x].span, "this reduces the last axis only: 'axis = [%s]' is all",
              text_get(&axes));
}

static NodeId output_value(Lower *l, const Entry *output, NodeId value, Span span) {
    const Node *n = &l->g->node[value];
    if (output->type == T_NONE) return 0;
    if (shape_equal(n->rank, n->shape, output->rank, output->shape))
        return store_as(l->g, value, output->type, span,
                        arena_printf(l->arena, "the output '%s'", output->name));
    Text declared = text_new(l->arena);
    shape_print(l->g->dims, output->type, output->rank, output->shape, &declared);
    diag_error(l->diag, span, "the output '%s' is %s, and the value is %s%s", output->name,
               text_get(&declared), node_text(l->g, value), shape_fix(l, output, value));
    diag_note(l->diag, output->span, "it is declared here");
    note_reduction(l, output, value);
    return 0;
}

static bool assign_output(Lower *l, Entry *output, NodeId value, const Ast *name, Span span) {
    if (output->known) {
        diag_error(l->diag, name->span,
                   "the output '%s' is already assigned: names are defined "
                   "once",
                   output->name);
        diag_note(l->diag, output->given, "it is assigned here");
        return false;
    }
    output->known = true;
    output->given = name->span;
    output->node = value ? output_value(l, output, value, span) : 0;
    return output->node != 0;
}

/* ---- statements --------------------------------------------------------------------------- */

static bool bind_name(Lower *l, Scope *scope, const Ast *name, NodeId value, Span span) {
    Entry *entry = scope_find(scope, name->text);
    graph_name(l->g, value, name->text);
    if (entry && entry->kind == E_OUTPUT) return assign_output(l, entry, value, name, span);
    entry = scope_add(l, scope, E_LOCAL, name->text, name->span);
    if (entry) entry->node = value;
    return entry && value;
}

static bool lower_let(Lower *l, Scope *scope, const Ast *let) {
    int names = let->kid_count - 1;
    const Ast *value = let->kid[names];
    NodeIds values = {0};
    bool ok = lower_values(l, value, &values);
    if (ok && values.count != names) {
        diag_error(l->diag, let->span, "%d name%s for %d value%s", names, names == 1 ? "" : "s",
                   values.count, values.count == 1 ? "" : "s");
        ok = false;
    }
    bool given = ok;
    for (int i = 0; i < names; i++)
        if (!bind_name(l, scope, let->kid[i], given ? values.at[i] : 0, value->span)) ok = false;
    return ok;
}

static bool check_assigned(Lower *l, const Scope *scope) {
    bool ok = true;
    for (int i = 0; i < scope->entries.count; i++) {
        const Entry *e = &scope->entries.at[i];
        if (e->kind != E_OUTPUT || e->known) continue;
        diag_error(l->diag, e->span, "the output '%s' is never assigned", e->name);
        ok = false;
    }
    return ok;
}

bool lower_body(Lower *l, Scope *scope) {
    const Ast *fn = scope->item->ast;
    bool ok = true;
    if (scope->item->derived) return lower_derived(l, scope);
    for (int i = FN_BODY; i < fn->kid_count; i++) {
        const Ast *statement = fn->kid[i];
        bool done = statement->kind == A_LET ? lower_let(l, scope, statement)
                                             : lower_assert(l, statement->kid[0]);
        if (!done && scope->caller) return false;
        if (!done) ok = false;
    }
    if (!check_assigned(l, scope) || !ok) return false;
    return !l->by_hand || scope->item->backward < 0 || stand_in(l, scope);
}

/* ---- the function ------------------------------------------------------------------------- */

/* Outputs in the order declared, and only what they need. */
static Graph *finish(Lower *l, const Scope *scope) {
    const Ast *outputs = scope->item->ast->kid[FN_OUTPUTS];
    for (int i = 0; i < outputs->kid_count; i++) {
        const Entry *e = scope_find(scope, outputs->kid[i]->text);
        graph_output(l->g, e->name, e->node, e->span);
    }
    return graph_rewrite(l->g, NULL, NULL);
}

Graph *lower_fn(Lower *l, Item *item, bool root) {
    int errors = l->diag->errors;
    if (is_train(item)) return lower_train(l, item, root);
    l->g = graph_new(l->arena, l->diag, l->limits, dims_new(l->arena, l->limits), item->ast->text);
    graph_imports(l);
    l->g->span = item->ast->name_span;
    l->scope = scope_new(l, item, NOWHERE);
    bool ok = lower_attrs(l, item->ast, &item->attrs);
    if (item->derived) derived_attrs(l, item);
    l->g->attrs = item->attrs;
    l->scope->autocast = item->attrs.autocast;
    ok = declare_dims(l, l->scope, root) && ok;
    ok = declare_inputs(l, l->scope) && ok;
    ok = declare_outputs(l, l->scope) && ok;
    ok = lower_body(l, l->scope) && ok && errors == l->diag->errors;
    if (ok && !item->derived && !item->hidden) scope_warn_unused(l, l->scope);
    Graph *g = ok ? finish(l, l->scope) : NULL;
    l->scope = NULL;
    item->failed = !ok;
    return g;
}
