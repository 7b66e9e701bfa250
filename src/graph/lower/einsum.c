/* einsum.c: einsum("bhqd,bhkd->bhqk", q, k) to sums and products of two (contract.c).
 *     a label twice in one operand    its diagonal
 *     a label in one operand only     summed away first, unless the result has it
 *     without "->"                    the labels that appear once, in alphabetical order
 * Operands are multiplied from left to right. */
#include "graph/lower/lower_private.h"

#include <string.h>

typedef struct Spec {
    const Ast *text;
    int count; /* operands */
    char (*term)[RANK_MAX + 1];
    char result[RANK_MAX + 1];
} Spec;

/* ---- the text ----------------------------------------------------------------------------- */

static bool report_spec(Lower *l, const Spec *s, size_t at, size_t size, const char *message) {
    Span span = s->text->span;
    span.lo += 1 + (uint32_t)at;
    span.hi = span.lo + (uint32_t)size;
    diag_error(l->diag, span, "%s", message);
    return false;
}

static bool is_label(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool add_label(Lower *l, Spec *s, char *term, size_t at) {
    size_t length = strlen(term);
    if (s->text->text[at] == '.')
        return report_spec(l, s, at, 1, "an einsum has no '...': give every axis a letter");
    if (!is_label(s->text->text[at]))
        return report_spec(l, s, at, 1, "an einsum consists of letters, ',' and one '->'");
    if (length == RANK_MAX)
        return report_spec(l, s, at, 1,
                           arena_printf(l->arena, "a tensor has at most %d axes", RANK_MAX));
    term[length] = s->text->text[at];
    return true;
}

/* Parses the operands, up to "->" or the end, where *at is then. */
static bool parse_terms(Lower *l, Spec *s, int operands, size_t *at) {
    const char *text = s->text->text;
    s->count = 1;
    s->term = arena_alloc(l->arena, sizeof *s->term * (size_t)operands);
    for (; text[*at] && strncmp(text + *at, "->", 2); ++*at) {
        if (text[*at] == ' ') continue;
        if (text[*at] != ',') {
            if (!add_label(l, s, s->term[s->count - 1], *at)) return false;
        } else if (s->count++ == operands) {
            return report_spec(l, s, *at, 1,
                               arena_printf(l->arena,
                                            "the einsum names more operands than the %d "
                                            "given",
                                            operands));
        }
    }
    if (s->count == operands) return true;
    diag_error(l->diag, s->text->span, "the einsum names %d operand%s, and %d are given", s->count,
               s->count == 1 ? "" : "s", operands);
    return false;
}

static int label_count(const Spec *s, char label) {
    int count = 0;
    for (int i = 0; i < s->count; i++)
        for (const char *c = s->term[i]; *c; c++) count += *c == label;
    return count;
}

static bool implicit_result(Lower *l, Spec *s) {
    for (int label = 'A', rank = 0; label <= 'z'; label++)
        if (is_label((char)label) && label_count(s, (char)label) == 1) {
            if (rank == RANK_MAX) return rank_check(l->g, rank + 1, s->text->span);
            s->result[rank++] = (char)label;
        }
    return true;
}

static bool parse_result(Lower *l, Spec *s, size_t at) {
    const char *text = s->text->text;
    for (at += 2; text[at]; at++) {
        if (text[at] == ' ') continue;
        if (is_label(text[at]) && strchr(s->result, text[at]))
            return report_spec(l, s, at, 1, "this label is already in the result");
        if (!add_label(l, s, s->result, at)) return false;
        if (!label_count(s, text[at])) return report_spec(l, s, at, 1, "no operand has this label");
    }
    return true;
}

static bool parse_spec(Lower *l, const Args *a, Spec *s) {
    size_t at = 0;
    *s = (Spec){.text = a->value[0]};
    if (s->text->kind != A_STRING) {
        diag_error(l->diag, s->text->span, "'einsum' starts with a string, such as \"ij,jk->ik\"");
        return false;
    }
    if (!parse_terms(l, s, a->rest_count, &at)) return false;
    return s->text->text[at] ? parse_result(l, s, at) : implicit_result(l, s);
}

/* ---- operands ----------------------------------------------------------------------------- */

static NodeId along(Graph *g, int axis, int rank, Dim size, Span span) {
    Dim shape[RANK_MAX];
    for (int i = 0; i < rank; i++) shape[i] = i == axis ? size : dim_const(g->dims, 1);
    return graph_reshape(g, graph_iota(g, size, span), rank, shape, span);
}

static NodeId sum_axes(Lower *l, NodeId x, uint32_t axes, Span span) {
    Operands o = {.op = OP_SUM, .count = 1, .src = {x}, .at = {span}, .span = span};
    x = convert(l->g, x, promote(l->g, &o), span);
    return x ? drop_axes(l->g, graph_reduce(l->g, OP_SUM, x, axes, span), axes, span) : 0;
}

/* Axes i and k have the same label: everything but the diagonal becomes zero, and k is summed. That
 * sum is exact, so the type stays. */
static bool take_diagonal(Lower *l, Labelled *x, int i, int k) {
    Graph *g = l->g;
    Node n = g->node[x->node];
    NodeId row = along(g, i, n.rank, n.shape[i], x->at),
           column = along(g, k, n.rank, n.shape[k], x->at);
    NodeId zero = graph_literal(g, true, 0, 0, x->at);
    NodeId on = graph_op(g, OP_EQ, row, column, 0, x->at);
    NodeId only = on && zero ? graph_op(g, OP_WHERE, on, x->node, zero, x->at) : 0;
    NodeId sum = only ? sum_axes(l, only, 1u << k, x->at) : 0;
    x->node = sum ? graph_cast(g, sum, n.type, x->at) : 0;
    memmove(x->label + k, x->label + k + 1, strlen(x->label + k));
    return x->node != 0;
}

static bool take_diagonals(Lower *l, Labelled *x) {
    for (int i = 0; x->label[i]; i++)
        for (char *again; (again = strchr(x->label + i + 1, x->label[i]));)
            if (!take_diagonal(l, x, i, (int)(again - x->label))) return false;
    return true;
}

/* The size of each label, and its first place. */
typedef struct Sizes {
    Dim size[128];
    Span at[128];
} Sizes;

static bool check_sizes(Lower *l, const Labelled *x, Sizes *sizes) {
    for (int i = 0; x->label[i]; i++) {
        int label = x->label[i];
        Dim size = l->g->node[x->node].shape[i];
        if (!sizes->size[label]) {
            sizes->size[label] = size;
            sizes->at[label] = x->at;
        }
        if (sizes->size[label] == size) continue;
        diag_error(l->diag, x->at, "label '%c' is %s here and %s there", label,
                   dim_text(l->g->dims, size, l->arena),
                   dim_text(l->g->dims, sizes->size[label], l->arena));
        diag_note(l->diag, sizes->at[label], "there");
        return false;
    }
    return true;
}

static bool lower_operand(Lower *l, const Ast *e, const char *term, Sizes *sizes, Labelled *x) {
    *x = (Labelled){.node = lower_expr(l, e), .at = e->span};
    if (!x->node) return false;
    strcpy(x->label, term);
    int rank = l->g->node[x->node].rank;
    if (rank != (int)strlen(term)) {
        diag_error(l->diag, e->span, "%s has %d ax%s, and the einsum names %d: \"%s\"",
                   node_text(l->g, x->node), rank, rank == 1 ? "is" : "es", (int)strlen(term),
                   term);
        return false;
    }
    x->node = strengthen(l->g, x->node, e->span);
    return x->node && check_sizes(l, x, sizes) && take_diagonals(l, x);
}

/* ---- the product -------------------------------------------------------------------------- */

/* Sums over the labels of x that neither the other operand nor a later step needs. */
static bool sum_unwanted(Lower *l, Labelled *x, const char *other, const bool *later, Span span) {
    uint32_t axes = 0;
    char left[RANK_MAX + 1] = "";
    int kept = 0;
    for (int i = 0; x->label[i]; i++) {
        if (later[(int)x->label[i]] || strchr(other, x->label[i]))
            left[kept++] = x->label[i];
        else
            axes |= 1u << i;
    }
    if (axes) x->node = sum_axes(l, x->node, axes, span);
    strcpy(x->label, left);
    return x->node != 0;
}

/* The labels of the result and of operands from number `from` on. */
static void wanted_later(const Spec *s, int from, bool *later) {
    memset(later, 0, sizeof(bool) * 128);
    for (const char *c = s->result; *c; c++) later[(int)*c] = true;
    for (int i = from; i < s->count; i++)
        for (const char *c = s->term[i]; *c; c++) later[(int)*c] = true;
}

static bool multiply_in(Lower *l, const Spec *s, int i, Labelled *product, Labelled *next,
                        Span span) {
    bool later[128];
    char kept[2 * RANK_MAX + 1] = "";
    int count = 0;
    wanted_later(s, i + 1, later);
    if (!sum_unwanted(l, product, next->label, later, span) ||
        !sum_unwanted(l, next, product->label, later, span))
        return false;
    for (const char *c = product->label; *c; c++)
        if (later[(int)*c]) kept[count++] = *c;
    for (const char *c = next->label; *c; c++)
        if (later[(int)*c] && !strchr(product->label, *c)) kept[count++] = *c;
    /* the last product has the order of the result */
    if (i + 1 == s->count) strcpy(kept, s->result);
    Labelled both;
    if (!contract(l, product, next, kept, span, &both)) return false;
    *product = both;
    return true;
}

NodeId lower_einsum(Lower *l, const Args *a) {
    Spec spec;
    Sizes sizes = {0};
    bool ok = parse_spec(l, a, &spec), later[128];
    if (!ok) return 0;
    Labelled *x = arena_array(l->arena, Labelled, spec.count);
    for (int i = 0; i < spec.count; i++)
        if (!lower_operand(l, a->rest[i], spec.term[i], &sizes, &x[i])) ok = false;
    for (int i = 1; ok && i < spec.count; i++)
        ok = multiply_in(l, &spec, i, &x[0], &x[i], a->call->span);
    wanted_later(&spec, spec.count, later);
    if (!ok || !sum_unwanted(l, &x[0], "", later, a->call->span)) return 0;
    return label_order(l, &x[0], spec.result, a->call->span);
}
