/* combine.c: an element of a scatter as CUDA text: its base, combined with the elements of its
 * segment of sorted indices, in a loop over these, in which a cursor is the position. In: a Value
 * of kind V_COMBINE. Out: statements. */
#include "emit/cuda/cuda.h"

/* ---- what the elements of a pack share ------------------------------------------------------- */

enum { IS_KNOWN = 1, IS_IN_SEGMENT = 2, DIFFERS = 4 };

static int facts_of(const CudaWriter *c, int value);

static int index_facts(const CudaWriter *c, Ix ix) {
    const Indices *x = c->w.b->indices;
    const IxNode *n = &x->node.at[ix];
    int facts = 0;
    for (int i = 0; i < n->count; i++) {
        const IxAtom *t = &x->atom.at[n->term[i].atom];
        if (t->kind == ATOM_AXIS)
            facts |= t->a == c->w.s->lane ? DIFFERS : 0;
        else
            facts |= t->kind == ATOM_VALUE ? facts_of(c, t->a) : index_facts(c, t->a);
    }
    return facts;
}

static int facts_of(const CudaWriter *c, int value) {
    const Value *v = &c->w.b->values.at[value];
    if (c->in_pack[value]) return c->in_pack[value];
    int facts = v->kind == V_CURSOR ? IS_IN_SEGMENT : v->kind == V_COMBINE ? DIFFERS : 0;
    for (int i = 0; i < value_sources(v); i++) facts |= facts_of(c, v->src[i]);
    if (v->ix) facts |= index_facts(c, v->ix);
    if (v->guard) facts |= facts_of(c, v->guard) & (cuda_has_pack_guard(c, v) ? ~DIFFERS : ~0);
    return c->in_pack[value] = (signed char)(IS_KNOWN | facts);
}

bool cuda_is_in_segment(const CudaWriter *c, int value) {
    return facts_of(c, value) & IS_IN_SEGMENT;
}

bool cuda_varies_in_pack(const CudaWriter *c, int value) { return facts_of(c, value) & DIFFERS; }

/* ---- the loop -------------------------------------------------------------------------------- */

/* Of elements that are set, only the last one is read. */
static void open_segment(Writer *w, const Value *v, const char *at) {
    declare_value(w, v->src[1]);
    declare_value(w, v->src[2]);
    const char *start = value_text(w, v->src[1]), *end = value_text(w, v->src[2]);
    if (value_expr(w, v->src[2]).bind < BIND_CALL) { /* computed once, before the loop */
        write_line(w, "const int %s_end = %s;", at, end);
        end = arena_printf(w->arena, "%s_end", at);
    }
    if (v->attr == OP_NULL) {
        write_line(w, "if (%s < %s) {", start, end);
        write_line(w, "    const int %s = %s - 1;", at, end);
    } else {
        write_line(w, "#pragma unroll 8");
        write_line(w, "for (int %s = %s; %s < %s; %s++) {", at, start, at, end, at);
    }
}

static void combine_element(Writer *w, const Value *v, const char *to) {
    declare_value(w, v->src[3]);
    write_combined(w, v, IN_CUDA, to);
}

/* Each element goes through its segment. */
static void combine_elements(Writer *w, const Value *v, const char *name) {
    const char *at = fresh(w, "cursor");
    declare_value(w, v->src[0]);
    write_line(w, "%s %s = %s;", cuda_register(v->type), name, value_text(w, v->src[0]));
    open_segment(w, v, at);
    const NamesOutside outside = writer_enter(w);
    w->name[v->src[4]] = w->index_name[v->src[4]] = at;
    combine_element(w, v, name);
    writer_leave(w, outside);
    write_line(w, "}");
}

static void forget_elements(Writer *w) {
    for (int i = 1; i < w->b->values.count; i++)
        if (w->s->value[i].level == 2) w->name[i] = NULL;
}

/* Starts a loop over the elements of a pack outside of the one that is written: loads of its packs
 * go before it, and variables of elements are not there. */
static void open_elements(CudaWriter *c, Text *elements) {
    Writer *w = &c->w;
    c->before = text_new(w->arena);
    c->packs.count = 0;
    w->out = elements;
    w->indent = 1;
    forget_elements(w);
}

static void close_elements(const CudaWriter *c, const Text *elements, int indent, Text *out) {
    Text all = text_new(c->w.arena);
    text_printf(&all, "%s#pragma unroll\nfor (int l = 0; l < VEC; l++) {\n%s}\n",
                text_get(&c->before), text_get(elements));
    text_indented(out, text_get(&all), indent);
}

/* What the elements of a pack share, and the cursor changes: such as the position of a row. */
static void declare_shared(const Body *b, int value, void *writer) {
    Writer *w = writer;
    if (w->s->value[value].level < 2) return;
    if (cuda_is_of_element(cuda_of(w), value))
        each_source(b, value, declare_shared, w);
    else
        declare_value(w, value);
}

/* The elements of a pack go through one segment, before the loop over them that is written. */
static void combine_packs(Writer *w, const Value *v, const char *name) {
    CudaWriter *c = cuda_of(w);
    const char *at = fresh(w, "cursor"), *to = arena_printf(w->arena, "%s.at[l]", name);
    const char *const element = w->axis_name[w->s->lane];
    Text all = text_new(w->arena), first = text_new(w->arena), next = text_new(w->arena);
    Text before = c->before, *out = w->out;
    const int indent = w->indent;
    const NamesOutside outside = writer_enter(w);
    text_printf(&all, "Pack<%s, VEC> %s;\n", cuda_register(v->type), name);
    open_elements(c, &first);
    declare_value(w, v->src[0]);
    write_line(w, "%s = %s;", to, value_text(w, v->src[0]));
    close_elements(c, &first, 0, &all);
    w->out = &all, w->indent = 0;
    w->axis_name[w->s->lane] = c->lane;
    forget_elements(w);
    open_segment(w, v, at);
    open_elements(c, &next);
    w->out = &all, w->indent = 1;
    w->name[v->src[4]] = w->index_name[v->src[4]] = at;
    declare_shared(w->b, v->src[3], w);
    w->axis_name[w->s->lane] = element;
    w->out = &next;
    combine_element(w, v, to);
    close_elements(c, &next, 4, &all);
    text_str(&all, "}\n");
    writer_leave(w, outside);
    w->out = out, w->indent = indent;
    c->before = before;
    text_str(&c->before, text_get(&all));
}

void cuda_declare_combine(Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    const CudaWriter *c = cuda_of(w);
    const bool has_packs = c->wide && w->level == 2 && !cuda_varies_in_pack(c, v->src[1]) &&
                           !cuda_varies_in_pack(c, v->src[2]);
    const char *name = fresh(w, "scatter");
    if (has_packs)
        combine_packs(w, v, name);
    else
        combine_elements(w, v, name);
    w->name[value] = has_packs ? arena_printf(w->arena, "%s.at[l]", name) : name;
}
