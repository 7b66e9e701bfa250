/* inline.c: calls of the file's own functions. The callee's dims follow from the shapes of the
 * arguments (or are passed by name); then its body is lowered into the caller's Graph, with the
 * arguments as its inputs. */
#include "graph/lower/lower_private.h"

#include <string.h>

typedef struct Inline {
    Lower *l;
    const Ast *call, *dims, *inputs; /* of the callee */
    Scope *callee;
    const Ast **given; /* one for each input; NULL: missing */
    NodeId *node;
} Inline;

static const char *callee_name(const Inline *in) { return in->callee->item->ast->text; }

/* ---- who gets what ------------------------------------------------------------------------ */

static int input_find(const Inline *in, const char *name) {
    for (int i = 0; i < in->inputs->kid_count; i++)
        if (!strcmp(in->inputs->kid[i]->text, name)) return i;
    return -1;
}

static void note_callee(const Inline *in) {
    diag_note(in->l->diag, in->callee->item->ast->name_span, "'%s' is defined here",
              callee_name(in));
}

static bool report_argument(Inline *in, const Ast *named) {
    Suggestion s = suggestion_for(named->text);
    for (int i = 0; i < in->inputs->kid_count; i++) suggestion_add(&s, in->inputs->kid[i]->text);
    for (int i = 0; i < in->dims->kid_count; i++) suggestion_add(&s, in->dims->kid[i]->text);
    diag_error(in->l->diag, named->name_span, "'%s' has no input or dim '%s'%s", callee_name(in),
               named->text, suggestion_text(&s, in->l->arena));
    return note_callee(in), false;
}

static bool give(Inline *in, int i, const Ast *value) {
    if (!in->given[i]) return in->given[i] = value, true;
    diag_error(in->l->diag, value->span, "the input '%s' is given twice", in->inputs->kid[i]->text);
    diag_note(in->l->diag, in->given[i]->span, "it is given here");
    return false;
}

static bool give_dim(Inline *in, Entry *dim, const Ast *value) {
    if (dim->known) {
        diag_error(in->l->diag, value->span, "the dim '%s' is given twice", dim->name);
        return false;
    }
    dim->dim = lower_size(in->l, value);
    dim->known = true;
    return dim->dim != 0;
}

static bool give_named(Inline *in, const Ast *named) {
    int i = input_find(in, named->text);
    if (i >= 0) return give(in, i, named->kid[0]);
    Entry *dim = scope_find(in->callee, named->text);
    return dim ? give_dim(in, dim, named->kid[0]) : report_argument(in, named);
}

static bool check_given(Inline *in) {
    for (int i = 0; i < in->inputs->kid_count; i++) {
        if (in->given[i]) continue;
        diag_error(in->l->diag, in->call->span, "'%s' needs the input '%s'", callee_name(in),
                   in->inputs->kid[i]->text);
        return note_callee(in), false;
    }
    return true;
}

static bool match_inputs(Inline *in) {
    for (int i = 0; i < in->call->kid_count; i++) {
        const Ast *argument = in->call->kid[i];
        if (argument->kind == A_NAMED) {
            if (!give_named(in, argument)) return false;
        } else if (i >= in->inputs->kid_count) {
            diag_error(in->l->diag, argument->span, "'%s' takes %d input%s, and this is number %d",
                       callee_name(in), in->inputs->kid_count,
                       in->inputs->kid_count == 1 ? "" : "s", i + 1);
            return note_callee(in), false;
        } else if (!give(in, i, argument)) {
            return false;
        }
    }
    return check_given(in);
}

/* Lowers the arguments, and checks their ranks. */
static bool lower_given(Inline *in) {
    bool ok = true;
    for (int i = 0; i < in->inputs->kid_count; i++) {
        const Ast *input = in->inputs->kid[i];
        NodeId x = in->node[i] = lower_expr(in->l, in->given[i]);
        int rank = input->kid[0]->kid_count;
        if (!x) ok = false;
        if (!x || in->l->g->node[x].rank == rank) continue;
        const char *axes = rank == 0   ? "no axis"
                           : rank == 1 ? "one axis"
                                       : arena_printf(in->l->arena, "%d axes", rank);
        diag_error(in->l->diag, in->given[i]->span, "the input '%s' of '%s' has %s, and this is %s",
                   input->text, callee_name(in), axes, node_text(in->l->g, x));
        diag_note(in->l->diag, input->span, "it is declared here");
        ok = false;
    }
    return ok;
}

