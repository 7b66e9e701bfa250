/* call.c: the builtin that a call means, and its arguments in the order of the op's signature
 * (ops.def): given by position or by name, or defaults; any number for "..". */
#include "graph/lower/lower_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- the builtin -------------------------------------------------------------------------- */

/* Ops with their own notation cannot be called. */
static bool is_callable(Op op) {
    return op != OP_NULL && op != OP_INPUT && op != OP_CONST && op != OP_DIM && op != OP_CAST &&
           op != OP_SLICE && op != OP_PARTIAL_SUM && op_info[op].class != SEGMENTS &&
           op != OP_COMBINE && !op_is_call(op);
}

static bool has_argument(const Ast *call, const char *name) {
    for (int i = 0; call && i < call->kid_count; i++)
        if (call->kid[i]->kind == A_NAMED && !strcmp(call->kid[i]->text, name)) return true;
    return false;
}

/* max(a, b) is the larger of two; max(x) and max(x, axis = 0) reduce. */
static Op reduction_meant(Op op, const Ast *call) {
    bool reduces =
        call && (call->kid_count == 1 || has_argument(call, "axis") || has_argument(call, "keep"));
    if (!reduces) return op;
    return op == OP_MAX ? OP_RMAX : op == OP_MIN ? OP_RMIN : op;
}

Op op_find(const char *name, const Ast *call) {
    for (int op = 1; op < OP_COUNT; op++)
        if (is_callable((Op)op) && !strcmp(name, op_info[op].name))
            return reduction_meant((Op)op, call);
    return OP_NULL;
}

void suggestion_add_ops(Suggestion *s) {
    for (int op = 1; op < OP_COUNT; op++)
        if (is_callable((Op)op)) suggestion_add(s, op_info[op].name);
}

/* ---- signatures --------------------------------------------------------------------------- */

/* "axis = -1" or "n.." */
static Param param_parse(Arena *arena, const char *text, size_t size) {
    Param p = {0};
    char *name = arena_strndup(arena, text, size), *equals = strchr(name, '=');
    size_t length = strcspn(name, " .=");
    p.variadic = !strncmp(name + length, "..", 2);
    if (equals) p.fallback = equals + 1 + strspn(equals + 1, " ");
    name[length] = '\0';
    p.name = name;
    return p;
}

static void signature_parse(Arena *arena, Args *a) {
    for (const char *at = op_info[a->op].signature; *at;) {
        size_t size = strcspn(at, ",");
        if (a->count == PARAM_MAX) BUG("signature of %s", op_info[a->op].name);
        a->param[a->count++] = param_parse(arena, at, size);
        at += size;
        at += strspn(at, ", ");
    }
}

/* ---- matching ----------------------------------------------------------------------------- */

static void note_signature(Lower *l, const Args *a) {
    diag_note(l->diag, a->call->name_span, "it is '%s(%s)'", op_info[a->op].name,
              op_info[a->op].signature);
}

static bool match_named(Lower *l, Args *a, const Ast *named) {
    Suggestion s = suggestion_for(named->text);
    const char *here = foreign_argument(named->text);
    for (int i = 0; i < a->count; i++) {
        if (here && !strcmp(a->param[i].name, here)) s.best = here, s.distance = 0;
        suggestion_add(&s, a->param[i].name);
        if (strcmp(a->param[i].name, named->text)) continue;
        if (a->param[i].variadic) {
            diag_error(l->diag, named->span, "'%s' is given by position, not by name", named->text);
            return note_signature(l, a), false;
        }
        if (!a->value[i]) return a->value[i] = named->kid[0], true;
        diag_error(l->diag, named->span, "'%s' is given twice", named->text);
        diag_note(l->diag, a->value[i]->span, "it is given here");
        return false;
    }
    const char *advice = s.best ? NULL : foreign_omitted(named->text);
    diag_error(l->diag, named->name_span, "'%s' has no argument '%s'%s%s", op_info[a->op].name,
               named->text, advice ? ": " : suggestion_text(&s, l->arena), advice ? advice : "");
    return note_signature(l, a), false;
}

/* concat([a, b]) of other languages is concat(a, b) here. */
static bool check_brackets(Lower *l, const Args *a) {
    for (int i = 0; i < a->rest_count; i++) {
        if (a->rest[i]->kind != A_LIST) continue;
        diag_error(l->diag, a->rest[i]->span, "'%s' takes these one by one, without brackets",
                   op_info[a->op].name);
        return note_signature(l, a), false;
    }
    return true;
}

