/* contract.c: products of tensors whose axes carry labels, as DOTs; and matmul, which is one.
 *
 *     labels of a and b:   both, kept     both, not kept    only a    only b
 *     become DOT's:        batch axes     summed axes       m axes    n axes
 *
 * Axes that only one operand has are never broadcast: x[B, S, K] @ w[K, N] is one product of
 * B*S rows, without batch axes. */
#include "graph/lower/lower_private.h"

#include <stdio.h>
#include <string.h>

static void append(char *labels, char label) {
    size_t length = strlen(labels);
    if (length > RANK_MAX * 2) BUG("too many labels");
    labels[length] = label;
    labels[length + 1] = '\0';
}

/* The labels of two operands, by their role. */
typedef struct Roles {
    char batch[2 * RANK_MAX + 2], summed[2 * RANK_MAX + 2], m[2 * RANK_MAX + 2],
        n[2 * RANK_MAX + 2], result[2 * RANK_MAX + 2];
} Roles;

/* Labels that only x has, in the order of `by`. */
static void find_own(const char *by, const char *x, const char *other, char *to) {
    for (const char *c = by; *c; c++)
        if (strchr(x, *c) && !strchr(other, *c)) append(to, *c);
}

/* The labels that give x its order: its own if its axes are in the order batch, own, summed; else
 * those of the result, since x must be rearranged anyway. */
static const char *giver(const char *x, const char *other, const char *kept) {
    enum { OWN_SEEN = 1, SUMMED_SEEN = 2 };
    int seen = 0;
    for (const char *c = x; *c; c++) {
        bool shared = strchr(other, *c), batch = shared && strchr(kept, *c);
        if ((batch && seen) || (!shared && seen & SUMMED_SEEN)) return kept;
        seen |= batch ? 0 : shared ? SUMMED_SEEN : OWN_SEEN;
    }
    return x;
}

static void find_roles(const char *a, const char *b, const char *kept, Roles *r) {
    *r = (Roles){0};
    for (const char *c = giver(a, b, kept); *c; c++)
        if (strchr(a, *c) && strchr(b, *c) && strchr(kept, *c)) append(r->batch, *c);
    for (const char *c = a; *c; c++)
        if (strchr(b, *c) && !strchr(kept, *c)) append(r->summed, *c);
    find_own(giver(a, b, kept), a, b, r->m);
    find_own(giver(b, a, kept), b, a, r->n);
    for (const char *c = r->batch; *c; c++) append(r->result, *c);
    for (const char *c = r->m; *c; c++) append(r->result, *c);
    for (const char *c = r->n; *c; c++) append(r->result, *c);
}

NodeId label_order(Lower *l, const Labelled *x, const char *order, Span span) {
    int perm[RANK_MAX] = {0}, rank = (int)strlen(order);
    for (int i = 0; i < rank; i++) perm[i] = (int)(strchr(x->label, order[i]) - x->label);
    return strcmp(x->label, order) ? graph_permute(l->g, x->node, perm, span) : x->node;
}

/* x with the axes of `labels`, with size 1 if it lacks one. */
static NodeId spread(Lower *l, const Labelled *x, const char *labels, Span span) {
    char own[2 * RANK_MAX + 2] = "";
    Dim shape[RANK_MAX];
    int rank = 0;
    for (const char *c = labels; *c; c++)
        if (strchr(x->label, *c)) append(own, *c);
    NodeId id = label_order(l, x, own, span);
    for (const char *c = labels; id && *c; c++) {
        const char *axis = strchr(own, *c);
        shape[rank++] = axis ? l->g->node[id].shape[axis - own] : dim_const(l->g->dims, 1);
    }
    return id ? graph_reshape(l->g, id, rank, shape, span) : 0;
}

/* Nothing is summed: an elementwise product. */
static NodeId multiply(Lower *l, const Labelled *a, const Labelled *b, const char *labels,
                       Span span) {
    Operands o = {.op = OP_MUL, .count = 2, .at = {a->at, b->at}, .span = span};
    o.src[0] = spread(l, a, labels, span);
    o.src[1] = spread(l, b, labels, span);
    return operands_add(l->g, &o);
}

static Dim label_size(Lower *l, const Labelled *x, char label) {
    return l->g->node[x->node].shape[strchr(x->label, label) - x->label];
}

/* Is it more than one vector? `rows`: the labels that the other operand lacks. */
static bool has_rows(Lower *l, const Labelled *x, const char *rows) {
    for (const char *c = rows; *c; c++)
        if (!dim_is(l->g->dims, label_size(l, x, *c), 1)) return true;
    return false;
}

/* Said once: when the function itself is checked, not when it is inlined. */
static void remark_width(Lower *l, const Operands *o, Dtype type) {
    const Precision precision = l->g->attrs.precision;
    bool is_ieee = precision == P_IEEE || precision == P_F8;
    bool wide = type == T_F32 && is_ieee && !l->scope->caller;
    if (!wide) return;
    const Node *a = &l->g->node[o->src[0]], *b = &l->g->node[o->src[1]];
    Dtype narrow = dtype_is_narrow(a->type) ? a->type : dtype_is_narrow(b->type) ? b->type : T_BF16;
    diag_remark(l->diag, o->span,
                "%s and %s multiply as f32, without tensor cores: 'as %s' uses them",
                node_text(l->g, o->src[0]), node_text(l->g, o->src[1]), dtype_name(narrow));
}

/* Both operands in one type: that of both, or the one they meet in; @autocast overrides it. Tensor
 * cores multiply matrices: a vector would be one row of theirs. */
