/* row_groups.c: stages that go through the groups of a row. Items are so placed that a group is in
 * neighbouring lanes of one item, or in whole items of all threads of the row; its columns are
 * padded to a power of two, and lanes beyond them have none. Threads take a step together:
 *
 *     for items of a step
 *         phase 0: each thread reduces what it has of the group
 *         the lanes of the group exchange that
 *         phase 1: ..
 *
 * In: a Row. Out: the text of a stage. */
#include "emit/cuda/row.h"

static const char *number(const Row *r, int64_t n) { return cuda_number(r->c.w.arena, n); }

/* Has a group more columns than there are threads, of one element each where nothing is aligned? */
static bool has_steps(const Row *r) { return tile_padded_group(r->b) > r->c.tile.row_threads; }

/* Elements of the threads of a row in one item: "128 * VEC". */
static const char *item_columns(const Row *r) {
    const int threads = r->c.tile.row_threads;
    return r->c.wide ? arena_printf(r->c.w.arena, "%d * VEC", threads) : number(r, threads);
}

/* "(4096 + 128 * VEC - 1) / (128 * VEC)" */
static const char *items_of(const Row *r, const char *columns) {
    const char *each = item_columns(r);
    return arena_printf(r->c.w.arena, "(%s + %s - 1) / (%s)", columns, each, each);
}

/* Of all groups, with their padding. */
static const char *padded_columns(const Row *r) {
    const Dim group = dim_const(r->d, body_group(r->b));
    const Dim padded = dim_const(r->d, tile_padded_group(r->b));
    return size_factor_text(&r->c.w,
                            dim_mul(r->d, dim_div(r->d, r->b->cols, group, NOWHERE), padded));
}

/* ---- a phase --------------------------------------------------------------------------------- */

/* Values of the group and what is stored of it, then its elements. */
static const char *phase_text(Row *r, int stage) {
    CudaWriter *c = &r->c;
    Writer *w = &c->w;
    Text text = text_new(w->arena), *out = w->out;
    const char *const row_if = c->row_if;
    Words *outside = writer_open_block(w);
    forget_groups(w, false);
    w->out = &text;
    c->row_if =
        arena_printf(w->arena, *c->store_if ? "if (valid && %s) " : "if (%s) ",
                     arena_printf(w->arena, "col %% %lld == 0", (long long)body_group(r->b)));
    write_group(w, stage, 0);
    if (has_elements(w, stage)) text_str(&text, cuda_item(c, stage));
    writer_close_block(w, outside);
    c->row_if = row_if;
    w->out = out;
    return row_with_positions(r, text_get(&text));
}

/* What a thread does with each of its items of the group. */
static void each_item(Row *r, const char *text, Text *out) {
    const bool loops = has_steps(r), whole = row_is_whole(r);
    Text item = text_new(r->c.w.arena);
    if (!*text) return;
    text_printf(&item, "const %s col = %s;\n", r->c.index, row_item_position(r));
    if (!whole) text_printf(&item, "if (col < %s) {\n", size_text(&r->c.w, r->b->cols));
    text_indented(&item, text, whole ? 0 : 4);
    if (!whole) text_str(&item, "}\n");
    text_str(out, loops ? "#pragma unroll\nfor (int item = group; item < group + each; item++) {\n"
                        : "{\n");
    text_indented(out, text_get(&item), 4);
    text_str(out, "}\n");
}

/* ---- a stage --------------------------------------------------------------------------------- */

static const char *step_text(Row *r, int stage) {
    Writer *w = &r->c.w;
    const int phases = schedule_phases(w->s, stage);
    Text step = text_new(w->arena), *out = w->out;
    Words *outside = writer_open_block(w);
    forget_groups(w, true);
    for (w->phase = 0; w->phase < phases; w->phase++) {
        w->level = 2;
        w->out = &step;
        write_group_accumulators(w, stage, cuda_accumulator_start);
        each_item(r, phase_text(r, stage), &step);
        w->out = &step;
        w->level = 2;
        write_group_accumulators(w, stage, cuda_group_finish);
    }
    w->phase = 0;
    w->out = out;
    writer_close_block(w, outside);
    return text_get(&step);
}

const char *row_groups(Row *r, int stage) {
    Arena *arena = r->c.w.arena;
    const bool unrolled = r->c.tile.items > 0, steps = has_steps(r);
    const char *items = unrolled ? "items" : items_of(r, padded_columns(r));
    const char *index = unrolled ? "int" : r->c.index, *i = steps ? "group" : "item";
    Text out = text_new(arena);
    const char *step = step_text(r, stage);
    if (steps)
        text_printf(&out, "constexpr int each = %s; /* items of a group */\n",
                    items_of(r, number(r, tile_padded_group(r->b))));
    text_printf(&out, unrolled ? "#pragma unroll\n" : "#pragma unroll %d\n", r->c.tile.unroll);
    text_printf(&out, "for (%s %s = 0; %s < %s; %s) {\n", index, i, i, items,
                steps ? "group += each" : "item++");
    text_indented(&out, step, 4);
    text_str(&out, "}\n");
    if (!steps) return text_get(&out);
    Text block = text_new(arena);
    text_str(&block, "{\n");
    text_indented(&block, text_get(&out), 4);
    text_str(&block, "}\n");
    return text_get(&block);
}