static bool match_positions(Lower *l, Args *a, int given) {
    int at = 0;
    for (int i = 0; i < a->count && at < given; i++) {
        a->value[i] = a->call->kid[at];
        if (a->param[i].variadic) {
            a->rest = &a->call->kid[at];
            a->rest_count = given - at;
            if (!check_brackets(l, a)) return false;
            at = given;
        } else {
            at++;
        }
    }
    if (at == given) return true;
    diag_error(l->diag, a->call->kid[at]->span, "'%s' takes %s%d argument%s, and this is number %d",
               op_info[a->op].name, a->param[a->count - 1].fallback ? "at most " : "", a->count,
               a->count == 1 ? "" : "s", at + 1);
    if (a->op == OP_TRANSPOSE)
        diag_note(l->diag, a->call->name_span, "'permute(x, axis..)' gives any order of axes");
    return note_signature(l, a), false;
}

static bool check_missing(Lower *l, const Args *a) {
    for (int i = 0; i < a->count; i++) {
        if (a->value[i] || a->param[i].fallback) continue;
        diag_error(l->diag, a->call->span, "'%s' needs the argument '%s'", op_info[a->op].name,
                   a->param[i].name);
        return note_signature(l, a), false;
    }
    return true;
}

bool args_match(Lower *l, Op op, const Ast *call, Args *a) {
    *a = (Args){.call = call, .op = op};
    signature_parse(l->arena, a);
    int given = 0;
    while (given < call->kid_count && call->kid[given]->kind != A_NAMED) given++;
    bool ok = match_positions(l, a, given);
    for (int i = given; ok && i < call->kid_count; i++) ok = match_named(l, a, call->kid[i]);
    return ok && check_missing(l, a);
}

/* ---- values ------------------------------------------------------------------------------- */

NodeId arg_value(Lower *l, const Args *a, int i) { return lower_expr(l, a->value[i]); }

bool axis_normal(Lower *l, int64_t axis, int rank, Span span, int *normal) {
    *normal = (int)(axis < 0 ? axis + rank : axis);
    if (axis >= -rank && axis < rank) return true;
    if (rank == 0)
        diag_error(l->diag, span, "there is no axis here: the tensor is a scalar");
    else
        diag_error(l->diag, span,
                   "there is no axis %lld: the tensor has axes 0 to %d, or -%d to -1",
                   (long long)axis, rank - 1, rank);
    return false;
}

bool arg_axis(Lower *l, const Args *a, int i, int rank, int *axis) {
    int64_t value;
    if (!a->value[i])
        return axis_normal(l, strtoll(a->param[i].fallback, NULL, 10), rank, a->call->span, axis);
    if (a->value[i]->kind == A_LIST) {
        diag_error(l->diag, a->value[i]->span,
                   "'%s' works along one axis: write it without brackets", op_info[a->op].name);
        return false;
    }
    return lower_int(l, a->value[i], &value) &&
           axis_normal(l, value, rank, a->value[i]->span, axis);
}

static bool add_axis(Lower *l, const Ast *e, int rank, uint32_t *mask) {
    int64_t value;
    int axis;
    if (!lower_int(l, e, &value) || !axis_normal(l, value, rank, e->span, &axis)) return false;
    if (*mask & 1u << axis) {
        diag_error(l->diag, e->span, "axis %d is already in the list", axis);
        return false;
    }
    *mask |= 1u << axis;
    return true;
}

bool arg_axes(Lower *l, const Args *a, int i, int rank, uint32_t *mask) {
    const Ast *list = a->value[i];
    int axis;
    *mask = 0;
    if (!list || list->kind != A_LIST) {
        if (!arg_axis(l, a, i, rank, &axis)) return false;
        *mask = 1u << axis;
        return true;
    }
    for (int k = 0; k < list->kid_count; k++)
        if (!add_axis(l, list->kid[k], rank, mask)) return false;
    if (!*mask) diag_error(l->diag, list->span, "the list of axes is empty");
    return *mask != 0;
}

bool arg_bool(Lower *l, const Args *a, int i, bool *value) {
    if (!a->value[i]) {
        *value = !strcmp(a->param[i].fallback, "true");
        return true;
    }
    NodeId id = arg_value(l, a, i);
    if (!id) return false;
    const Node *n = &l->g->node[id];
    *value = n->bits != 0;
    if (n->op == OP_CONST && n->type == T_BOOL) return true;
    diag_error(l->diag, a->value[i]->span, "'%s' is true or false, and this is %s",
               a->param[i].name, node_text(l->g, id));
    return false;
}

bool arg_number(Lower *l, const Args *a, int i, double *value) {
    if (!a->value[i]) {
        *value = strtod(a->param[i].fallback, NULL);
        return true;
    }
    NodeId id = arg_value(l, a, i);
    if (!id) return false;
    if (is_weak(l->g, id) && node_is_const(&l->g->node[id], value)) return true;
    diag_error(l->diag, a->value[i]->span, "'%s' is a constant number, and this is %s",
               a->param[i].name, node_text(l->g, id));
    return false;
}