static bool unify(Lower *l, Labelled *a, Labelled *b, const Roles *r, Span span) {
    Operands o = {
        .op = OP_DOT, .count = 2, .src = {a->node, b->node}, .at = {a->at, b->at}, .span = span};
    Dtype type = promote(l->g, &o);
    if (dtype_is_float(type) && l->scope->autocast != T_NONE) type = l->scope->autocast;
    if (has_rows(l, a, r->m) && has_rows(l, b, r->n)) remark_width(l, &o, type);
    a->node = convert(l->g, a->node, type, a->at);
    b->node = convert(l->g, b->node, type, b->at);
    return a->node && b->node;
}

/* x in the order batch, rows, summed. */
static NodeId dot_order(Lower *l, const Labelled *x, const Roles *r, const char *rows, Span span) {
    char order[6 * RANK_MAX + 8];
    snprintf(order, sizeof order, "%s%s%s", r->batch, rows, r->summed);
    return label_order(l, x, order, span);
}

bool contract(Lower *l, const Labelled *left, const Labelled *right, const char *kept, Span span,
              Labelled *result) {
    Labelled a = *left, b = *right;
    Roles r;
    find_roles(a.label, b.label, kept, &r);
    if (!rank_check(l->g, (int)strlen(r.result), span)) return false;
    *result = (Labelled){.at = span};
    strcpy(result->label, r.result);
    if (!*r.summed) {
        result->node = multiply(l, &a, &b, r.result, span);
    } else if (unify(l, &a, &b, &r, span)) {
        NodeId x = dot_order(l, &a, &r, r.m, span), y = dot_order(l, &b, &r, r.n, span);
        result->node =
            x && y ? graph_dot(l->g, x, y, (int)strlen(r.batch), (int)strlen(r.summed), span) : 0;
    }
    return result->node != 0;
}

/* ---- matmul ------------------------------------------------------------------------------- */

/* Batch axes are A, B, .. from the right. */
static void matmul_labels(Labelled *x, int rank, const char *last_two) {
    if (rank == 1) {
        strcpy(x->label, "k");
        return;
    }
    for (int i = 0; i < rank - 2; i++) x->label[i] = (char)('A' + rank - 3 - i);
    strcpy(x->label + rank - 2, last_two);
}

static bool report_matmul(Lower *l, const Labelled *a, const Labelled *b, char label, Span span) {
    const Node *x = &l->g->node[a->node], *y = &l->g->node[b->node];
    const char *left = dim_text(l->g->dims, label_size(l, a, label), l->arena);
    const char *right = dim_text(l->g->dims, label_size(l, b, label), l->arena);
    bool summed = label == 'k';
    const char *which = !summed       ? "their batch axes are"
                        : y->rank > 1 ? "the last axis of the left and the last but one of the "
                                        "right are"
                                      : "their last axes are";
    diag_error(l->diag, span, "%s @ %s: %s %s and %s", node_text(l->g, a->node),
               node_text(l->g, b->node), which, left, right);
    if (summed && y->rank > 1 && x->shape[x->rank - 1] == y->shape[y->rank - 1])
        diag_note(l->diag, b->at, "did you mean its transpose, '.T'?");
    return false;
}

static bool drop_label(Lower *l, Labelled *x, char label) {
    char *at = strchr(x->label, label);
    x->node = drop_axes(l->g, x->node, 1u << (at - x->label), x->at);
    memmove(at, at + 1, strlen(at));
    return x->node != 0;
}

/* Equal sizes; a batch axis of size 1 matches any, and is dropped from its operand. */
static bool match_label(Lower *l, Labelled *a, Labelled *b, char label, Span span) {
    if (!strchr(a->label, label) || !strchr(b->label, label)) return true;
    Dim x = label_size(l, a, label), y = label_size(l, b, label);
    if (x == y) return true;
    if (label != 'k' && dim_is(l->g->dims, x, 1)) return drop_label(l, a, label);
    if (label != 'k' && dim_is(l->g->dims, y, 1)) return drop_label(l, b, label);
    return report_matmul(l, a, b, label, span);
}

static bool lower_factor(Lower *l, const Args *args, int i, const char *last_two, Labelled *x) {
    *x = (Labelled){.node = arg_value(l, args, i), .at = args->value[i]->span};
    if (!x->node) return false;
    int rank = l->g->node[x->node].rank;
    matmul_labels(x, rank ? rank : 1, last_two);
    if (!rank)
        diag_error(l->diag, x->at,
                   "'@' needs at least one axis, and this is %s: '*' multiplies by "
                   "a scalar",
                   node_text(l->g, x->node));
    return rank > 0;
}

NodeId lower_matmul(Lower *l, const Args *args) {
    Labelled a, b, product;
    Span span = args->call->span;
    char order[2 * RANK_MAX + 2] = "";
    bool left = lower_factor(l, args, 0, "mk", &a), right = lower_factor(l, args, 1, "kn", &b);
    if (!left || !right) return 0;
    const NodeId sources[2] = {a.node, b.node};
    const char *labels = strlen(a.label) >= strlen(b.label) ? a.label : b.label;
    for (const char *c = labels; *c; c++)
        if (*c <= 'Z') append(order, *c);
    if (strchr(a.label, 'm')) append(order, 'm');
    if (strchr(b.label, 'n')) append(order, 'n');
    if (!match_label(l, &a, &b, 'k', span)) return 0;
    for (char c = 'A'; c < 'A' + RANK_MAX; c++)
        if (!match_label(l, &a, &b, c, span)) return 0;
    if (!contract(l, &a, &b, order, span, &product)) return 0;
    warn_bare_cast(l, args->call, sources[0], sources[1], product.node);
    return label_order(l, &product, order, span);
}
