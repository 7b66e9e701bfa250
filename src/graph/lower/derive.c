/* derive.c: the bodies of derived functions. The function that one is derived from is lowered into
 * a Graph of its own, over the same dims; graph/grad derives that; the result becomes part of the
 * caller's Graph. */
#include "graph/grad/train.h"
#include "graph/lower/lower_private.h"

/* ---- the function itself ------------------------------------------------------------------ */

/* The dims of the one are those of the other, by name. */
static void take_dims(Lower *l, const Scope *from, Scope *to) {
    const Ast *dims = to->item->ast->kid[FN_DIMS];
    for (int i = 0; i < dims->kid_count; i++) {
        const Dim dim = scope_find(from, dims->kid[i]->text)->dim;
        Entry *entry = scope_add(l, to, E_DIM, dims->kid[i]->text, dims->kid[i]->span);
        if (!entry) continue;
        entry->dim = dim;
        entry->known = true;
    }
}

static bool is_open(const Scope *scope, const Item *item) {
    for (; scope; scope = scope->caller)
        if (scope->item == item) return true;
    return false;
}

static bool lower_in(Lower *l, Scope *scope) {
    bool ok = declare_inputs(l, scope) && declare_outputs(l, scope) && lower_body(l, scope);
    const Ast *outputs = scope->item->ast->kid[FN_OUTPUTS];
    for (int i = 0; ok && i < outputs->kid_count; i++) {
        const Entry *e = scope_find(scope, outputs->kid[i]->text);
        graph_output(l->g, e->name, e->node, e->span);
    }
    return ok;
}

/* A function with the dims of `dims`, as a Graph. NULL after a diag_error. */
static Graph *graph_of(Lower *l, Item *item, Scope *dims, HandWrittens *by_hand) {
    Graph *outer = l->g, *g = NULL;
    HandWrittens *outer_by_hand = l->by_hand;
    Scope *caller = l->scope;
    if (item->failed) return NULL;
    if (is_open(dims, item)) {
        diag_error(l->diag, item->ast->name_span, "'%s' is needed for its own derivative",
                   item->ast->text);
        return NULL;
    }
    l->g = graph_like(outer);
    l->by_hand = by_hand;
    l->scope = dims;
    l->scope = scope_new(l, item, dims->call);
    if (item->attrs.autocast != T_NONE) l->scope->autocast = item->attrs.autocast;
    l->g->attrs.strict = l->g->attrs.strict || item->attrs.strict;
    take_dims(l, dims, l->scope);
    if (lower_in(l, l->scope)) g = l->g;
    l->g = outer;
    l->by_hand = outer_by_hand;
    l->scope = caller;
    if (g && g->attrs.strict) outer->attrs.strict = true;
    return g;
}

/* ---- hand-written backward ---------------------------------------------------------------- */

bool stand_in(Lower *l, Scope *callee) {
    const Ast *fn = callee->item->ast, *in = fn->kid[FN_INPUTS], *out = fn->kid[FN_OUTPUTS];
    HandWritten call = {.inputs = in->kid_count, .outputs = out->kid_count};
    call.input = arena_array(l->arena, NodeId, in->kid_count + 1);
    call.output = arena_array(l->arena, NodeId, out->kid_count + 1);
    call.value = arena_array(l->arena, NodeId, out->kid_count + 1);
    call.backward = graph_of(l, &l->items.at[callee->item->backward], callee, NULL);
    if (!call.backward) return false;
    for (int i = 0; i < in->kid_count; i++)
        call.input[i] = scope_find(callee, in->kid[i]->text)->node;
    for (int i = 0; i < out->kid_count; i++) {
        Entry *e = scope_find(callee, out->kid[i]->text);
        const Node *n = &l->g->node[e->node];
        call.value[i] = e->node;
        call.output[i] = graph_input(l->g, e->name, n->type, n->rank, n->shape, e->span);
        if (!call.output[i]) return false;
        e->node = call.output[i];
    }
    vec_push(l->arena, l->by_hand, call);
    return true;
}

/* ---- derived ------------------------------------------------------------------------------ */

/* The tangents tNAME are the cotangents of the cotangents dNAME, in which a vjp is linear. */
static Graph *jvp(const Derivation *d, int *placeholders) {
    const Graph *g = vjp(d);
    if (!g) return NULL;
    bool *wrt = arena_array(g->arena, bool, g->inputs.count);
    for (int i = d->inputs; i < g->inputs.count; i++) wrt[i] = true;
    *placeholders = g->inputs.count - d->inputs;
    const Derivation transposed = {.f = g, .inputs = g->inputs.count, .wrt = wrt};
    return vjp(&transposed);
}

static Graph *derive(Lower *l, Scope *scope, const Graph *f, const HandWrittens *by_hand,
                     int *placeholders) {
    const Item *item = scope->item, *base = &l->items.at[item->base];
    const bool is_scalar = item->derive == DERIVE_GRAD || item->derive == DERIVE_VALUE_AND_GRAD;
    const Derivation d = {.f = f,
                          .inputs = base->ast->kid[FN_INPUTS]->kid_count,
                          .by_hand = list_of(*by_hand),
                          .wrt = item->wrt,
                          .is_scalar = is_scalar,
                          .with_value = item->derive == DERIVE_VALUE_AND_GRAD ||
                                        item->derive == DERIVE_VALUE_AND_VJP,
                          .warns = l->options->grad_warnings && !scope->caller};
    *placeholders = 0;
    return item->derive == DERIVE_JVP ? jvp(&d, placeholders) : vjp(&d);
}

