/* transpose.c: pointwise bodies with loads that cross the order of the stores, as C. A thread takes
 * blocks of rows, along which such loads are contiguous, and columns, along which stores are; the
 * loads are transposed in registers, a square of vectors at a time, into a tile in L1.
 * In: a body with such a tile. Out: loops. */
#include "emit/c/c.h"

#include <string.h>

typedef struct Transpose {
    Writer *w;
    TransposeForm form;
    const char *row, *col; /* the names of the two axes */
    bool whole;            /* blocks are known to be whole */
    int batch;             /* axes besides the two */
    int block, width;      /* columns of a block, and of a tile */
    bool copies;           /* it stores what it loads */
    /* Then elements of a cache line: rows are shifted by up to so many, so that blocks fill lines
     * of the result wherever its rows start; 0: they are not */
    int line;
    int shifted; /* the store whose lines these are */
} Transpose;

/* Does it store what a tile holds as it is? */
static bool is_copy(const Transpose *t, const Store *s) {
    const Body *b = t->w->b;
    const Dtype type = b->values.at[s->value].type;
    return transpose_crosses(b, &t->form, s->value) && type != T_BOOL &&
           type == t->w->k->buffers.at[s->buffer].type;
}

static bool is_copied(const Transpose *t) {
    for (int i = 0; i < t->w->b->stores.count; i++)
        if (!is_copy(t, &t->w->b->stores.at[i])) return false;
    return true;
}

/* Stores that go around the caches should fill lines. The wider a block, the fewer columns are read
 * twice for that. */
static void choose_shift(Transpose *t) {
    enum { LINE = 64, STAGED = 1 << 15, WIDEST = 16 }; /* bytes; of a tile, in L1; lanes */
    enum { WIDE = 128, LINES = 4 };                    /* columns, and lines, of a block */
    const Writer *w = t->w;
    for (int i = 0; i < w->b->stores.count && t->copies && !t->line; i++) {
        const Dtype type = w->k->buffers.at[w->b->stores.at[i].buffer].type;
        const int line = LINE / (int)dtype_size(type);
        if (!strcmp(c_store_way(w, i), "st") || w->tile->n % line) continue;
        if (!c_is_whole(w, t->form.lane, line)) t->line = line, t->shifted = i;
    }
    if (!t->line) return;
    const int most = STAGED / LINE * t->line / w->tile->m;
    while (2 * t->block <= most && (t->block < WIDE || t->block < LINES * t->line)) t->block *= 2;
    t->width = t->block + (t->line > WIDEST ? t->line : WIDEST);
}

