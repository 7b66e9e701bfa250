/* bind.c: the values of a function's dims, from its inputs.
 * In: a graph, its inputs, and the -D bindings. Out: a value for every symbol, all shapes and
 * guards checked, or diagnostics that name dims and values. */
#include "graph/eval/eval.h"

#include <inttypes.h>

/* The origin of a symbol's value, for messages. */
typedef struct Origin {
    int input, axis; /* input -1: -D */
} Origin;

typedef struct Binder {
    const Graph *g;
    const Tensor *const *inputs;
    const char *const *files; /* by input; NULL */
    int64_t *symbols;
    bool *known;
    Origin *origin; /* by symbol, like the two above */
} Binder;

static const Node *input_node(const Binder *b, int i) {
    return &b->g->node[b->g->inputs.at[i].node];
}

/* ---- messages --------------------------------------------------------------------------- */

static bool shape_uses(const Binder *b, const Node *n, int symbol) {
    for (int axis = 0; axis < n->rank; axis++)
        if (dim_uses(b->g->dims, n->shape[axis], symbol)) return true;
    return false;
}

/* "axis 0 of input x" */
static const char *origin_text(const Binder *b, int symbol) {
    const Origin *o = &b->origin[symbol];
    if (o->input < 0) return "the value given for it";
    return arena_printf(b->g->arena, "axis %d of input %s", o->axis,
                        b->g->inputs.at[o->input].name);
}

static void note_origins(const Binder *b, const Node *n) {
    const Dims *d = b->g->dims;
    for (int s = 0; s < d->symbols.count; s++)
        if (b->known[s] && shape_uses(b, n, s))
            diag_note(b->g->diag, d->symbols.at[s].span, "%s = %" PRId64 ", from %s",
                      d->symbols.at[s].name, b->symbols[s], origin_text(b, s));
}

static bool mismatch(const Binder *b, int i) {
    const Tensor *t = b->inputs[i];
    const Node *n = input_node(b, i);
    Text is = text_new(b->g->arena), says = text_new(b->g->arena);
    tensor_shape_print(t->type, t->rank, t->shape, &is);
    shape_print(b->g->dims, n->type, n->rank, n->shape, &says);
    const char *file = b->files ? b->files[i] : NULL;
    diag_error(b->g->diag, b->g->inputs.at[i].span, "input %s is %s%s%s, but the model says %s",
               b->g->inputs.at[i].name, text_get(&is), file ? " in " : "", file ? file : "",
               text_get(&says));
    note_origins(b, n);
    return false;
}

/* "D = 12, N = 3": the symbols of a guard. */
static const char *guard_values(const Binder *b, const DimGuard *guard) {
    const Dims *d = b->g->dims;
    Text text = text_new(b->g->arena);
    for (int s = 0; s < d->symbols.count; s++)
        if (dim_uses(d, guard->a, s) || dim_uses(d, guard->b, s))
            text_printf(&text, "%s%s = %" PRId64, text.size ? ", " : " for ", d->symbols.at[s].name,
                        b->symbols[s]);
    return text_get(&text);
}

static bool check_guards(const Binder *b) {
    const Dims *d = b->g->dims;
    const DimGuard *guard;
    if (dims_check(d, b->symbols, &guard)) return true;
    diag_error(b->g->diag, guard->span, "%s: %s fails%s", guard->why,
               dim_guard_text(d, guard, b->g->arena), guard_values(b, guard));
    return false;
}

/* ---- values ----------------------------------------------------------------------------- */

/* A binding without a dim in this function is for another function of the file. */
static void take_bindings(Binder *b, const DimBinding *bindings, int count) {
    for (int i = 0; i < count; i++) {
        int s = dim_symbol_find(b->g->dims, bindings[i].name);
        if (s < 0) continue;
        b->symbols[s] = bindings[i].value;
        b->known[s] = true;
        b->origin[s] = (Origin){-1, 0};
    }
}

static bool check_ranks(const Binder *b) {
    bool ok = true;
    for (int i = 0; i < b->g->inputs.count; i++) {
        const Node *n = input_node(b, i);
        const Tensor *t = b->inputs[i];
        if (t->type != n->type || t->rank != n->rank) ok = mismatch(b, i);
    }
    return ok;
}

/* Solves one axis; true if that made a symbol known. */
static bool solve_axis(Binder *b, int i, int axis) {
    const Dims *d = b->g->dims;
    for (int s = 0; s < d->symbols.count; s++) {
        if (b->known[s] || !dim_uses(d, input_node(b, i)->shape[axis], s)) continue;
        if (!dim_solve(d, input_node(b, i)->shape[axis], b->inputs[i]->shape[axis], b->symbols,
                       b->known))
            return false;
        b->origin[s] = (Origin){i, axis}; /* the only unknown symbol */
        return true;
    }
    return false;
}

/* x[2*N, M*N] needs N first; so the walk over the axes is repeated until nothing new is known. */
static void solve_all(Binder *b) {
    for (bool learned = true; learned;) {
        learned = false;
        for (int i = 0; i < b->g->inputs.count; i++)
            for (int axis = 0; axis < input_node(b, i)->rank; axis++)
                if (solve_axis(b, i, axis)) learned = true;
    }
}

static bool in_some_input(const Binder *b, int symbol) {
    for (int i = 0; i < b->g->inputs.count; i++)
        if (shape_uses(b, input_node(b, i), symbol)) return true;
    return false;
}

static bool check_symbols(const Binder *b) {
    const Dims *d = b->g->dims;
    bool ok = true;
    for (int s = 0; s < d->symbols.count; s++) {
        const DimSymbol *symbol = &d->symbols.at[s];
        if (b->known[s] && b->symbols[s] >= 1) continue;
        ok = false;
        if (b->known[s])
            diag_error(b->g->diag, symbol->span,
                       "dim %s is %" PRId64 " by %s, but must be at least 1", symbol->name,
                       b->symbols[s], origin_text(b, s));
        else
            diag_error(b->g->diag, symbol->span, "dim %s %s: give its value, as in -D %s=64",
                       symbol->name,
                       in_some_input(b, s) ? "does not follow from the sizes of the inputs"
                                           : "is in no input's shape",
                       symbol->name);
    }
    return ok;
}

static bool check_sizes(const Binder *b) {
    bool ok = true;
    for (int i = 0; i < b->g->inputs.count; i++) {
        const Node *n = input_node(b, i);
        for (int axis = 0; axis < n->rank; axis++) {
            int64_t size;
            if (dim_value(b->g->dims, n->shape[axis], b->symbols, &size) &&
                size == b->inputs[i]->shape[axis])
                continue;
            ok = mismatch(b, i);
            break;
        }
    }
    return ok;
}

bool bind_dims(const Graph *g, const Tensor *const *inputs, const char *const *files,
               const DimBinding *bindings, int count, int64_t *symbols) {
    int size = g->dims->symbols.count;
    Binder b = {g,
                inputs,
                files,
                symbols,
                arena_array(g->arena, bool, size),
                arena_array(g->arena, Origin, size)};
    for (int s = 0; s < size; s++) symbols[s] = 0;
    take_bindings(&b, bindings, count);
    if (!check_ranks(&b)) return false;
    solve_all(&b);
    return check_symbols(&b) && check_sizes(&b) && check_guards(&b);
}
