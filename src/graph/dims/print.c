/* print.c: sizes as text that means the same in .fx, C and CUDA.
 * In: a Dim. Out: one fraction over a common denominator, "(D*D + D)/2", with as few parentheses as
 * possible. */
#include "graph/dims/dim_private.h"

/* What needs no parentheses as an operand. */
typedef enum Level { LEVEL_SUM, LEVEL_PRODUCT, LEVEL_ATOM } Level;

/* Sizes, and the names of their symbols; NULL: the model's. */
typedef struct Named {
    const Dims *dims;
    const DimNames *names;
} Named;

static void print_at(const Named *d, Dim a, Level level, Text *out);

static void print_symbol(const Named *d, int symbol, Text *out) {
    if (d->names && d->names->used) d->names->used[symbol] = true;
    text_str(out, d->names ? d->names->name[symbol] : d->dims->symbols.at[symbol].name);
}

static void print_number(int64_t value, Text *out) { text_printf(out, "%lld", (long long)value); }

/* |num| * atom * atom..; `lone`: what a single atom may be. */
static void print_term(const Named *d, const DimTerm *t, Level lone, Text *out) {
    int64_t size = t->num < 0 ? -t->num : t->num;
    bool first = size == 1 && t->count;
    bool is_lone = first && t->count == 1 && t->factor[0].exponent == 1;
    if (!first) print_number(size, out);
    for (int i = 0; i < t->count; i++)
        for (int e = 0; e < t->factor[i].exponent; e++, first = false) {
            if (!first) text_char(out, '*');
            print_at(d, t->factor[i].atom, is_lone ? lone : LEVEL_ATOM, out);
        }
}

/* "a - b + c", a positive term first if there is one: "1 - N". */
static void print_sum(const Named *d, const DimPoly *p, Level lone, Text *out) {
    int first = 0;
    while (first < p->count - 1 && p->term[first].num < 0) first++;
    if (p->term[first].num < 0) first = 0;
    if (p->term[first].num < 0) text_char(out, '-');
    print_term(d, &p->term[first], lone, out);
    for (int i = 0; i < p->count; i++) {
        if (i == first) continue;
        text_str(out, p->term[i].num < 0 ? " - " : " + ");
        print_term(d, &p->term[i], lone, out);
    }
}

static bool term_is_one(const DimTerm *t) { return t->num == 1 && !t->count; }

/* A name or a number without sign. */
static bool term_is_atom(const Named *d, const DimTerm *t) {
    if (!t->count) return t->num >= 0;
    return t->num == 1 && t->count == 1 && t->factor[0].exponent == 1 &&
           d->dims->node[t->factor[0].atom].kind == DIM_SYMBOL;
}

static void print_fraction(const Named *d, const DimPoly *above, const DimTerm *below, Text *out) {
    bool is_sum = above->count > 1, is_product = below->degree + (below->num != 1) > 1;
    if (is_sum) text_char(out, '(');
    print_sum(d, above, is_sum ? LEVEL_PRODUCT : LEVEL_ATOM, out);
    text_str(out, is_sum ? ")/" : "/");
    if (is_product) text_char(out, '(');
    print_term(d, below, LEVEL_ATOM, out);
    if (is_product) text_char(out, ')');
}

static void print_mod(const Named *d, const DimNode *n, Text *out) {
    print_at(d, n->a, LEVEL_PRODUCT, out);
    text_str(out, " % ");
    print_at(d, n->b, LEVEL_ATOM, out);
}

static void print_at(const Named *d, Dim a, Level level, Text *out) {
    const DimNode *n = &d->dims->node[a];
    DimPoly above;
    DimTerm below;
    Level own = LEVEL_PRODUCT;
    if (n->kind == DIM_SYMBOL) {
        print_symbol(d, n->a, out);
        return;
    }
    bool fits = n->kind == DIM_MOD || poly_over(&above, &below, n->term, n->count);
    if (!fits || !a || !n->count) {
        text_str(out, fits && a ? "0" : "?");
        return;
    }
    if (n->kind == DIM_SUM) {
        bool is_fraction = !term_is_one(&below);
        if ((above.count > 1 && !is_fraction) || (above.count == 1 && above.term[0].num < 0))
            own = LEVEL_SUM;
        else if (!is_fraction && term_is_atom(d, &above.term[0]))
            own = LEVEL_ATOM;
    }
    if (level > own) text_char(out, '(');
    if (n->kind == DIM_MOD)
        print_mod(d, n, out);
    else if (term_is_one(&below))
        print_sum(d, &above, LEVEL_PRODUCT, out);
    else
        print_fraction(d, &above, &below, out);
    if (level > own) text_char(out, ')');
}

void dim_print_as(const Dims *d, const DimNames *names, Dim a, Text *out) {
    print_at(&(Named){d, names}, a, LEVEL_SUM, out);
}

void dim_print_factor_as(const Dims *d, const DimNames *names, Dim a, Text *out) {
    print_at(&(Named){d, names}, a, LEVEL_ATOM, out);
}

void dim_print(const Dims *d, Dim a, Text *out) { dim_print_as(d, NULL, a, out); }

const char *dim_text_as(const Dims *d, const DimNames *names, Dim a, Arena *arena) {
    Text out = text_new(arena);
    dim_print_as(d, names, a, &out);
    return text_get(&out);
}

const char *dim_text(const Dims *d, Dim a, Arena *arena) { return dim_text_as(d, NULL, a, arena); }

const char *dim_guard_text(const Dims *d, const DimGuard *guard, Arena *arena) {
    static const char *const compare[] = {
        [DIM_EQ] = "==", [DIM_NE] = "!=", [DIM_LT] = "<", [DIM_LE] = "<="};
    return arena_printf(arena, "%s %s %s", dim_text(d, guard->a, arena),
                        TABLE_ROW(compare, guard->compare, "a comparison"),
                        dim_text(d, guard->b, arena));
}
