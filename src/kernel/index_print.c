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
        if (bare) {
            print_atom(x, only, names, out);
        } else {
            text_char(out, '(');
            ix_print(x, t->a, names, out);
            text_char(out, ')');
        }
        text_str(out, t->kind == ATOM_DIV ? " / " : " % ");
        dim_print_factor_as(x->dims, names->dims, t->q, out); /* a product too: i / (A*B) */
    }
}

/* What is added needs no parentheses: "(col + l)". */
static void print_axis(int axis, bool minus, const IxNames *names, Text *out) {
    const char *name = names->axis[axis];
    const size_t size = strlen(name);
    if (names->axes) *names->axes |= (uint32_t)1 << axis;
    if (!minus && name[0] == '(' && name[size - 1] == ')')
        text_bytes(out, name + 1, size - 2);
    else
        text_str(out, name);
}

static void print_term(const Indices *x, const IxTerm *t, bool minus, const IxNames *names,
                       Text *out) {
    Dim scale = minus ? dim_mul(x->dims, t->scale, dim_const(x->dims, -1)) : t->scale;
    bool one = dim_is(x->dims, scale, 1);
    AtomKind kind = x->atom.at[t->atom].kind;
    bool group = kind == ATOM_DIV || kind == ATOM_MOD;
    if (one && kind == ATOM_AXIS) {
        print_axis(x->atom.at[t->atom].a, minus, names, out);
        return;
    }
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

/* ---- positions in row-major order ------------------------------------------------------------ */

static const IxTerm *term_of_axis(const Indices *x, const IxNode *n, int axis) {
    for (int i = 0; i < n->count; i++) {
        const IxAtom *atom = &x->atom.at[n->term[i].atom];
        if (atom->kind == ATOM_AXIS && atom->a == axis) return &n->term[i];
    }
    return NULL;
}

/* What is behind the name of an axis in its text: " + l" of "(i1 + l)", "" of "i1"; NULL: the text
 * has another form. */
static const char *behind_name(const Indices *x, const char *name, const char *text) {
    const size_t size = strlen(name), all = strlen(text);
    if (!strcmp(name, text)) return "";
    if (text[0] != '(' || strncmp(text + 1, name, size) != 0 || text[1 + size] != ' ') return NULL;
    return arena_strndup(x->arena, text + 1 + size, all - size - 2);
}

/* The step of an index along a flat position, in which the axes occur together; 0: they do not.
 * `behind`: what is added to the innermost one. */
static Dim flat_step(const Indices *x, const IxNode *n, const IxNames *names, const IxFlat *flat,
                     const char **behind) {
    const int last = flat->count - 1;
    const IxTerm *inner = term_of_axis(x, n, flat->axis[last]);
    for (int i = 0; i <= last && inner; i++) {
        const IxTerm *t = term_of_axis(x, n, flat->axis[i]);
        const char *name = names->axis[flat->axis[i]];
        *behind = behind_name(x, flat->axis_name[i], name);
        if (!t || t->scale != dim_mul(x->dims, inner->scale, flat->inner[i])) return 0;
        if (!*behind || (i < last && **behind)) return 0;
    }
    return inner ? inner->scale : 0;
}

static void print_flat(const Indices *x, IxFlat *flat, Dim step, const char *behind,
                       const IxNames *names, Text *out) {
    const bool one = dim_is(x->dims, step, 1);
    text_printf(out, one || !*behind ? "%s%s" : "(%s%s)", flat->name, behind);
    flat->is_read = true;
    if (one) return;
    text_str(out, " * ");
    print_factor(x, names, step, out);
}

/* Prints the flat positions of an index; returns the set of its axes that they replace. */
static uint32_t print_flats(const Indices *x, const IxNode *n, const IxNames *names, Text *out) {
    uint32_t axes = 0;
    int64_t lo, hi;
    for (int i = 0; i < names->flats; i++) {
        const char *behind = "";
        const Dim step = flat_step(x, n, names, &names->flat[i], &behind);
        if (!step) continue;
        dim_range(x->dims, step, &lo, &hi);
        if (hi < 0) continue;
        if (axes) text_str(out, " + ");
        print_flat(x, &names->flat[i], step, behind, names, out);
        for (int k = 0; k < names->flat[i].count; k++)
            axes |= (uint32_t)1 << names->flat[i].axis[k];
    }
    return axes;
}

static bool is_of_axes(const Indices *x, const IxTerm *t, uint32_t axes) {
    const IxAtom *atom = &x->atom.at[t->atom];
    return atom->kind == ATOM_AXIS && axes >> atom->a & 1;
}

/* ---- an index -------------------------------------------------------------------------------- */

void ix_print_at(const Indices *x, Ix a, Dim offset, const IxNames *names, Text *out) {
    const IxNode *n = &x->node.at[a];
    int64_t lo, hi;
    int order[IX_TERMS];
    const uint32_t flat = print_flats(x, n, names, out);
    int printed = flat != 0;
    order_terms(x, n, order);
    for (int i = 0; i < n->count; i++) {
        const IxTerm *t = &n->term[order[i]];
        if (is_zero(x, t, names) || is_of_axes(x, t, flat)) continue;
        dim_range(x->dims, t->scale, &lo, &hi);
        bool minus = hi < 0;
        if (printed || minus) text_str(out, printed ? (minus ? " - " : " + ") : "-");
        print_term(x, t, minus, names, out);
        printed++;
    }
    if (printed && dim_is(x->dims, offset, 0)) return;
    dim_range(x->dims, offset, &lo, &hi);
    bool minus = printed && hi < 0;
    if (printed) text_str(out, minus ? " - " : " + ");
    print_factor(x, names, minus ? dim_mul(x->dims, offset, dim_const(x->dims, -1)) : offset, out);
}

void ix_print(const Indices *x, Ix a, const IxNames *names, Text *out) {
    ix_print_at(x, a, x->node.at[a].offset, names, out);
}
