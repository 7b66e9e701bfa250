/* index_print.c: indices as C text. In: an Ix, and names of axes and values. Out: text. */
#include "kernel/kernel.h"

#include <string.h>

/* A Dim as a factor: in parentheses if it is a sum or a quotient. */
static void print_factor(const Indices *x, const IxNames *names, Dim q, Text *out) {
    const char *text = dim_text_as(x->dims, names->dims, q, x->arena);
    bool bare = !strpbrk(text, " /%-");
    text_printf(out, bare ? "%s" : "(%s)", text);
}

static void print_atom(const Indices *x, int atom, const IxNames *names, Text *out) {
    const IxAtom *t = &x->atom.at[atom];
    if (t->kind == ATOM_AXIS) {
        if (names->axes) *names->axes |= (uint32_t)1 << t->a;
        text_str(out, names->axis[t->a]);
    } else if (t->kind == ATOM_VALUE) {
        text_str(out, names->value[t->a]);
    } else {
        const int only = ix_only_atom(x, t->a);
        const bool bare = only >= 0 && x->atom.at[only].kind <= ATOM_AXIS;
        text_str(out, bare ? "" : "(");
        ix_print(x, t->a, names, out);
        text_str(out, bare ? " " : ") ");
        text_str(out, t->kind == ATOM_DIV ? "/ " : "% ");
        dim_print_factor_as(x->dims, names->dims, t->q, out); /* a product too: i / (A*B) */
    }
}

static void print_term(const Indices *x, const IxTerm *t, bool minus, const IxNames *names,
                       Text *out) {
    Dim scale = minus ? dim_mul(x->dims, t->scale, dim_const(x->dims, -1)) : t->scale;
    bool one = dim_is(x->dims, scale, 1);
    AtomKind kind = x->atom.at[t->atom].kind;
    bool group = kind == ATOM_DIV || kind == ATOM_MOD;
    if (group) text_char(out, '(');
    print_atom(x, t->atom, names, out);
    if (group) text_char(out, ')');
    if (one) return;
    text_str(out, " * ");
    print_factor(x, names, scale, out);
}

/* Strides with open sizes count as longer than constant ones; of two, a multiple of the other is
 * longer. */
static bool is_outer(const Indices *x, const IxTerm *s, const IxTerm *t) {
    int64_t a, b;
    bool s_const = dim_is_const(x->dims, s->scale, &a),
         t_const = dim_is_const(x->dims, t->scale, &b);
    if (s_const && t_const) return a > b;
    if (s_const || t_const) return t_const;
    return s->scale != t->scale && dim_divides(x->dims, t->scale, s->scale);
}

/* Outer axes before inner ones. */

static void order_terms(const Indices *x, const IxNode *n, int *order) {
    for (int i = 0; i < n->count; i++) {
        int at = i;
        for (; at > 0 && is_outer(x, &n->term[i], &n->term[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

void ix_print_atom(const Indices *x, int atom, const IxNames *names, Text *out) {
    print_atom(x, atom, names, out);
}

static bool is_zero(const Indices *x, const IxTerm *t, const IxNames *names) {
    const IxAtom *atom = &x->atom.at[t->atom];
    return atom->kind == ATOM_AXIS && !strcmp(names->axis[atom->a], "0");
}

void ix_print(const Indices *x, Ix a, const IxNames *names, Text *out) {
    const IxNode *n = &x->node.at[a];
    int64_t lo, hi;
    int order[IX_TERMS], printed = 0;
    order_terms(x, n, order);
    for (int i = 0; i < n->count; i++) {
        const IxTerm *t = &n->term[order[i]];
        if (is_zero(x, t, names)) continue;
        dim_range(x->dims, t->scale, &lo, &hi);
        bool minus = hi < 0;
        if (printed || minus) text_str(out, printed ? (minus ? " - " : " + ") : "-");
        print_term(x, t, minus, names, out);
        printed++;
    }
    if (printed && dim_is(x->dims, n->offset, 0)) return;
    dim_range(x->dims, n->offset, &lo, &hi);
    bool minus = printed && hi < 0;
    Dim offset = minus ? dim_mul(x->dims, n->offset, dim_const(x->dims, -1)) : n->offset;
    if (printed) text_str(out, minus ? " - " : " + ");
    print_factor(x, names, offset, out);
}
