/* derived.c: functions that are derived from others: fn g = vjp(f, wrt = [x]);
 * In: the items of a file. Out: for each derived function a signature, as if it had been written:
 * an A_FN without statements; derive.c makes its body. A function with @vjp(b) gets a hidden
 * function beside it, which has the signature of its vjp and calls b: so the types of b are
 * checked. */
#include "graph/lower/lower_private.h"

#include <string.h>

static const struct {
    const char *name;
    Derive kind;
} derivations[] = {
    {"vjp", DERIVE_VJP}, {"grad", DERIVE_GRAD},     {"value_and_grad", DERIVE_VALUE_AND_GRAD},
    {"jvp", DERIVE_JVP}, {"train", DERIVE_FORWARD},
};
enum { DERIVATIONS = sizeof derivations / sizeof *derivations };

/* ---- trees -------------------------------------------------------------------------------- */

typedef Vec(Ast *) AstVec;

static Ast *tree(Lower *l, AstKind kind, const char *text, Span at, const AstVec *kids) {
    Ast *ast = arena_new_of(l->arena, Ast);
    *ast = (Ast){.kind = kind, .text = text, .span = at, .name_span = at};
    if (kids) ast->kid_count = kids->count, ast->kid = kids->at;
    return ast;
}

static bool is_float_param(const Ast *param) {
    return dtype_is_float(dtype_parse(param->kid[0]->text));
}

/* A parameter of the type of another one; messages point at the derivation. */
static void add_param(Lower *l, AstVec *list, const char *prefix, const Ast *like, Span at) {
    AstVec type = {0};
    vec_push(l->arena, &type, like->kid[0]);
    vec_push(l->arena, list,
             tree(l, A_PARAM, arena_printf(l->arena, "%s%s", prefix, like->text), at, &type));
}

static void add_floats(Lower *l, AstVec *list, const char *prefix, const Ast *params,
                       const bool *wanted, Span at) {
    for (int i = 0; i < params->kid_count; i++)
        if (wanted ? wanted[i] : is_float_param(params->kid[i]))
            add_param(l, list, prefix, params->kid[i], at);
}

static void add_all(Lower *l, AstVec *list, const Ast *params) {
    for (int i = 0; i < params->kid_count; i++) vec_push(l->arena, list, params->kid[i]);
}

static Ast *function_tree(Lower *l, const char *name, Span at, const Ast *base, const AstVec *in,
                          const AstVec *out, const AstVec *attrs) {
    AstVec kids = {0};
    vec_push(l->arena, &kids, base->kid[FN_DIMS]);
    vec_push(l->arena, &kids, tree(l, A_LIST, NULL, at, in));
    vec_push(l->arena, &kids, tree(l, A_LIST, NULL, at, out));
    vec_push(l->arena, &kids, tree(l, A_LIST, NULL, at, attrs));
    return tree(l, A_FN, name, at, &kids);
}

/* ---- what a function is derived from ------------------------------------------------------ */

static bool resolve(Lower *l, int at);

/* The inner function of grad(grad(f)), without a name. */
static int nameless(Lower *l, Ast *call) {
    AstVec kids = {0};
    vec_push(l->arena, &kids, call);
    Item item = {.kind = ITEM_OTHER, .base = -1, .backward = -1, .hidden = true};
    item.ast = tree(l, A_DERIVED, arena_printf(l->arena, "%s(..)", call->text), call->span, &kids);
    vec_push(l->arena, &l->items, item);
    return l->items.count - 1;
}

static int report_base(Lower *l, const Ast *e) {
    Suggestion s = suggestion_for(e->text);
    for (int i = 0; i < l->items.count; i++)
        if (l->items.at[i].kind != ITEM_CONST && !l->items.at[i].hidden)
            suggestion_add(&s, l->items.at[i].ast->text);
    diag_error(l->diag, e->span, "the file has no function called '%s'%s", e->text,
               suggestion_text(&s, l->arena));
    return -1;
}

/* Number of the item; -1 after a diag_error. */
static int find_base(Lower *l, const Ast *call) {
    Ast *e = call->kid_count ? call->kid[0] : NULL;
    if (!e || (e->kind != A_NAME && e->kind != A_CALL)) {
        diag_error(l->diag, e ? e->span : call->span, "'%s' takes a function, as in '%s(f)'",
                   call->text, call->text);
        return -1;
    }
    if (e->kind == A_CALL) return nameless(l, e);
    const int at = names_find(&l->item_names, e->text);
    return at < 0 || l->items.at[at].kind == ITEM_CONST ? report_base(l, e) : at;
}

/* ---- wrt ---------------------------------------------------------------------------------- */

