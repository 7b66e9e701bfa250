/* callgraph.c: the call graph of a file: the order in which functions are checked (callees first),
 * and an error for recursion. */
#include "graph/lower/lower_private.h"

typedef struct Walk {
    Lower *l;
    int *order, count; /* finished, callees first */
    Vec(int) path;     /* functions being visited, each calls the next */
    bool deep;         /* reported */
} Walk;

static void visit(Walk *w, int at, Span call);

Item *item_find(Lower *l, const char *name) {
    int at = names_find(&l->item_names, name);
    return at < 0 ? NULL : &l->items.at[at];
}

/* "f calls g calls f", from the first place of function `at` on the path. */
static void report_cycle(Walk *w, int at, Span call) {
    Lower *l = w->l;
    int i = w->path.count - 1;
    while (w->path.at[i] != at) i--;
    Text text = text_new(l->arena);
    for (int from = i; i < w->path.count; i++) {
        l->items.at[w->path.at[i]].failed = true;
        if (i > from && i - from >= 8 && i < w->path.count - 1) continue;
        text_printf(&text, "'%s' calls ", l->items.at[w->path.at[i]].ast->text);
    }
    diag_error(l->diag, call, "%s'%s': functions are inlined and cannot be recursive",
               text_get(&text), l->items.at[at].ast->text);
}

/* The function that is visited needs another one. */
static void visit_needed(Walk *w, int at, Span call) {
    Lower *l = w->l;
    const int caller = w->path.at[w->path.count - 1];
    Item *callee = &l->items.at[at];
    if (callee->state == OPEN) report_cycle(w, at, call);
    if (callee->state == UNSEEN) visit(w, at, call);
    if (l->items.at[caller].height <= callee->height)
        l->items.at[caller].height = callee->height + 1;
}

static void visit_call(Walk *w, const Ast *call) {
    Lower *l = w->l;
    const int at = names_find(&l->item_names, call->text);
    if (at < 0 || l->items.at[at].kind != ITEM_FN) return;
    l->items.at[at].called = true;
    if (is_train(&l->items.at[at])) {
        diag_error(
            l->diag, call->span,
            "'%s' is made by 'train' and only called from outside: what it keeps is not known "
            "here",
            call->text);
        l->items.at[w->path.at[w->path.count - 1]].failed = true;
        return;
    }
    visit_needed(w, at, call->span);
}

/* Recursion is bounded by the depth of the tree. */
static void visit_expr(Walk *w, const Ast *e) {
    if (!e) return;
    if (e->kind == A_CALL) visit_call(w, e);
    for (int i = 0; i < e->kid_count; i++) visit_expr(w, e->kid[i]);
}

static void report_deep(Walk *w, int at, Span span) {
    w->l->items.at[at].failed = true;
    if (w->deep) return;
    w->deep = true;
    diag_error(w->l->diag, span, "calls nest more than %lld deep ('--limit calls=N' changes this)",
               (long long)w->l->limits->calls);
}

static void visit(Walk *w, int at, Span call) {
    Lower *l = w->l;
    Item *item = &l->items.at[at];
    if (w->path.count > l->limits->calls) {
        report_deep(w, w->path.at[w->path.count - 1], call);
        return;
    }
    item->state = OPEN;
    vec_push(l->arena, &w->path, at);
    if (item->derived) visit_needed(w, item->base, item->derived->span);
    for (int i = FN_BODY; i < item->ast->kid_count; i++) visit_expr(w, item->ast->kid[i]);
    w->path.count--;
    item->state = DONE;
    w->order[w->count++] = at;
    if (item->height > l->limits->calls && !item->failed) report_deep(w, at, item->ast->name_span);
}

/* A function is called where one that is derived from it is called. */
static void mark_bases(Lower *l) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < l->items.count; i++) {
            const Item *item = &l->items.at[i];
            if (!item->derived || !item->called || l->items.at[item->base].called) continue;
            changed = l->items.at[item->base].called = true;
        }
    }
}

/* The hidden functions of @vjp come first: what is derived needs them. */
void order_functions(Lower *l, int *order, int *count) {
    Walk walk = {.l = l, .order = order};
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < l->items.count; i++) {
            const Item *item = &l->items.at[i];
            const bool first = item->hidden && !item->derived;
            if (item->kind == ITEM_FN && item->state == UNSEEN && (round || first))
                visit(&walk, i, item->ast->name_span);
        }
    mark_bases(l);
    *count = walk.count;
}
