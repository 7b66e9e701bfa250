/* row.c: kernels of the row family: a frame (row.cu, or column.cu if neighbouring threads have
 * neighbouring rows), and in it one pass over the columns for each stage (stage.cu).
 * In: Kernel with one body. Out: text and launch. */
#include "emit/cuda/row.h"

#include <string.h>

enum { WARP = 32 };

static const char *number(const Row *r, int64_t n) { return cuda_number(r->c.w.arena, n); }

/* ---- axes ---------------------------------------------------------------------------------- */

static void name_axes(Writer *w) {
    const Body *b = w->b;
    int cols = b->axes.count - b->row_count;
    w->axis_name[BODY_CHUNK] = "chunk";
    for (int i = 0; i < b->axes.count; i++) {
        const Axis *a = &b->axes.at[i];
        const char **name = &w->axis_name[a->number];
        if (i < b->row_count)
            *name = b->row_count == 1 ? "row" : arena_printf(w->arena, "i%d", i);
        else
            *name = cols == 1 ? "col" : arena_printf(w->arena, "j%d", i - b->row_count);
    }
}

static const char *row_positions(Row *r) {
    return cuda_positions(&r->c, r->b->axes.at, r->b->row_count, "row");
}

/* Text that was written since this was last asked, after the positions that it reads. */
const char *row_with_positions(Row *r, const char *text) {
    const Body *b = r->b;
    const char *positions =
        cuda_positions(&r->c, b->axes.at + b->row_count, b->axes.count - b->row_count, "col");
    return arena_printf(r->c.w.arena, "%s%s", positions, text);
}

/* ---- how the threads share rows and columns ------------------------------------------------ */

/* A thread has a row. */
static bool is_alone(const Row *r) { return !r->open && r->c.tile.row_threads == 1; }

/* The position of a thread among those of its row: a lane, unless a row has more than a warp. */
const char *row_thread(const Row *r) {
    return r->c.tile.row_threads && r->c.tile.row_threads <= WARP ? "lane" : "thread";
}

/* The stride between a thread's items: of the tile's vector, or of VEC. */
static const char *step(const Row *r) {
    const Tile *t = &r->c.tile;
    Arena *arena = r->c.w.arena;
    const char *threads = r->c.w.s->lane_is_row ? number(r, t->split)
                          : r->open             ? "blockDim.x"
                                                : number(r, t->row_threads);
    if (tile_has_cluster(t)) return threads;
    if (is_alone(r) && r->c.scans && !r->c.w.s->lane_is_row)
        return r->c.wide ? "VEC * items" : "items";
    if (r->c.wide && !r->c.w.s->lane_is_row) threads = arena_printf(arena, "%s * VEC", threads);
    return r->c.scans ? arena_printf(arena, "%s * items", threads) : threads;
}

static const char *first(const Row *r) {
    const char *thread = row_thread(r);
    if (r->c.w.s->lane_is_row) return r->c.tile.split == 1 ? "0" : "part";
    if (r->c.shifted_row) return arena_printf(r->c.w.arena, "head + %s * VEC", thread);
    if (is_alone(r)) return "0";
    return r->c.wide ? arena_printf(r->c.w.arena, "%s * VEC", thread) : thread;
}

/* Is each group in more lanes than it has columns for? */
static bool has_padding(const Row *r) { return tile_padded_group(r->b) > body_group(r->b); }

static const char *item_position(const Row *r);

/* Lanes that a group has no column for are beyond the end. */
const char *row_item_position(const Row *r) {
    if (!has_padding(r)) return item_position(r);
    return arena_printf(r->c.w.arena, "group_column<%lld, %lld>(%s)", (long long)body_group(r->b),
                        (long long)tile_padded_group(r->b), item_position(r));
}