/* Results are in the order of the inputs: another one would exchange those of one type unseen. */
static bool is_in_order(Lower *l, const Ast *inputs, int i, const Ast *name, const bool *wrt) {
    for (int later = i + 1; later < inputs->kid_count; later++) {
        if (!wrt[later]) continue;
        diag_error(l->diag, name->span,
                   "the results are in the order of the inputs: '%s' comes before '%s'", name->text,
                   inputs->kid[later]->text);
        return false;
    }
    return true;
}

static bool set_wrt(Lower *l, const Ast *base, const Ast *name, bool *wrt) {
    const Ast *inputs = base->kid[FN_INPUTS];
    Suggestion s = suggestion_for(name->kind == A_NAME ? name->text : "");
    for (int i = 0; name->kind == A_NAME && i < inputs->kid_count; i++) {
        const Ast *input = inputs->kid[i];
        suggestion_add(&s, input->text);
        if (strcmp(input->text, name->text)) continue;
        if (wrt[i]) {
            diag_error(l->diag, name->span, "the input '%s' is named twice", name->text);
            return false;
        }
        if (is_float_param(input)) return wrt[i] = is_in_order(l, inputs, i, name, wrt);
        diag_error(l->diag, name->span, "'%s' is %s: only floats have a derivative", name->text,
                   input->kid[0]->text);
        diag_note(l->diag, input->span, "it is declared here");
        return false;
    }
    if (name->kind == A_NAME)
        diag_error(l->diag, name->span, "%s has no input called '%s'%s", base->text, name->text,
                   suggestion_text(&s, l->arena));
    else
        diag_error(l->diag, name->span, "'wrt' takes names of inputs");
    return false;
}

static bool read_wrt(Lower *l, const Ast *base, const Ast *value, bool *wrt) {
    if (value->kind != A_LIST) return set_wrt(l, base, value, wrt);
    for (int i = 0; i < value->kid_count; i++)
        if (!set_wrt(l, base, value->kid[i], wrt)) return false;
    if (!value->kid_count) diag_error(l->diag, value->span, "the list of inputs is empty");
    return value->kid_count > 0;
}

/* All floating-point inputs, or those named. */
static bool find_wrt(Lower *l, const Ast *call, const Ast *base, bool *wrt) {
    const Ast *inputs = base->kid[FN_INPUTS];
    bool any = false;
    for (int i = 1; i < call->kid_count; i++) {
        const Ast *named = call->kid[i];
        if (i == 1 && named->kind == A_NAMED && !strcmp(named->text, "wrt"))
            return call->kid_count == 2 && read_wrt(l, base, named->kid[0], wrt);
        diag_error(l->diag, named->span,
                   "'%s' takes a function and 'wrt', as in '%s(f, wrt = [x])'", call->text,
                   call->text);
        return false;
    }
    for (int i = 0; i < inputs->kid_count; i++) any |= wrt[i] = is_float_param(inputs->kid[i]);
    if (any) return true;
    diag_error(l->diag, call->span, "%s has no floating-point input", base->text);
    return false;
}

/* ---- signatures --------------------------------------------------------------------------- */

static bool check_outputs(Lower *l, Derive kind, const Ast *call, const Ast *base) {
    const Ast *outputs = base->kid[FN_OUTPUTS], *first = outputs->kid[0];
    const bool scalar =
        outputs->kid_count == 1 && is_float_param(first) && !first->kid[0]->kid_count;
    bool any = false;
    for (int i = 0; i < outputs->kid_count; i++) any |= is_float_param(outputs->kid[i]);
    const bool needs_scalar = kind == DERIVE_GRAD || kind == DERIVE_VALUE_AND_GRAD;
    if (needs_scalar ? scalar : any) return true;
    if (needs_scalar)
        diag_error(
            l->diag, call->span,
            "'%s' takes a function with one output, a floating-point scalar; 'vjp' takes any",
            call->text);
    else
        diag_error(l->diag, call->span, "%s has no floating-point output", base->text);
    diag_note(l->diag, outputs->span, "the outputs are declared here");
    return false;
}

static bool gives_value(Derive kind) {
    return kind == DERIVE_VALUE_AND_GRAD || kind == DERIVE_VALUE_AND_VJP || kind == DERIVE_FORWARD;
}

static bool is_taken(const AstVec *list, const Ast *param) {
    for (int i = 0; i < list->count; i++)
        if (list->at[i] != param && !strcmp(list->at[i]->text, param->text)) return true;
    return false;
}

/* Names that were made, of a function whose names were made, too, get one more prefix if need be.
 */
static void rename_made(Lower *l, const AstVec *in, const AstVec *out, const AstVec *made,
                        const char *prefix) {
    for (int i = 0; i < made->count; i++)
        while (is_taken(in, made->at[i]) || is_taken(out, made->at[i]))
            made->at[i]->text = arena_printf(l->arena, "%s%s", prefix, made->at[i]->text);
}