/* ---- the callee's dims -------------------------------------------------------------------- */

/* Counts the occurrences of unknown dims in an expression. */
static int unknowns(const Inline *in, const Ast *e) {
    if (e->kind == A_NAME) {
        const Entry *entry = scope_find(in->callee, e->text);
        return entry && entry->kind == E_DIM && !entry->known;
    }
    int count = 0;
    for (int i = 0; i < e->kid_count; i++) count += unknowns(in, e->kid[i]);
    return count;
}

/* A note for errors in the callee's text, if there was one since there were `errors`. */
static void note_call(const Inline *in, int errors) {
    if (errors == in->l->diag->errors) return;
    diag_note(in->l->diag, in->call->span, "in this call of '%s'", callee_name(in));
}

static Dim in_callee(Inline *in, const Ast *e) {
    Scope *caller = in->l->scope;
    int errors = in->l->diag->errors;
    in->l->scope = in->callee;
    Dim dim = lower_dim(in->l, e);
    in->l->scope = caller;
    note_call(in, errors);
    return dim;
}

/* The value of the kid with the unknown, if `e` is to be `target` and its other kid is `other`; 0
 * if there is none. */
static Dim undo(Inline *in, const Ast *e, bool unknown_first, Dim other, Dim target, Span at) {
    Dims *d = in->l->g->dims;
    if (!strcmp(e->text, "add")) return dim_sub(d, target, other);
    if (!strcmp(e->text, "mul")) return dim_div(d, target, other, at);
    if (!strcmp(e->text, "sub") && unknown_first) return dim_add(d, target, other);
    if (!strcmp(e->text, "sub")) return dim_sub(d, other, target);
    if (!strcmp(e->text, "div") && unknown_first) return dim_mul(d, target, other);
    if (!strcmp(e->text, "div")) return dim_div(d, other, target, at);
    return 0;
}

static bool report_unsolved(Inline *in, Span declared, Dim size, Span at) {
    diag_error(in->l->diag, at, "the dims of '%s' have no values that make this size %s",
               callee_name(in), dim_text(in->l->g->dims, size, in->l->arena));
    diag_note(in->l->diag, declared, "the size is declared here");
    return false;
}

static bool is_solvable(const Ast *e) {
    return e->kind == A_CALL && e->kid_count == 2 &&
           (!strcmp(e->text, "add") || !strcmp(e->text, "sub") || !strcmp(e->text, "mul") ||
            !strcmp(e->text, "div"));
}

/* Solves declared == size for the one unknown dim in it; true if there is no error. What cannot be
 * solved stays unknown. */
static bool solve(Inline *in, const Ast *declared, Dim size, Span at) {
    Dims *d = in->l->g->dims;
    const Ast *e = declared;
    Dim target = size;
    while (is_solvable(e)) {
        bool first = unknowns(in, e->kid[0]) == 1;
        Dim other = in_callee(in, e->kid[first]);
        if (!other) return false;
        target = undo(in, e, first, other, target, at);
        if (!target) return report_unsolved(in, declared->span, size, at);
        e = e->kid[!first];
    }
    if (e->kind != A_NAME) return true;
    if (!dim_assume(d, DIM_LE, dim_const(d, 1), target, at, "size"))
        return report_unsolved(in, declared->span, size, at);
    Entry *dim = scope_find(in->callee, e->text);
    dim->dim = target;
    dim->known = true;
    return true;
}

/* One walk over all sizes of all inputs; *solved if some dim became known. */
static bool solve_some(Inline *in, bool names_only, bool *solved) {
    for (int i = 0; i < in->inputs->kid_count; i++) {
        const Ast *type = in->inputs->kid[i]->kid[0];
        if (!spend(in->l, 1 + type->kid_count, in->call->span)) return false;
        for (int k = 0; k < type->kid_count; k++) {
            const Ast *e = type->kid[k];
            if ((names_only && e->kind != A_NAME) || unknowns(in, e) != 1) continue;
            Dim size = in->l->g->node[in->node[i]].shape[k];
            if (!solve(in, e, size, in->given[i]->span)) return false;
            if (!unknowns(in, e)) *solved = true;
        }
    }
    return true;
}