/* The inputs of the derived graph: those of f, the cotangents of a jvp's vjp, which nothing reads,
 * and the scope's others. */
static NodeId *inputs_of(Lower *l, const Scope *scope, const Graph *g, int placeholders) {
    const Item *item = scope->item;
    const Ast *inputs = item->ast->kid[FN_INPUTS];
    const int own = l->items.at[item->base].ast->kid[FN_INPUTS]->kid_count;
    NodeId *input = arena_array(l->arena, NodeId, g->inputs.count + 1);
    for (int i = 0; i < placeholders; i++) {
        const Node *n = &g->node[g->inputs.at[own + i].node];
        const NodeId zero = graph_const(l->g, n->type, 0, n->span);
        input[own + i] = graph_broadcast(l->g, zero, n->rank, n->shape, n->span);
    }
    for (int i = 0; i < inputs->kid_count; i++)
        input[i < own ? i : i + placeholders] = scope_find(scope, inputs->kid[i]->text)->node;
    return input;
}

static bool put_outputs(Lower *l, Scope *scope, const Graph *g, int placeholders) {
    const Ast *outputs = scope->item->ast->kid[FN_OUTPUTS];
    NodeId *output = arena_array(l->arena, NodeId, g->outputs.count + 1);
    if (!splice(l->g, g, inputs_of(l, scope, g, placeholders), output)) return false;
    for (int i = 0; i < outputs->kid_count; i++) {
        Entry *e = scope_find(scope, outputs->kid[i]->text);
        e->node = output[i];
        e->known = true;
    }
    return true;
}

bool lower_derived(Lower *l, Scope *scope) {
    const Item *item = scope->item;
    const int errors = l->diag->errors;
    HandWrittens by_hand = {0};
    int placeholders;
    Graph *f = graph_of(l, &l->items.at[item->base], scope, &by_hand);
    Graph *g = f ? derive(l, scope, f, &by_hand, &placeholders) : NULL;
    if (g && put_outputs(l, scope, g, placeholders)) return true;
    if (errors != l->diag->errors)
        diag_note(l->diag, item->derived->span, "for this '%s'", item->derived->text);
    return false;
}

void derived_attrs(const Lower *l, Item *item) {
    const FnAttrs *base = &l->items.at[item->base].attrs;
    FnAttrs *attrs = &item->attrs;
    attrs->strict = attrs->strict || base->strict;
    attrs->nondeterministic = attrs->nondeterministic || base->nondeterministic;
    if (attrs->autocast == T_NONE) attrs->autocast = base->autocast;
    if (attrs->precision == P_IEEE) attrs->precision = base->precision;
}

/* ---- train -------------------------------------------------------------------------------- */

bool is_train(const Item *item) { return item->derived && item->derive >= DERIVE_FORWARD; }

static bool train_attrs(Lower *l, Item *item) {
    l->scope = scope_new(l, item, NOWHERE);
    const bool ok = lower_attrs(l, item->ast, &item->attrs);
    l->scope = NULL;
    derived_attrs(l, item);
    return ok;
}

/* What is kept and belongs to no one else: not what is an output of f, too. */
static bool *kept_inputs(const Kept *kept, const Graph *backward) {
    bool *set = arena_array(backward->arena, bool, backward->inputs.count + 1);
    for (int i = 0; i < kept->nodes.count; i++) {
        bool is_output = false;
        for (int k = 0; k < kept->outputs; k++)
            is_output |= kept->joint->outputs.at[k].node == kept->nodes.at[i];
        set[kept->inputs + i] = !is_output;
    }
    return set;
}

/* What both functions compute, divided. */
Graph *lower_train(Lower *l, Item *item, bool root) {
    Item *joint = &l->items.at[item->base];
    const Item *f = &l->items.at[joint->base];
    const int inputs = f->ast->kid[FN_INPUTS]->kid_count,
              outputs = f->ast->kid[FN_OUTPUTS]->kid_count;
    const Graph *both = joint->failed ? NULL : lower_fn(l, joint, root);
    Graph *g = NULL;
    bool *consumed = NULL;
    if (both && train_attrs(l, item)) {
        const KeepLimit limit = {l->options->keep_bytes, item->attrs.memory_budget};
        const Kept kept = train_cut(both, inputs, outputs, &limit);
        g = item->derive == DERIVE_FORWARD ? train_forward(&kept, item->ast->text)
                                           : train_backward(&kept, item->ast->text);
        if (g && item->attrs.consumed && item->derive == DERIVE_BACKWARD)
            consumed = kept_inputs(&kept, g);
    }
    item->failed = !g;
    if (!g) return NULL;
    g->attrs = item->attrs;
    g->attrs.consumed = consumed;
    g->span = item->ast->name_span;
    return g;
}