/* `nested`: the base is derived itself. */
static Ast *signature(Lower *l, const Ast *derived, Derive kind, const Ast *base, const bool *wrt,
                      bool nested) {
    const Ast *call = derived->kid[0], *inputs = base->kid[FN_INPUTS],
              *outputs = base->kid[FN_OUTPUTS];
    const char *prefix = kind == DERIVE_JVP ? "t" : "d";
    AstVec in = {0}, out = {0}, attrs = {0};
    add_all(l, &in, inputs);
    if (kind == DERIVE_VJP || kind == DERIVE_VALUE_AND_VJP || kind == DERIVE_BACKWARD)
        add_floats(l, &in, prefix, outputs, NULL, call->span);
    if (kind == DERIVE_JVP) add_floats(l, &in, prefix, inputs, wrt, call->span);
    if (gives_value(kind)) add_all(l, &out, outputs);
    if (kind == DERIVE_JVP)
        add_floats(l, &out, prefix, outputs, NULL, call->span);
    else if (kind != DERIVE_FORWARD)
        add_floats(l, &out, prefix, inputs, wrt, call->span);
    AstVec made = {0};
    for (int i = inputs->kid_count; i < in.count; i++) vec_push(l->arena, &made, in.at[i]);
    for (int i = gives_value(kind) ? outputs->kid_count : 0; i < out.count; i++)
        vec_push(l->arena, &made, out.at[i]);
    if (nested && in.count <= l->limits->arguments) rename_made(l, &in, &out, &made, prefix);
    for (int i = 1; i < derived->kid_count; i++)
        if (derived->kid[i]->kind == A_ATTR) vec_push(l->arena, &attrs, derived->kid[i]);
    return function_tree(l, derived->text, derived->name_span, base, &in, &out, &attrs);
}

/* Each derivation of a derivation has twice the inputs, or nearly so. */
static bool is_within_limit(Lower *l, const Ast *call, const Ast *fn) {
    const bool inputs = fn->kid[FN_INPUTS]->kid_count > l->limits->arguments;
    if (!inputs && fn->kid[FN_OUTPUTS]->kid_count <= l->limits->arguments) return true;
    diag_error(l->diag, call->span,
               "a function has more %s than %lld ('--limit arguments=N' changes this)",
               inputs ? "inputs" : "outputs", (long long)l->limits->arguments);
    return false;
}

static bool find_kind(Lower *l, const Ast *call, Derive *kind) {
    Suggestion s = suggestion_for(call->text);
    for (int i = 0; i < DERIVATIONS; i++) {
        suggestion_add(&s, derivations[i].name);
        if (strcmp(call->text, derivations[i].name)) continue;
        *kind = derivations[i].kind;
        return true;
    }
    diag_error(l->diag, call->name_span,
               "functions are derived by vjp, grad, value_and_grad, jvp and train, not by '%s'%s",
               call->text, suggestion_text(&s, l->arena));
    return false;
}

/* Names for as many functions as there are. */
static bool check_pair(Lower *l, const Ast *derived, Derive *kind, bool is_second) {
    const bool pair = derived->kid_count > 1 && derived->kid[1]->kind == A_NAME,
               train = *kind == DERIVE_FORWARD;
    if (train && is_second) *kind = DERIVE_BACKWARD;
    if (pair == train) return true;
    if (is_second) return false; /* reported for the first */
    const Ast *call = derived->kid[0];
    if (train)
        diag_error(l->diag, call->span, "'train' gives two functions: 'fn %s, %s_bwd = train(..);'",
                   derived->text, derived->text);
    else
        diag_error(l->diag, derived->kid[1]->span, "'%s' gives one function", call->text);
    return false;
}

/* The hidden function that computes both: f's outputs and the cotangents. */
static int add_joint(Lower *l, const Ast *derived, int base, const bool *wrt) {
    const Ast *fn = l->items.at[base].ast;
    AstVec kids = {0};
    vec_push(l->arena, &kids, derived->kid[0]);
    Item item = {.kind = ITEM_FN, .base = base, .backward = -1, .hidden = true, .wrt = wrt};
    item.derived = derived->kid[0];
    item.derive = DERIVE_VALUE_AND_VJP;
    item.ast = tree(l, A_DERIVED, arena_printf(l->arena, "train(%s)", fn->text), derived->name_span,
                    &kids);
    item.ast = signature(l, item.ast, item.derive, fn, wrt, l->items.at[base].derived != NULL);
    vec_push(l->arena, &l->items, item);
    return l->items.count - 1;
}