/* Threads of a column have neighbours of it each where these are summed one after the other. */
static const char *item_position(const Row *r) {
    const Tile *t = &r->c.tile;
    Arena *arena = r->c.w.arena;
    if (tile_has_cluster(t)) return r->c.wide ? "start + item * VEC" : "start + item";
    const char *threads = r->open ? "blockDim.x" : number(r, t->row_threads);
    if (r->c.w.s->lane_is_row && t->split == 1) return "item";
    if (r->c.w.s->lane_is_row && r->c.scans) return "part * items + item";
    if (r->c.w.s->lane_is_row) return arena_printf(arena, "item * %d + part", t->split);
    if (is_alone(r) && !r->c.shifted_row) return r->c.wide ? "item * VEC" : "item";
    if (!r->c.wide) return arena_printf(arena, "item * %s + %s", threads, first(r));
    return arena_printf(arena, "%s(item * %s + %s) * VEC", r->c.shifted_row ? "head + " : "",
                        threads, row_thread(r));
}

static void choose_reduce(Row *r) {
    const Tile *t = &r->c.tile;
    Arena *arena = r->c.w.arena;
    if (r->c.w.s->lane_is_row) {
        r->lanes = t->threads / t->split;
        if (t->split > 1)
            r->c.reduce = arena_printf(arena, "column_reduce<$, %d, %d>", r->lanes, t->split);
        return;
    }
    r->lanes = t->row_threads;
    if (r->open || t->row_threads == t->threads)
        r->c.by_block = true;
    else if (t->row_threads == WARP)
        r->c.reduce = "warp_reduce<$>";
    else if (t->row_threads > 1)
        r->c.reduce = arena_printf(arena, "warp_reduce<$, %d>", t->row_threads);
}

/* The end of what packs take. */
static const char *cols(const Row *r) {
    return r->c.shifted_row ? "whole" : size_text(&r->c.w, r->b->cols);
}

static const char *last(const Row *r, Dim extent) {
    return size_text(&r->c.w, dim_sub(r->d, extent, dim_const(r->d, 1)));
}

static const char *rows_text(const Row *r) { return size_text(&r->c.w, r->b->rows); }

/* The whole row is known to be whole items of all threads, whatever VEC is. */
bool row_is_whole(const Row *r) {
    const Tile *t = &r->c.tile;
    const int threads = r->c.w.s->lane_is_row ? t->split : t->row_threads * t->vector;
    const int loop = r->c.scans ? t->unroll : 1;
    /* A tile of a product may be wider than its rows. */
    const int items = t->items && !r->c.w.s->lane_is_row ? t->items : loop;
    if (r->c.shifted_row || has_padding(r)) return false;
    return threads && dim_divides(r->d, dim_const(r->d, threads * items), r->b->cols);
}

/* Threads beyond the end read nothing: another one may write it in place. */
bool row_leaves(const Row *r) {
    bool leaves = false;
    for (int i = 0; i < r->c.w.k->buffers.count; i++) leaves |= r->c.w.k->buffers.at[i].is_shared;
    return leaves && r->b->chunks;
}

static void choose_stores(Row *r) {
    const Tile *t = &r->c.tile;
    bool all = row_has_whole_blocks(r) || row_leaves(r), steps = r->c.scans && !row_is_whole(r);
    r->c.add_if = steps ? "if (active) " : "";
    if (all)
        r->c.store_if = steps ? "if (active) " : "";
    else
        r->c.store_if = steps ? "if (valid && active) " : "if (valid) ";
    const char *leader =
        r->c.w.s->lane_is_row
            ? "part == 0"
            : arena_printf(r->c.w.arena, "%s%s == 0", tile_has_cluster(t) ? "rank == 0 && " : "",
                           row_thread(r));
    bool alone = r->c.w.s->lane_is_row ? t->split == 1 : t->row_threads == 1;
    if (alone)
        r->c.row_if = all ? "" : "if (valid) ";
    else
        r->c.row_if = arena_printf(r->c.w.arena, all ? "if (%s) " : "if (valid && %s) ", leader);
}

/* ---- stages -------------------------------------------------------------------------------- */

/* "max, sum" or "y": the results of a stage. */
static const char *stage_results(const Row *r, int stage) {
    const Body *b = r->b;
    Text out = text_new(r->c.w.arena);
    for (int i = 0; i < b->accs.count; i++)
        if (r->c.w.s->acc[i] == stage)
            text_printf(&out, "%s%s", out.size ? ", " : "", op_info[b->accs.at[i].op].name);
    for (int i = 0; i < b->stores.count; i++)
        if (schedule_stores(r->c.w.s, i, stage))
            text_printf(&out, "%s%s", out.size ? ", " : "",
                        r->k->k->buffers.at[b->stores.at[i].buffer].name);
    return text_get(&out);
}

