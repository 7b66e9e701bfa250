/* visit.c: what a value reads, and the axes that an index runs along. */
#include "kernel/kernel.h"

/* Axes of an index; a gathered position brings those of its value. */
uint32_t index_axes(const Body *b, Ix ix)
{
    const IxNode *n = &b->indices->node.at[ix];
    uint32_t axes = 0;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &b->indices->atom.at[n->term[i].atom];
        if (t->kind == ATOM_VALUE) axes |= b->values.at[t->a].axes;
        else if (t->kind == ATOM_AXIS) axes |= 1u << t->a;
        else axes |= index_axes(b, t->a);
    }
    return axes;
}

int value_sources(const Value *v)
{
    switch (v->kind) {
    case V_OP: return v->op == OP_WHERE ? 3 : v->src[1] ? 2 : 1;
    case V_CAST:
    case V_SCAN:
    case V_CLAMP: return 1;
    default: return 0;
    }
}

/* The values that v reads: sources, guard, gathered positions. */
static void index_values(Body *b, Ix ix, VisitValue *visit, void *context)
{
    const IxNode n = b->indices->node.at[ix];
    for (int i = 0; i < n.count; i++) {
        const IxAtom t = b->indices->atom.at[n.term[i].atom];
        if (t.kind == ATOM_VALUE) visit(b, t.a, context);
        else if (t.kind != ATOM_AXIS) index_values(b, t.a, visit, context);
    }
}

void each_source(Body *b, int value, VisitValue *visit, void *context)
{
    const Value v = b->values.at[value];
    for (int i = 0; i < value_sources(&v); i++) visit(b, v.src[i], context);
    if (v.guard) visit(b, v.guard, context);
    if (v.ix) index_values(b, v.ix, visit, context);
}