static bool is_resolved(Lower *l, int at, const Ast *call) {
    if (is_train(&l->items.at[at])) {
        diag_error(l->diag, call->span, "'%s' is made by 'train': derive from what it is made of",
                   l->items.at[at].ast->text);
        return false;
    }
    if (l->items.at[at].kind == ITEM_FN) return true;
    if (l->items.at[at].state != OPEN) return resolve(l, at);
    diag_error(l->diag, call->span, "'%s' is derived from itself", l->items.at[at].ast->text);
    return false;
}

/* Gives a derived item its signature. */
static bool resolve(Lower *l, int at) {
    const Ast *derived = l->items.at[at].ast, *call = derived->kid[0];
    Derive kind;
    if (l->items.at[at].state == DONE) return false; /* reported */
    l->items.at[at].state = OPEN;
    bool ok = find_kind(l, call, &kind);
    ok = ok && check_pair(l, derived, &kind, l->items.at[at].is_second);
    int base = ok ? find_base(l, call) : -1;
    ok = base >= 0 && is_resolved(l, base, call);
    const Ast *fn = ok ? l->items.at[base].ast : NULL;
    bool *wrt = arena_array(l->arena, bool, fn ? fn->kid[FN_INPUTS]->kid_count + 1 : 1);
    ok = ok && find_wrt(l, call, fn, wrt) && check_outputs(l, kind, call, fn);
    Ast *made = ok ? signature(l, derived, kind, fn, wrt, l->items.at[base].derived != NULL) : NULL;
    ok = ok && is_within_limit(l, call, made);
    if (ok && kind >= DERIVE_FORWARD) base = add_joint(l, derived, base, wrt);
    Item *item = &l->items.at[at];
    item->state = ok ? UNSEEN : DONE; /* from here on, that of callgraph.c */
    item->failed = !ok;
    if (!ok) return false;
    item->kind = ITEM_FN;
    item->derived = call;
    item->derive = kind;
    item->base = base;
    item->wrt = wrt;
    item->ast = made;
    return true;
}

/* ---- @vjp --------------------------------------------------------------------------------- */

static const Ast *vjp_attribute(const Ast *fn) {
    const Ast *attrs = fn->kid[FN_ATTRS];
    for (int i = 0; i < attrs->kid_count; i++)
        if (!strcmp(attrs->kid[i]->text, "vjp") && attrs->kid[i]->kid_count == 1 &&
            attrs->kid[i]->kid[0]->kind == A_NAME)
            return attrs->kid[i]->kid[0];
    return NULL;
}

/* fn (x, w, dy) -> (dx, dw) { dx, dw = backward(x, w, dy); } */
static Ast *backward_tree(Lower *l, const Ast *fn, const Ast *backward) {
    const Span at = backward->span;
    AstVec in = {0}, out = {0}, arguments = {0}, let = {0}, kids = {0};
    add_all(l, &in, fn->kid[FN_INPUTS]);
    add_floats(l, &in, "d", fn->kid[FN_OUTPUTS], NULL, at);
    add_floats(l, &out, "d", fn->kid[FN_INPUTS], NULL, at);
    for (int i = 0; i < in.count; i++)
        vec_push(l->arena, &arguments, tree(l, A_NAME, in.at[i]->text, at, NULL));
    for (int i = 0; i < out.count; i++)
        vec_push(l->arena, &let, tree(l, A_NAME, out.at[i]->text, at, NULL));
    vec_push(l->arena, &let, tree(l, A_CALL, backward->text, at, &arguments));
    Ast *ast =
        function_tree(l, arena_printf(l->arena, "@vjp of %s", fn->text), at, fn, &in, &out, NULL);
    for (int i = 0; i < FN_BODY; i++) vec_push(l->arena, &kids, ast->kid[i]);
    vec_push(l->arena, &kids, tree(l, A_LET, NULL, at, &let));
    return tree(l, A_FN, ast->text, at, &kids);
}

static void add_backward(Lower *l, int at) {
    const Ast *fn = l->items.at[at].ast, *backward = vjp_attribute(fn);
    if (!backward) return;
    if (names_find(&l->item_names, backward->text) < 0) {
        report_base(l, backward);
        l->items.at[at].failed = true;
        return;
    }
    Item item = {.kind = ITEM_FN, .base = -1, .backward = -1, .hidden = true};
    item.ast = backward_tree(l, fn, backward);
    l->items.at[at].backward = l->items.count;
    vec_push(l->arena, &l->items, item);
}

void derived_items(Lower *l) {
    for (int i = 0; i < l->items.count; i++)
        if (l->items.at[i].kind == ITEM_OTHER && l->items.at[i].state == UNSEEN) resolve(l, i);
    const int count = l->items.count;
    for (int i = 0; i < count; i++)
        if (l->items.at[i].kind == ITEM_FN) add_backward(l, i);
}