/* All that follows is of one of the neighbouring rows of a thread, until the next stage. After the
 * last one only those that store compute it. */
static void start_results(Row *r, bool is_last) {
    Writer *w = &r->c.w;
    r->results_if = is_last ? r->c.row_if : "";
    if (is_last) r->c.row_if = "";
    const size_t size = sizeof *w->index_name * (size_t)w->b->values.count;
    r->outside = arena_array(w->arena, const char *, w->b->values.count + 1);
    memcpy(r->outside, w->index_name, size);
    w->out = &r->results;
    w->axis_name[w->s->lane] = arena_printf(w->arena, "(%s + l)", r->c.lane);
}

static void put_results(Row *r) {
    if (!r->results.size) return;
    Text loop = text_new(r->c.w.arena);
    const bool is_some = *r->results_if;
    text_str(&loop, "#pragma unroll\nfor (int l = 0; l < VEC; l++) {\n");
    text_indented(&loop, text_get(&r->results), 4);
    text_str(&loop, "}\n");
    if (is_some) text_printf(&r->body, "%s{\n", r->results_if);
    text_indented(&r->body, text_get(&loop), is_some ? 4 : 0);
    if (is_some) text_str(&r->body, "}\n");
    r->results = text_new(r->c.w.arena);
}

static void mark_source(const Body *b, int source, void *context) {
    (void)b;
    ((bool *)context)[source] = true;
}

/* What a stage and those after it read of the values before them. */
static const bool *read_later(const Row *r, int stage) {
    const Body *b = r->b;
    const Schedule *s = r->c.w.s;
    bool *read = arena_array(r->c.w.arena, bool, b->values.count);
    for (int i = 1; i < b->values.count; i++) {
        const Place *p = &s->value[i];
        if (p->used && (p->level == 2 ? p->used >> stage != 0 : p->stage > stage))
            each_source(b, i, mark_source, read);
    }
    for (int i = 0; i < b->accs.count; i++)
        if (s->acc[i] >= stage) read[b->accs.at[i].value] = true;
    for (int i = 0; i < b->stores.count; i++)
        if (s->store[i].stage > stage) read[b->stores.at[i].value] = true;
    return read;
}

/* Ends what is of one row at a time, in front of a stage: values that are read later become
 * elements of packs. */
static void leave_results(Row *r, int stage) {
    Writer *w = &r->c.w;
    const bool *read = read_later(r, stage);
    for (int i = 1; i < w->b->values.count; i++) {
        const Place *p = &w->s->value[i];
        const char *name = w->name[i];
        if (!name || p->level != 1 || p->stage != stage || !read[i] || strchr(name, '[')) continue;
        const char *pack = fresh(w, arena_printf(w->arena, "%s_rows", value_stem(w, i)));
        text_printf(&r->body, "Pack<%s, VEC> %s;\n", cuda_register(w->b->values.at[i].type), pack);
        text_printf(&r->results, "%s.at[l] = %s;\n", pack, name);
        w->name[i] = arena_printf(w->arena, "%s.at[l]", pack);
    }
    put_results(r);
    memcpy(w->index_name, r->outside, sizeof *w->index_name * (size_t)w->b->values.count);
    w->axis_name[w->s->lane] = r->c.lane;
    w->out = &r->body;
}

/* Some items of a known number are of every thread: only the others are compared with the end of
 * the row. Branches around all items would keep the arithmetic of one from overlapping with the
 * next. */
static bool has_full_items(const Row *r) {
    const Tile *t = &r->c.tile;
    int64_t cols = 0;
    if (!t->items || r->c.scans || r->c.w.s->lane_is_row || row_is_whole(r)) return false;
    if (has_padding(r)) return false;
    return dim_is_const(r->d, r->b->cols, &cols) && cols >= t->row_threads;
}

/* What is kept has to be in registers; a single stage keeps nothing, and single elements, where
 * rows are not aligned, would be too many to unroll. */
static const char *unroll_items(const Row *r) {
    if (!r->c.sums || r->c.w.s->stage_count > 1) return "#pragma unroll\n";
    return arena_printf(r->c.w.arena, "#pragma unroll %d\n", r->c.tile.items);
}