static Transpose transpose_new(Writer *w) {
    Transpose t = {.w = w, .form = transpose_form(w->k, w->b), .batch = w->b->axes.count - 2};
    t.row = w->axis_name[t.form.across], t.col = w->axis_name[t.form.lane];
    t.whole = c_is_whole(w, t.form.across, w->tile->m) && c_is_whole(w, t.form.lane, w->tile->n);
    t.block = t.width = w->tile->n;
    t.copies = is_copied(&t);
    choose_shift(&t);
    return t;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void open_loop(Writer *w, const char *i, const char *end, const char *step) {
    write_line(w, "for (idx %s = 0; %s < %s; %s%s) {", i, i, end, i, step);
    w->indent++;
}

/* The columns that a block reads beyond its own, for rows that are shifted. */
static void declare_spill(const Transpose *t) {
    Writer *w = t->w;
    if (!t->line) return;
    const bool known = !strcmp(c_store_way(w, t->shifted), "stream");
    w->may_stream |= !known;
    write_line(
        w, "/* Rows that end within a cache line: a block stores them up to the end of one. */");
    write_line(w, "const idx spill = %s%s %% %d ? %d : 0;", known ? "" : "stream && ",
               size_factor_text(w, w->b->indices->extent[t->form.lane]), t->line, t->line);
}

/* Along the rows within columns: memory is read in order. */
static void open_blocks(const Transpose *t) {
    Writer *w = t->w;
    const Body *b = w->b;
    const Dim *extent = b->indices->extent;
    const char *rows = size_text(w, extent[t->form.across]);
    const char *cols = size_text(w, extent[t->form.lane]);
    declare_spill(t);
    c_parallel(w, t->batch + 2);
    for (int i = 0; i < b->axes.count; i++) {
        const Axis *a = &b->axes.at[i];
        if (a->number == t->form.across || a->number == t->form.lane) continue;
        open_loop(w, w->axis_name[a->number], size_text(w, a->extent), "++");
    }
    open_loop(w, "col_start", cols, arena_printf(w->arena, " += %d", t->block));
    open_loop(w, "row_start", rows, arena_printf(w->arena, " += %d", w->tile->m));
    if (t->whole) return;
    write_line(w, "const idx rows = fx_least(%s - row_start, %d);",
               size_factor_text(w, extent[t->form.across]), w->tile->m);
    write_line(w, "const idx cols = fx_least(%s - col_start, %d%s);",
               size_factor_text(w, extent[t->form.lane]), t->block, t->line ? " + spill" : "");
}

/* The loop over the vectors of a block's rows or columns, with `lanes` of them valid. */
static void open_vectors(const Transpose *t, const char *i, const char *lanes, const char *end,
                         int side) {
    Writer *w = t->w;
    if (t->whole)
        write_line(w, "for (idx %s = 0; %s < %d; %s += VL) {", i, i, side, i);
    else
        write_line(w, "EACH_VECTOR(%s, %s, %s) {", i, lanes, end);
    w->indent++;
}

/* ---- what crosses ---------------------------------------------------------------------------- */

/* Unrolled, with -O2 too: the square is in registers. */
#define EACH_LANE "_Pragma(\"GCC unroll 16\") "

static int bits_of(Dtype type) { return 8 * (int)dtype_size(type); }

/* The loop over the columns of a square, from `col` on; columns beyond the last are the last again.
 */
static void open_columns(const Transpose *t, const char *count) {
    Writer *w = t->w;
    write_line(w, EACH_LANE "for (idx l = 0; l < %s; l++) {", count);
    w->indent++;
    if (t->whole)
        write_line(w, "const idx %s = col_start + col + l;", t->col);
    else
        write_line(w, "const idx %s = col_start + fx_least(col + l, cols - 1);", t->col);
}

/* VL columns, of VL rows each. */
static void cross_square(const Transpose *t, int value, const char *tile) {
    Writer *w = t->w;
    const Value *v = &w->b->values.at[value];
    const int bits = bits_of(v->type);
    write_line(w, "const idx %s = row_start + row;", t->row);
    write_line(w, "u%d square[VL];", bits);
    open_columns(t, "VL");
    write_line(w, "square[l] = ld_%d(%s, %s);", bits, address_text(w, v->attr, v->ix),
               t->whole ? "VL" : "down");
    c_close_loops(w, 1);
    write_line(w, "transpose_%d(square);", bits);
    write_line(w, EACH_LANE "for (idx l = 0; l < VL; l++)");
    write_line(w, "    st_%d(%s + (row + l) * %d + col, square[l], VL);", bits, tile, t->width);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

enum { REGISTER = 64 }; /* bytes of the longest register */

static const char *rows_text(const Transpose *t) {
    return t->whole ? arena_printf(t->w->arena, "%d", t->w->tile->m) : "rows";
}

static const char *cols_text(const Transpose *t) {
    return t->whole ? arena_printf(t->w->arena, "%d", t->w->tile->n) : "cols";
}

/* 16 columns, of whole registers of rows. */
static void cross_bytes(const Transpose *t, int value, const char *tile) {
    Writer *w = t->w;
    const Value *v = &w->b->values.at[value];
    open_loop(w, "col", cols_text(t), " += 16");
    open_loop(w, "row", arena_printf(w->arena, "WHOLE(%s, 4 * VL)", rows_text(t)), " += 4 * VL");
    write_line(w, "const idx %s = row_start + row;", t->row);
    write_line(w, "u8x4 square[16];");
    open_columns(t, "16");
    write_line(w, "memcpy(&square[l], %s, sizeof square[l]);", address_text(w, v->attr, v->ix));
    c_close_loops(w, 1);
    write_line(w, "cross_bytes(%s + row * %d + col, %d, square);", tile, t->width, t->width);
    c_close_loops(w, 2);
}

/* The rows of a block that are left. */
static void cross_bytes_left(const Transpose *t, int value, const char *tile) {
    Writer *w = t->w;
    if (t->whole && w->tile->m % REGISTER == 0) return;
    open_loop(w, "col", cols_text(t), " += VL");
    write_line(w, "EACH_VECTOR(left, down, %s %% (4 * VL)) {", rows_text(t));
    w->indent++;
    write_line(w, "const idx row = WHOLE(%s, 4 * VL) + left;", rows_text(t));
    cross_square(t, value, tile);
    c_close_loops(w, 2);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Words whose columns are pages apart, give or take a quarter of a register, for a result of ragged
 * rows that is written around the caches. One thread of a Zen 4, ms by registers and by words:
 * 4095 x 4097 7.4 and 6.2, 4095 x 4100 6.8 and 6.5, 2049 x 2049 1.8 and 1.6; but 4095 x 4108 6.2
 * and 6.4, 5000 x 5000 10.0 and 10.5. */
static bool has_words(const Transpose *t, int value, Dim *stride) {
    enum { PAGE = 1024, NEAR = 4 }; /* words */
    const Body *b = t->w->b;
    const Value *v = &b->values.at[value];
    int64_t words;
    if (!t->line || strcmp(c_store_way(t->w, t->shifted), "stream")) return false;
    if (dtype_size(v->type) != 4 || index_along(b, v->ix, t->form.lane, stride) != 1) return false;
    if (!dim_is_const(b->indices->dims, *stride, &words)) return false;
    const int64_t beyond = (words < 0 ? -words : words) % PAGE; /* 0: whole lines */
    return beyond && (beyond <= NEAR || beyond >= PAGE - NEAR);
}

/* 8 columns of 8 rows at a time, of which a vector may have fewer. */
#define WHOLE_WORDS(n) "WHOLE(" n ", fx_most(VL, 8))"

static void cross_words(const Transpose *t, int value, Dim stride, const char *tile) {
    Writer *w = t->w;
    const Value *v = &w->b->values.at[value];
    open_loop(w, "col", WHOLE_WORDS("cols"), " += 8");
    open_loop(w, "row", WHOLE_WORDS("rows"), " += 8");
    write_line(w, "const idx %s = row_start + row, %s = col_start + col;", t->row, t->col);
    write_line(w, "cross_words(%s + row * %d + col, %d, %s, %s);", tile, t->width, t->width,
               address_text(w, v->attr, v->ix), size_text(w, stride));
    c_close_loops(w, 2);
}

/* The rows and columns of a block that are left. */
static void cross_words_left(const Transpose *t, int value, const char *tile) {
    Writer *w = t->w;
    open_loop(w, "col", "cols", " += VL");
    write_line(w, "const idx first = col < " WHOLE_WORDS("cols") " ? " WHOLE_WORDS("rows") " : 0;");
    write_line(w, "for (idx row = first; row < rows; row += VL) {");
    w->indent++;
    write_line(w, "const idx down = fx_least(rows - row, VL);");
    cross_square(t, value, tile);
    c_close_loops(w, 2);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Fills the tile of a load. */
static void cross(const Transpose *t, int value) {
    Writer *w = t->w;
    const Tile *tile = w->tile;
    const Value *v = &w->b->values.at[value];
    const char *name = fresh(w, arena_printf(w->arena, "%s_tile", value_stem(w, value)));
    Dim stride;
    write_line(w, "%s %s[%d * %d] __attribute__((aligned(64)));", storage_type(v->type), name,
               tile->m, t->width);
    if (dtype_size(v->type) == 1) {
        cross_bytes(t, value, name);
        cross_bytes_left(t, value, name);
    } else if (has_words(t, value, &stride)) {
        cross_words(t, value, stride, name);
        cross_words_left(t, value, name);
    } else {
        open_loop(w, "col", cols_text(t), " += VL");
        open_vectors(t, "row", "down", "rows", tile->m);
        cross_square(t, value, name);
        c_close_loops(w, 2);
    }
    w->tiles[value] = arena_printf(w->arena, "%s + row * %d + col", name, t->width);
}

static void cross_all(const Transpose *t) {
    Writer *w = t->w;
    const Piece *crossing = schedule_find(w->schedule, PIECE_CROSSING, 0);
    w->tiles = arena_array(w->arena, const char *, w->b->values.count);
    for (int i = 0; i < crossing->count; i++) cross(t, crossing->roots[i]);
}

/* ---- prefetches ------------------------------------------------------------------------------ */

static bool is_prefetched(const Writer *w, int value) {
    return !c_is_in_l2(w, w->b->values.at[value].attr);
}

/* Where the next block starts. */
static void declare_next(const Transpose *t) {
    Writer *w = t->w;
    const Piece *crossing = schedule_find(w->schedule, PIECE_CROSSING, 0);
    bool any = false;
    for (int i = 0; i < crossing->count; i++) any |= is_prefetched(w, crossing->roots[i]);
    if (!any) return;
    write_line(w,
               "/* What the next block reads is fetched while the rows of this one are stored. */");
    const char *rows = size_text(w, w->b->indices->extent[t->form.across]);
    write_line(w, "const idx next_row = row_start + %d < %s ? row_start + %d : 0;", w->tile->m,
               rows, w->tile->m);
    write_line(w, "const idx next_col = next_row ? col_start : col_start + %d;", t->block);
}

/* While a row is stored, its share of the next block's columns: memory is read and written at the
 * same time. Columns that start anywhere in a line have a part of one more: 63 bytes at most. */
static void prefetch_share(const Transpose *t, int value) {
    Writer *w = t->w;
    const Value *v = &w->b->values.at[value];
    const int m = w->tile->m, bytes = m * (int)dtype_size(v->type);
    const char *const row = w->axis_name[t->form.across], *const col = w->axis_name[t->form.lane];
    write_line(w, "for (idx l = row; l < %d%s; l += %d)", t->block, t->line ? " + spill" : "", m);
    w->axis_name[t->form.across] = "next_row";
    w->axis_name[t->form.lane] = "(next_col + l)";
    write_line(w, "    FETCH_LINES(%s, %d%s);", address_text(w, v->attr, v->ix), bytes,
               t->whole ? "" : " + 63");
    w->axis_name[t->form.across] = row;
    w->axis_name[t->form.lane] = col;
}

/* Is it read along the rows of the result? */
static bool is_row_load(const Transpose *t, int value) {
    const Writer *w = t->w;
    const Body *b = w->b;
    const Value *v = &b->values.at[value];
    Dim scale = 0;
    if (v->kind != V_LOAD || v->guard || w->tiles[value] || w->s->value[value].level < 2)
        return false;
    return !b->indices->node.at[v->ix].dynamic &&
           b->indices->node.at[v->ix].axes >> t->form.across & 1 &&
           index_along(b, v->ix, t->form.lane, &scale) == 1 && dim_is(b->indices->dims, scale, 1);
}

static bool has_special_function(const Body *b) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_OP && op_info[b->values.at[i].op].costly) return true;
    return false;
}

/* The same row of the next block, unless arithmetic leaves memory time enough. One thread of a Zen
 * 4, x.T + z of f32: [4096, 4096] 12.9 and 10.5 ms, [4000, 3000] 9.1 and 6.4. */
static void prefetch_row(const Transpose *t, int value) {
    Writer *w = t->w;
    const Value *v = &w->b->values.at[value];
    const int bytes = t->block * (int)dtype_size(v->type);
    const char *const row = w->axis_name[t->form.across], *const col = w->axis_name[t->form.lane];
    w->axis_name[t->form.across] = "(next_row + row)";
    w->axis_name[t->form.lane] = "next_col";
    write_line(w, "FETCH_LINES(%s, %d%s);", address_text(w, v->attr, v->ix), bytes,
               t->whole ? "" : " + 63");
    w->axis_name[t->form.across] = row;
    w->axis_name[t->form.lane] = col;
}

static void prefetch_next(const Transpose *t) {
    const Writer *w = t->w;
    const Piece *crossing = schedule_find(w->schedule, PIECE_CROSSING, 0);
    bool any = false;
    for (int i = 0; i < crossing->count; i++) {
        if (!is_prefetched(w, crossing->roots[i])) continue;
        prefetch_share(t, crossing->roots[i]);
        any = true;
    }
    if (!any || has_special_function(w->b)) return;
    for (int i = 1; i < w->b->values.count; i++)
        if (is_row_load(t, i) && is_prefetched(w, i)) prefetch_row(t, i);
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* The columns of a row that a block stores: up to where a line ends. */
static void declare_range(const Transpose *t) {
    Writer *w = t->w;
    const char *const col = w->axis_name[t->form.lane];
    const Store *s = &w->b->stores.at[t->shifted];
    if (!t->line) return;
    w->axis_name[t->form.lane] = "col_start";
    write_line(w, "/* Elements before the row's first whole line are of the block before. */");
    write_line(w, "const idx head = spill ? -(uintptr_t)(%s) %% 64 / %d : 0;",
               address_text(w, s->buffer, s->ix), 64 / t->line);
    w->axis_name[t->form.lane] = col;
    write_line(w, "const idx to = fx_least(%d + head, cols);", t->block);
    write_line(w, "const idx from = col_start ? fx_least(head, to) : 0;");
}

static void copy_row(const Transpose *t, int store) {
    Writer *w = t->w;
    const Store *s = &w->b->stores.at[store];
    const int size = (int)dtype_size(w->k->buffers.at[s->buffer].type);
    const char *const way = c_store_way(w, store);
    const bool known = !strcmp(way, "stream"), open = !strcmp(way, "out");
    w->streams |= known, w->may_stream |= open;
    const char *bytes = t->line    ? arena_printf(w->arena, "%d * (to - from)", size)
                        : t->whole ? arena_printf(w->arena, "%d", size * w->tile->n)
                                   : arena_printf(w->arena, "%d * cols", size);
    write_line(w, "copy_row(%s, %s, %s, %s);", address_text(w, s->buffer, s->ix),
               w->tiles[s->value], bytes,
               known  ? "true"
               : open ? "stream"
                      : "false");
}

static void write_columns(Writer *w, int stage) {
    const Transpose t = transpose_new(w);
    w->level = 2;
    w->stage = stage;
    count_uses(w);
    open_vectors(&t, "col", "lanes", "cols", w->tile->n);
    w->lanes = t.whole ? "VL" : "lanes";
    write_line(w, "const idx %s = col_start + col;", t.col);
    write_element(w, stage);
    c_close_loops(w, 1);
}

static void write_row(const Transpose *t) {
    declare_range(t);
    if (!t->copies) {
        write_stages(t->w, write_columns);
        return;
    }
    write_line(t->w, "const idx col = %s, %s = col_start + col;", t->line ? "from" : "0", t->col);
    for (int i = 0; i < t->w->b->stores.count; i++) copy_row(t, i);
}

void c_transpose(Writer *w) {
    const Transpose t = transpose_new(w);
    const char *rows = t.whole ? arena_printf(w->arena, "%d", w->tile->m) : "rows";
    declare_level(w, 0, 0);
    open_blocks(&t);
    cross_all(&t);
    declare_next(&t);
    open_loop(w, "row", rows, "++");
    write_line(w, "const idx %s = row_start + row;", t.row);
    prefetch_next(&t);
    write_row(&t);
    c_close_loops(w, t.batch + 3);
}
