/* row_edges.c: rows that start anywhere in packs: the elements beside their whole packs, before and
 * behind these, each of which a thread has as a single element.
 * In: a Row whose Tile has a longer vector than its strides allow. Out: text of these elements. */
#include "emit/cuda/row.h"

/* In a cluster the first block has all edges. */
static const char *beyond(const Row *r, const char *end) {
    return arena_printf(r->c.w.arena, "rank ? %s : ", end);
}

void row_declare_edges(Row *r) {
    Writer *w = &r->c.w;
    const Indices *x = r->b->indices;
    const IxNode *n = &x->node.at[r->c.shifted_row];
    const char *end = size_text(w, r->b->cols), *index = r->c.index;
    Text start = text_new(w->arena);
    for (int i = 0; i < n->count; i++) {
        const IxTerm *term = &n->term[i];
        const IxAtom *atom = &x->atom.at[term->atom];
        if (atom->kind == ATOM_AXIS && atom->a == w->s->lane) continue;
        text_printf(&start, "%s%s * %s", start.size ? " + " : "", atom_text(w, term->atom),
                    size_factor_text(w, term->scale));
    }
    if (!start.size || !dim_is(r->d, n->offset, 0))
        text_printf(&start, "%s%s", start.size ? " + " : "", size_factor_text(w, n->offset));
    text_str(&r->body,
             "/* Aligned packs are from `head` to `whole`; each element beside them is the "
             "`edge` of a\n * thread. */\n");
    text_printf(&r->body, "const %s head = -(%s) & (VEC - 1);\n", index, text_get(&start));
    text_printf(&r->body, "const %s whole = head + (%s - head) / VEC * VEC;\n", index, end);
    const char *thread = row_thread(r);
    text_printf(&r->body, "const %s edge = %s%s < head ? %s : whole + %s - head;\n", index,
                tile_has_cluster(&r->c.tile) ? beyond(r, end) : "", thread, thread, thread);
    if (!tile_has_cluster(&r->c.tile)) return;
    text_printf(&r->body, "const %s start = head + rank * %lld;\nconst int part = %s;\n", index,
                (long long)row_part(r), row_part_text(r));
}

static void write_edge(Row *r, const char *text, Text *out) {
    if (!*text) return;
    text_printf(out, "if (edge < %s) {\n", size_text(&r->c.w, r->b->cols));
    if (r->c.reads_flat) text_printf(out, "    const %s %s = edge;\n", r->c.index, r->c.lane);
    text_indented(out, text, 4);
    text_str(out, "}\n");
}

static void start_edge(Row *r) {
    r->c.wide = false;
    r->c.is_edge = true;
    r->c.reads_flat = false;
}

static void finish_edge(Row *r) {
    r->c.wide = true;
    r->c.is_edge = false;
}

const char *row_edge_item(Row *r, int stage) {
    Text out = text_new(r->c.w.arena);
    start_edge(r);
    const char *item = row_with_positions(r, cuda_item(&r->c, stage));
    write_edge(r, item, &out);
    finish_edge(r);
    return text_get(&out);
}

void row_load_edges(Row *r) {
    CudaWriter *c = &r->c;
    Writer *w = &c->w;
    Text loads = text_new(w->arena);
    start_edge(r);
    w->axis_name[w->s->lane] = c->lane;
    for (int i = 1; i < r->b->values.count; i++) {
        const Value *v = &r->b->values.at[i];
        if (!c->hoisted[i] || w->s->value[i].level < 2) continue;
        text_printf(&r->body, "%s %s_edge;\n", cuda_storage(v->type), c->hoisted[i]);
        text_printf(&loads, "%s_edge = %s[%s];\n", c->hoisted[i], buffer_name(w, v->attr),
                    text_inside(w->arena, index_text(w, v->ix)));
    }
    const char *text = row_with_positions(r, text_get(&loads));
    write_edge(r, text, &r->body);
    finish_edge(r);
}