static void write_stage(Writer *w, int stage) {
    CudaWriter *c = cuda_of(w);
    Row *r = row_of(w);
    if (w->out == &r->results) leave_results(r, stage);
    Text start = text_new(w->arena), finish = text_new(w->arena), *out = w->out;
    w->level = 2;
    w->out = &start;
    write_accumulators(w, stage, cuda_accumulator_start);
    text_str(&start, c->scans ? row_carries(r, stage) : "");
    c->reads_flat = false;
    const bool has_groups = schedule_phases(w->s, stage) > 0;
    const char *item = c->scans     ? row_scan(r, stage)
                       : has_groups ? row_groups(r, stage)
                                    : row_with_positions(r, cuda_item(c, stage));
    const bool reads_flat = c->reads_flat;
    if (c->shifted_row) text_str(&finish, row_edge_item(r, stage));
    w->out = &finish;
    write_accumulators(w, stage, cuda_accumulator_finish);
    w->out = out;
    const bool unrolled = c->tile.items > 0, is_bounded = !unrolled || !row_is_whole(r);
    const bool in_cluster = tile_has_cluster(&c->tile);
    const bool position = reads_flat || (unrolled && !row_is_whole(r));
    const int stages = w->s->stage_count;
    const char *which =
        stages > 1 ? arena_printf(w->arena, "stage %d of %d: ", stage + 1, stages) : "";
    const char *title = arena_printf(w->arena, "\n// %s%s", which, stage_results(r, stage));
    Fill fills[] = {{"title", title},
                    {"before", text_get(&start)},
                    {"columns", item},
                    {"after", text_get(&finish)},
                    {"IDX", c->index},
                    {"COLS", is_bounded ? cols(r) : ""},
                    {"FIRST", first(r)},
                    {"STEP", step(r)},
                    {"ITEM", row_item_position(r)},
                    {"UNROLL", number(r, c->tile.unroll)},
                    {"UNROLL_ITEMS", unroll_items(r)},
                    {"unrolled", unrolled && !c->scans && !has_groups ? "1" : ""},
                    {"ragged", row_is_whole(r) || has_full_items(r) ? "" : "1"},
                    {"ragged_last", has_full_items(r) ? "1" : ""},
                    {"position", position ? "1" : ""},
                    {"ITEMS", c->wide ? "part / VEC" : "part"},
                    {"IF_CLUSTER", in_cluster ? "1" : ""},
                    {"loop", !unrolled && !c->scans && !in_cluster && !has_groups ? "1" : ""},
                    {"steps", !unrolled && c->scans ? "1" : ""},
                    {"once", (unrolled && c->scans) || has_groups ? "1" : ""}};
    TEMPLATE_FILL("cuda/stage.cu", fills, &r->body);
    if (w->s->lane_is_row && c->wide) start_results(r, stage == w->s->stage_count - 1);
}

/* ---- a loop over columns --------------------------------------------------------------------- */

static const char *items_constant(Row *r) {
    const Tile *t = &r->c.tile;
    const int items = t->items ? t->items : t->unroll;
    Arena *arena = r->c.w.arena;
    const char *text = arena_printf(arena, "constexpr int items = %d;\n", items);
    if (r->c.wide && t->items && !r->c.w.s->lane_is_row)
        text = arena_printf(arena, "constexpr int items = %d / VEC;\n", items * t->vector);
    if (!has_full_items(r)) return text;
    const char *form = !r->c.wide         ? "%s / %d"
                       : r->c.shifted_row ? "(%s - VEC + 1) / (%d * VEC)"
                                          : "%s / (%d * VEC)";
    const char *full = arena_printf(arena, form, size_text(&r->c.w, r->b->cols), t->row_threads);
    return arena_printf(arena, "%sconstexpr int full = %s; /* items that every thread has */\n",
                        text, full);
}

