/* size.c: sizes and integers, and asserts about sizes. A size is written like any expression; its
 * node must be a weak integer (weak.c). */
#include "graph/lower/lower_private.h"

#include <string.h>

Dim lower_dim(Lower *l, const Ast *e) {
    NodeId id = lower_expr(l, e);
    if (!id) return 0;
    Dim dim = dim_of_node(l->g, id);
    if (!dim)
        diag_error(l->diag, e->span,
                   "this is %s, and a size is needed: an integer, a dim, or a formula of them "
                   "with '+ - * / %%'",
                   node_text(l->g, id));
    return dim;
}

bool size_check(Lower *l, Dim size, Span span) {
    if (!size) return false;
    if (dim_assume(l->g->dims, DIM_LE, dim_const(l->g->dims, 1), size, span, "size")) return true;
    diag_error(l->diag, span, "a size must be at least 1, and this is %s",
               dim_text(l->g->dims, size, l->arena));
    return false;
}

Dim lower_size(Lower *l, const Ast *e) {
    Dim size = lower_dim(l, e);
    return size_check(l, size, e->span) ? size : 0;
}

bool lower_int(Lower *l, const Ast *e, int64_t *value) {
    NodeId id = lower_expr(l, e);
    Dim dim = id ? dim_of_node(l->g, id) : 0;
    if (!id) return false;
    if (dim && dim_is_const(l->g->dims, dim, value)) return true;
    diag_error(l->diag, e->span, "this is %s, and a constant integer is needed",
               node_text(l->g, id));
    return false;
}

Dim dim_checked(Lower *l, Dim dim, Span span) {
    if (!dim)
        diag_error(l->diag, span,
                   "a size here overflows 64 bits, or has more than %lld terms ('--limit "
                   "dim_terms=N' changes this)",
                   (long long)l->limits->dim_terms);
    return dim;
}

/* ---- assert ------------------------------------------------------------------------------- */

static const struct {
    const char *op;
    DimCompare compare;
    bool swapped;
} comparisons[] = {
    {"eq", DIM_EQ, false}, {"ne", DIM_NE, false}, {"lt", DIM_LT, false},
    {"le", DIM_LE, false}, {"gt", DIM_LT, true},  {"ge", DIM_LE, true},
};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

/* "D (from 1 to 8)", "4" */
static const char *dim_facts(Lower *l, Dim dim) {
    const char *text = dim_text(l->g->dims, dim, l->arena);
    int64_t lo, hi;
    if (dim_is_const(l->g->dims, dim, &lo)) return text;
    dim_range(l->g->dims, dim, &lo, &hi);
    if (lo <= -l->limits->elements) lo = INT64_MIN; /* always so */
    if (hi >= l->limits->elements) hi = INT64_MAX;
    if (lo == INT64_MIN && hi == INT64_MAX) return text;
    if (hi == INT64_MAX) return arena_printf(l->arena, "%s (at least %lld)", text, (long long)lo);
    if (lo == INT64_MIN) return arena_printf(l->arena, "%s (at most %lld)", text, (long long)hi);
    return arena_printf(l->arena, "%s (from %lld to %lld)", text, (long long)lo, (long long)hi);
}

static bool assert_comparison(Lower *l, const Ast *e, int which) {
    Dim a = lower_dim(l, e->kid[0]), b = lower_dim(l, e->kid[1]);
    if (!a || !b) return false;
    bool swapped = comparisons[which].swapped;
    if (dim_assume(l->g->dims, comparisons[which].compare, swapped ? b : a, swapped ? a : b,
                   e->span, "assert"))
        return true;
    diag_error(l->diag, e->span, "this assert is false: left is %s and right is %s",
               dim_facts(l, a), dim_facts(l, b));
    return false;
}

bool lower_assert(Lower *l, const Ast *e) {
    if (e->kind == A_CALL && !strcmp(e->text, "and") && e->kid_count == 2) {
        bool first = lower_assert(l, e->kid[0]);
        return lower_assert(l, e->kid[1]) && first;
    }
    for (int i = 0; i < COMPARISONS; i++)
        if (e->kind == A_CALL && e->kid_count == 2 && !strcmp(e->text, comparisons[i].op))
            return assert_comparison(l, e, i);
    diag_error(l->diag, e->span, "an assert is a comparison of sizes, or several joined by '&&'");
    return false;
}
