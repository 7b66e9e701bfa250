/* blocks.c: what a product by wgmma adds up in registers, of what tensor cores return of a stage:
 * their sum, or, of a contraction of scaled blocks, a function of it and of factors.
 * In: Kernel of family F_DOT, its DotForm. Out: fills of templates/cuda/wgmma.cu. */
#include "emit/cuda/cuda.h"

typedef struct Parts {
    CudaKernel *k;
    CudaWriter *c;
    const DotForm *form;
    BlockFactors factors;
} Parts;

static bool is_whole(const Parts *p, int axis, int tile) {
    const Indices *x = p->c->w.b->indices;
    return dim_divides(x->dims, dim_const(x->dims, tile), x->extent[axis]);
}

/* "const int at_m = row < M ? row : M - 1;" of an axis, if the text is written with it. */
static void put_position(const Parts *p, int axis, const char *at, int tile, Text *out) {
    const CudaWriter *c = p->c;
    const char *name = c->w.axis_name[axis], *end = cuda_dim(c, c->w.b->indices->extent[axis]);
    if (!(c->w.used.axes >> axis & 1)) return;
    if (is_whole(p, axis, tile)) {
        text_printf(out, "const %s %s = %s;\n", c->index, name, at);
        return;
    }
    text_printf(out, "%s %s = %s;\n", c->index, name, at);
    text_printf(out, "if (%s >= %s) %s = %s - 1;\n", name, end, name, end);
}

/* Of the warp's rows and of the tile's columns, those with these offsets. */
static const char *with_positions(const Parts *p, const char *row, const char *column,
                                  const char *text) {
    Text out = text_new(p->k->arena);
    Arena *arena = p->k->arena;
    put_position(p, DOT_BATCH, "first_batch", 1, &out);
    put_position(p, DOT_M, arena_printf(arena, "first_m + %s", row), p->c->tile.m, &out);
    put_position(p, DOT_N, arena_printf(arena, "first_n%s", column), p->c->tile.n, &out);
    text_str(&out, text);
    return text_get(&out);
}

static Writer *start_piece(const Parts *p, PieceRole role, Text *lines) {
    Writer *w = &p->c->w;
    p->c->wide = false;
    p->c->vector = 1;
    w->out = lines;
    writer_piece(w, role, 0, DOT_N);
    return w;
}

/* Lines that compute the factors, and give factor i to `to`, a text with %d for i. */
static const char *list_text(const Parts *p, PieceRole role, const FactorList *f, const char *to) {
    Text lines = text_new(p->k->arena);
    Writer *w = start_piece(p, role, &lines);
    for (int i = 0; i < f->count; i++) declare_value(w, f->value[i]);
    for (int i = 0; i < f->count; i++)
        write_line(w, "%s = %s;", arena_printf(p->k->arena, to, i), value_text(w, f->value[i]));
    return text_get(&lines);
}

static const char *row_text(const Parts *p) {
    const char *lines = list_text(p, PIECE_ROW_FACTORS, &p->factors.of_row, "to[half][%d]");
    return with_positions(p, "8 * half", "", lines);
}

static const char *column_text(const Parts *p) {
    if (!p->factors.of_column.count) return "";
    const char *lines = list_text(p, PIECE_COLUMN_FACTORS, &p->factors.of_column, "next[%d]");
    return with_positions(p, "0", " + own_column", lines);
}

/* Of two neighbouring columns, from shared memory. */
static const char *pairs_text(const Parts *p, const char *sum) {
    Text out = text_new(p->k->arena);
    for (int i = 0; i < p->factors.of_column.count; i++)
        text_printf(&out,
                    "const Pack<%s, 2> of_column_%d =\n"
                    "    load_pack<2>(of_columns + %s2 * i + lane %% 4 * 2);\n",
                    sum, i, i ? arena_printf(p->k->arena, "%d * tile_n + ", i) : "");
    return text_get(&out);
}

static const char *block_text(const Parts *p) {
    const BlockValues *b = &p->c->w.b->blocks;
    const FactorList *rows = &p->factors.of_row, *columns = &p->factors.of_column;
    Arena *arena = p->k->arena;
    Text lines = text_new(arena);
    Writer *w = start_piece(p, PIECE_BLOCK, &lines);
    w->name[b->part] = "from[i + l]";
    for (int i = 0; i < rows->count; i++)
        w->name[rows->value[i]] = arena_printf(arena, "by[l / 2][%d]", i);
    for (int i = 0; i < columns->count; i++)
        w->name[columns->value[i]] = arena_printf(arena, "of_column_%d.at[l %% 2]", i);
    declare_value(w, b->term);
    write_line(w, "sum[0][i + l] += %s;", value_text(w, b->term));
    return with_positions(p, "l / 2 * 8", " + 2 * i + lane % 4 * 2 + l % 2", text_get(&lines));
}

/* Sums of 64 rows of the tile that a thread has. */
const char *cuda_tile_sums(Arena *arena, const DotForm *form) {
    return form->count == 1   ? "tile_n / 2"
           : form->count == 2 ? "tile_n"
                              : arena_printf(arena, "%d * tile_n / 2", form->count);
}

/* Tensor cores add products of f8 in 14 bits, and what they return goes to one set of registers or
 * to two in turn. */
void cuda_add_parts(CudaKernel *k, CudaWriter *c, const DotForm *form, Fills *fills) {
    const Body *b = c->w.b;
    const Parts p = {k, c, form, block_factors(b, &c->tile)};
    const char *sum = dtype_is_float(b->accs.at[0].type) ? "float" : "int";
    const char *set = arena_printf(k->arena, "[%s]", cuda_tile_sums(k->arena, form));
    const bool scales = b->blocks.term;
    const int rows = p.factors.of_row.count, columns = p.factors.of_column.count;
    const bool has_batch = !dim_is(b->indices->dims, b->indices->extent[DOT_BATCH], 1);
    const char *batch = arena_printf(k->arena, "const %s first_batch = at_batch;\n", c->index);
    const char *by = "", *of = rows ? ", block_factors[%d]" : "";
    if (rows) by = arena_printf(k->arena, ", %s (&by)[2][%d]", sum, rows);
    const Fill made[] = {
        {"TO_PART", arena_printf(k->arena, "%s (&to)%s%s", sum, set, by)},
        {"FROM_PART", arena_printf(k->arena, "%s (&from)%s%s", sum, set, by)},
        {"PART_0", arena_printf(k->arena, "part[0]%s", arena_printf(k->arena, of, 0))},
        {"PART_1", arena_printf(k->arena, "part[1]%s", arena_printf(k->arena, of, 1))},
        {"FIRST_BATCH", scales && has_batch ? batch : ""},
        {"ROW_FACTORS", cuda_number(k->arena, rows)},
        {"COLUMN_FACTORS", cuda_number(k->arena, columns)},
        {"FACTOR_COLUMNS",
         columns == 1 ? "tile_n" : arena_printf(k->arena, "(%d * tile_n)", columns)},
        {"FACTORS_OF_ROW", rows ? row_text(&p) : ""},
        {"FACTORS_OF_COLUMN", column_text(&p)},
        {"PAIRS", pairs_text(&p, sum)},
        {"BLOCK", scales ? block_text(&p) : ""},
        {"IF_BLOCKS", scales ? "1" : ""},
        {"IF_ROW_FACTORS", rows ? "1" : ""},
        {"IF_COLUMN_FACTORS", columns ? "1" : ""},
        {"IF_PLAIN", scales ? "" : "1"}};
    FILLS_ADD(k->arena, fills, made);
}