void row_columns(Row *r, const char *columns, Text *out) {
    const CudaWriter *c = &r->c;
    const bool unrolled = c->tile.items > 0, in_cluster = tile_has_cluster(&c->tile);
    Fill fills[] = {{"title", ""},
                    {"before", ""},
                    {"columns", columns},
                    {"after", ""},
                    {"IDX", c->index},
                    {"COLS", row_is_whole(r) && unrolled ? "" : cols(r)},
                    {"FIRST", first(r)},
                    {"STEP", step(r)},
                    {"ITEM", row_item_position(r)},
                    {"UNROLL", number(r, c->tile.unroll)},
                    {"UNROLL_ITEMS", "#pragma unroll\n"},
                    {"unrolled", unrolled ? "1" : ""},
                    {"ragged", row_is_whole(r) || has_full_items(r) ? "" : "1"},
                    {"ragged_last", has_full_items(r) ? "1" : ""},
                    {"position", "1"},
                    {"ITEMS", c->wide ? "part / VEC" : "part"},
                    {"IF_CLUSTER", in_cluster ? "1" : ""},
                    {"loop", unrolled || in_cluster ? "" : "1"},
                    {"steps", ""},
                    {"once", ""}};
    TEMPLATE_FILL("cuda/stage.cu", fills, out);
}

/* ---- the kernel ---------------------------------------------------------------------------- */

static void write_frame(Row *r, int64_t shared) {
    CudaWriter *c = &r->c;
    if (r->b->chunks) row_sums_finish(r);
    const char *body = text_get(&r->body), *row = row_of_thread(r), *positions = row_positions(r);
    const bool ragged = !row_has_whole_blocks(r), by_columns = c->w.s->lane_is_row;
    const char *end = by_columns && c->wide ? arena_printf(c->w.arena, "%s - VEC", rows_text(r))
                                            : last(r, r->b->rows);
    const char *clamped = arena_printf(c->w.arena, "valid ? first : %s", end);
    const char *thread = row_thread(r);
    const bool reads_thread = strstr(body, thread) || strstr(positions, thread);
    const bool is_lane = !strcmp(thread, "lane");
    const bool in_cluster = tile_has_cluster(&c->tile);
    Fill fills[] = {{"IDX", c->index},
                    {"IF_CLUSTER", in_cluster ? "1" : ""},
                    {"CLUSTER", number(r, c->tile.cluster)},
                    {"MOST", in_cluster ? number(r, row_part(r)) : ""},
                    {"PART", in_cluster ? row_part_text(r) : ""},
                    {"has_part", in_cluster && !c->shifted_row ? "1" : ""},
                    {"ROWS", ragged ? rows_text(r) : ""},
                    {"LANES", number(r, r->lanes)},
                    {"THREAD_OF_ROW", row_thread_number(r)},
                    {"IF_LANE", reads_thread && is_lane ? "1" : ""},
                    {"IF_THREAD", reads_thread && !is_lane ? "1" : ""},
                    {"FIRST", row},
                    {"ROW", row_leaves(r) ? "first"
                            : ragged      ? clamped
                                          : row},
                    {"ragged", ragged ? "1" : ""},
                    {"many", row_is_alone(r) ? "" : "1"},
                    {"split", c->tile.split > 1 ? "1" : ""},
                    {"KEPT", shared ? "1" : ""},
                    {"leaves", row_leaves(r) ? "1" : ""},
                    {"clamps", row_leaves(r) ? "" : "1"},
                    {"CHUNKS", number(r, r->b->chunks)},
                    {"again", c->calls == 1 ? "1" : ""},
                    {"sums", text_get(&r->sums)},
                    {"after", text_get(&r->after)},
                    {"positions", positions},
                    {"body", body}};
    const char *template = by_columns     ? "cuda/column.cu"
                           : r->b->chunks ? "cuda/row_chunks.cu"
                                          : "cuda/row.cu";
    const int count = (int)(sizeof fills / sizeof *fills);
    if (c->records_if.count)
        cuda_function_wide(r->k, c, template, "body", &c->records_if, fills, count);
    else
        cuda_function(r->k, c, template, "body", by_columns, fills, count);
}

