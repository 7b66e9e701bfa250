/* flight.c: long pointwise stages with several vectors in flight. One vector would wait for the
 * latency of each operation, and the next is too many instructions away. So the statements are cut
 * into parts, and each part is a loop over the vectors; values that later parts read are kept in
 * local arrays. In: a stage of a body. Out: loops. */
#include "emit/c/c.h"

/* Instructions of a part; a special function fills one. */
enum { PART = 32 };

typedef struct Flight {
    Writer *w;
    Text *out;  /* of the loops; the writer's is the current part */
    bool *kept; /* value -> is it in an array? */
    int work;   /* operations of the part */
} Flight;

static bool is_element(const Writer *w, int value) {
    const Place *p = &w->s->value[value];
    return p->level == 2 && p->used >> w->stage & 1;
}

static void start_part(Flight *f) {
    Text *part = arena_new_of(f->w->arena, Text);
    *part = text_new(f->w->arena);
    f->w->out = part;
    f->w->indent++;
    f->work = 0;
}

/* Writes the part as a loop over the vectors. */
static void put_part(Flight *f) {
    Writer *w = f->w;
    const char *n = size_text(w, w->b->indices->extent[w->s->lane]);
    const char *part = text_get(w->out);
    w->indent--;
    w->out = f->out;
    write_line(w, "EACH_IN_FLIGHT(%s, u, lanes, first, %d, %s) {", w->axis_name[w->s->lane],
               w->tile->vectors, n);
    text_str(w->out, part);
    write_line(w, "}");
}

/* ---- values between parts -------------------------------------------------------------------- */

static void mark(const Body *b, int source, void *context) {
    bool *live = context;
    (void)b;
    live[source] = true;
}

/* Which values are read after `last`: by later ones, by stores, or by expressions without a
 * variable. */
static bool *live_after(const Writer *w, int last) {
    const Body *b = w->b;
    bool *live = arena_array(w->arena, bool, b->values.count + 1);
    for (int i = 0; i < b->stores.count; i++) live[b->stores.at[i].value] = true;
    for (int i = b->values.count - 1; i > 0; i--)
        if (is_element(w, i) && !w->name[i] && (i > last || live[i])) each_source(b, i, mark, live);
    return live;
}

/* Ends the part after a value, which gets a variable. */
static void cut(Flight *f, int last) {
    Writer *w = f->w;
    const Value *v = &w->b->values.at[last];
    if (!w->name[last] && (v->kind == V_OP || v->kind == V_CAST))
        declare_as(w, last, fresh(w, value_stem(w, last)));
    const bool *live = live_after(w, last);
    for (int i = 1; i < w->b->values.count; i++) {
        if (!live[i] || f->kept[i] || !w->name[i] || !is_element(w, i)) continue;
        const char *name = fresh(w, arena_printf(w->arena, "kept_%s", value_stem(w, i)));
        write_line(w, "%s[u] = %s;", name, w->name[i]);
        Text *part = w->out;
        w->out = f->out;
        w->indent--;
        write_line(w, "%s %s[%d];", w->dialect->type(w->b->values.at[i].type), name,
                   w->tile->vectors);
        w->indent++;
        w->out = part;
        w->name[i] = arena_printf(w->arena, "%s[u]", name);
        f->kept[i] = true;
    }
    put_part(f);
    start_part(f);
}

/* ---- the stage ------------------------------------------------------------------------------- */

static void write_parts(Writer *w, int stage) {
    const Body *b = w->b;
    Flight f = {w, w->out, arena_array(w->arena, bool, b->values.count + 1), 0};
    w->level = 2;
    w->stage = stage;
    count_uses(w);
    start_part(&f);
    c_prefetch(w, stage);
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (!is_element(w, i)) continue;
        declare_value(w, i);
        if (v->kind == V_OP || v->kind == V_CAST) f.work += op_info[v->op].costly ? PART : 1;
        if (f.work >= PART) cut(&f, i);
    }
    write_element(w, stage);
    put_part(&f);
}

void c_flight(Writer *w, int stage, bool shared_out) {
    const Body *b = w->b;
    const int loops = b->axes.count - b->row_count;
    if (shared_out) c_parallel(w, loops);
    for (int i = b->row_count; i + 1 < b->axes.count; i++) c_open_axis(w, &b->axes.at[i]);
    const char *n = size_text(w, b->indices->extent[w->s->lane]);
    write_line(w, "for (idx first = 0; first < %s; first += %d * VL) {", n, w->tile->vectors);
    w->indent++;
    w->lanes = c_is_whole(w, w->s->lane, 16) ? "VL" : "lanes";
    w->is_aligned = true;
    write_parts(w, stage);
    w->is_aligned = false;
    c_close_loops(w, loops);
}