static bool solve_dims(Inline *in) {
    bool solved = true;
    if (!solve_some(in, true, &solved)) return false;
    while (solved) {
        solved = false;
        if (!solve_some(in, false, &solved)) return false;
    }
    for (int i = 0; i < in->dims->kid_count; i++) {
        const Ast *dim = in->dims->kid[i];
        if (scope_find(in->callee, dim->text)->known) continue;
        diag_error(in->l->diag, in->call->span,
                   "the dim '%s' of '%s' does not follow from the "
                   "arguments: pass it as '%s = ..'",
                   dim->text, callee_name(in), dim->text);
        diag_note(in->l->diag, dim->span, "it is declared here");
        return false;
    }
    return true;
}

/* ---- the body ----------------------------------------------------------------------------- */

static bool report_shape(Inline *in, int i, Dtype type, int rank, const Dim *shape) {
    Text wanted = text_new(in->l->arena);
    shape_print(in->l->g->dims, type, rank, shape, &wanted);
    diag_error(in->l->diag, in->given[i]->span, "the input '%s' of '%s' is %s here, and this is %s",
               in->inputs->kid[i]->text, callee_name(in), text_get(&wanted),
               node_text(in->l->g, in->node[i]));
    diag_note(in->l->diag, in->inputs->kid[i]->span, "it is declared here");
    return false;
}

/* Binds the callee's name of input i to the argument, in the declared type. */
static bool bind_input(Inline *in, int i) {
    Lower *l = in->l;
    const Ast *input = in->inputs->kid[i];
    Dtype type;
    int rank;
    Dim shape[RANK_MAX];
    Scope *caller = l->scope;
    int errors = l->diag->errors;
    l->scope = in->callee;
    bool ok = lower_type(l, input->kid[0], &type, &rank, shape);
    l->scope = caller;
    note_call(in, errors);
    if (!ok) return false;
    const Node *n = &l->g->node[in->node[i]];
    if (!shape_equal(n->rank, n->shape, rank, shape)) return report_shape(in, i, type, rank, shape);
    NodeId stored =
        store_as(l->g, in->node[i], type, in->given[i]->span,
                 arena_printf(l->arena, "the input '%s' of '%s'", input->text, callee_name(in)));
    Entry *entry = stored ? scope_add(l, in->callee, E_INPUT, input->text, input->name_span) : NULL;
    if (entry) entry->node = stored;
    return entry != NULL;
}

static bool lower_callee(Inline *in, NodeIds *values) {
    Lower *l = in->l;
    const Ast *outputs = in->callee->item->ast->kid[FN_OUTPUTS];
    Scope *caller = l->scope;
    int errors = l->diag->errors;
    l->scope = in->callee;
    bool ok = declare_outputs(l, in->callee) && lower_body(l, in->callee);
    l->scope = caller;
    note_call(in, errors);
    for (int i = 0; ok && i < outputs->kid_count; i++)
        vec_push(l->arena, values, scope_find(in->callee, outputs->kid[i]->text)->node);
    return ok;
}

static void open_callee(Inline *in, Lower *l, Item *item, const Ast *call) {
    const Ast *fn = item->ast;
    *in = (Inline){.l = l, .call = call, .dims = fn->kid[FN_DIMS], .inputs = fn->kid[FN_INPUTS]};
    in->callee = scope_new(l, item, call->span);
    if (item->attrs.autocast != T_NONE) in->callee->autocast = item->attrs.autocast;
    in->given = arena_array(l->arena, const Ast *, in->inputs->kid_count);
    in->node = arena_array(l->arena, NodeId, in->inputs->kid_count);
    for (int i = 0; i < in->dims->kid_count; i++)
        scope_add(l, in->callee, E_DIM, in->dims->kid[i]->text, in->dims->kid[i]->span);
}

bool lower_inline(Lower *l, Item *item, const Ast *call, NodeIds *values) {
    Inline in;
    const Ast *fn = item->ast;
    int width = fn->kid[FN_DIMS]->kid_count + fn->kid[FN_INPUTS]->kid_count;
    if (item->failed || !spend(l, width, call->span)) return false;
    open_callee(&in, l, item, call);
    if (!match_inputs(&in) || !lower_given(&in) || !solve_dims(&in)) return false;
    for (int i = 0; i < in.inputs->kid_count; i++)
        if (!bind_input(&in, i)) return false;
    if (item->attrs.strict) l->g->attrs.strict = true; /* the caller's graph must keep it */
    return lower_callee(&in, values);
}