static Row row_new(CudaKernel *k) {
    Row r = {.k = k, .c = cuda_writer(k, 0)};
    Writer *w = &r.c.w;
    const Tile *t = &r.c.tile;
    r.b = w->b;
    r.d = r.b->indices->dims;
    r.open = !w->s->lane_is_row && !t->row_threads;
    name_axes(w);
    cuda_name_flat(&r.c, r.b->axes.at, r.b->row_count, "row");
    cuda_name_flat(&r.c, r.b->axes.at + r.b->row_count, r.b->axes.count - r.b->row_count, "col");
    cuda_writer_ready(&r.c);
    r.c.shifted_row = tile_shifted_row(k->k, w->s, &r.c.tile);
    r.c.scans = schedule_has_scan(w->s);
    r.carry = arena_array(k->arena, const char *, r.b->values.count + 1);
    r.body = text_new(w->arena);
    r.sums = text_new(w->arena);
    r.after = text_new(w->arena);
    r.results = text_new(w->arena);
    return r;
}

/* Kept values, then the stages. Returns the bytes of shared memory that they take. */
static int64_t write_body(Row *r) {
    if (r->c.shifted_row) row_declare_edges(r);
    if (r->b->chunks)
        row_sums_start(r, r->c.tile.items ? items_constant(r) : "");
    else if (r->c.tile.items || r->c.scans)
        text_str(&r->body, items_constant(r));
    row_block_start(r);
    const int64_t bytes = row_keep(r);
    if (!r->c.is_product_row) cuda_find_records(&r->c);
    r->c.w.out = &r->body;
    declare_level(&r->c.w, 0, 0);
    write_stages(&r->c.w, write_stage);
    put_results(r);
    row_block_finish(r);
    return bytes;
}

void cuda_row(CudaKernel *k) {
    Row r = row_new(k);
    choose_reduce(&r);
    choose_stores(&r);
    row_launch(&r);
    int64_t bytes = write_body(&r);
    k->static_shared = tile_reduction_shared(r.c.w.s, &r.c.tile);
    if (r.c.block_ix)
        k->static_shared += tile_block_rows_shared(k->k, r.c.w.s, &r.c.tile, r.c.block_ix);
    /* A kernel asks for what is more than all have by default, if that is dynamic. */
    if (bytes && bytes <= TILE_SHARED && bytes + k->static_shared > TILE_SHARED)
        bytes = TILE_SHARED + 16;
    cuda_shared(k, 1, bytes, "what is kept of rows");
    write_frame(&r, bytes);
}

/* ---- rows of a contraction's results ------------------------------------------------------- */

const char *cuda_warp_row(CudaKernel *k, CudaWriter *c, bool wide, bool ragged, const char *segment,
                          Alignments *alignments) {
    const Body *b = c->w.b;
    c->w.s = c->w.schedule->stages;
    memset(c->w.name, 0, sizeof *c->w.name * (size_t)c->w.b->values.count);
    c->w.axis_name[DOT_COLUMN] = c->lane = "col";
    c->w.axis_name[DOT_SEGMENT] = "at_segment";
    c->w.indent = 0;
    c->w.used.axes = 0;
    c->wide = wide;
    c->vector = c->tile.vector;
    c->store_if = ragged ? "if (valid) " : "";
    c->row_if = ragged ? "if (valid && lane == 0) " : "if (lane == 0) ";
    c->sums = c->holds_sums ? "held + item * VEC" : "row_sums + col";
    c->is_product_row = true;
    if (c->wide) cuda_add_alignments(c, true, alignments);
    Row r = {.k = k, .c = *c, .b = b, .d = b->indices->dims};
    r.body = text_new(k->arena);
    choose_reduce(&r);
    Words *const outside = writer_open_block(&r.c.w);
    write_body(&r);
    writer_close_block(&r.c.w, outside);
    if (!(r.c.w.used.axes >> DOT_SEGMENT & 1)) return text_get(&r.body);
    return arena_printf(k->arena, "const %s at_segment = %s;\n%s", c->index, segment,
                        text_get(&r.body));
}

const char *cuda_warp_rows(CudaKernel *k, CudaWriter *c, bool ragged, const char *segment,
                           Alignments *alignments) {
    const char *packs = cuda_warp_row(k, c, true, ragged, segment, alignments);
    packs = arena_printf(k->arena, "constexpr int VEC = %d;\n%s", c->vector, packs);
    const Tile tile = c->tile;
    c->tile.items *= tile.vector;
    c->tile.vector = 1;
    const char *single = cuda_warp_row(k, c, false, ragged, segment, NULL);
    c->tile = tile;
    const Choice choices[] = {{"", "wide", packs}, {"", "", single}};
    return choice_text(k->arena, choices, 2);
}
