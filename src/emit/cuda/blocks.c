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

static const char *factors_text(const Parts *p) {
    Text lines = text_new(p->k->arena);
    Writer *w = start_piece(p, PIECE_FACTORS, &lines);
    for (int i = 0; i < p->factors.count; i++) declare_value(w, p->factors.value[i]);
    for (int i = 0; i < p->factors.count; i++)
        write_line(w, "to[half][%d] = %s;", i, value_text(w, p->factors.value[i]));
    return with_positions(p, "8 * half", "", text_get(&lines));
}

static const char *block_text(const Parts *p) {
    const BlockValues *b = &p->c->w.b->blocks;
    Text lines = text_new(p->k->arena);
    Writer *w = start_piece(p, PIECE_BLOCK, &lines);
    w->name[b->part] = "from[i]";
    for (int i = 0; i < p->factors.count; i++)
        w->name[p->factors.value[i]] = arena_printf(p->k->arena, "by[i / 2 %% 2][%d]", i);
    declare_value(w, b->term);
    write_line(w, "sum[0][i] += %s;", value_text(w, b->term));
    return with_positions(p, "i / 2 % 2 * 8", " + i / 4 * 8 + lane % 4 * 2 + i % 2",
                          text_get(&lines));
}

/* Tensor cores add products of f8 in 14 bits, and what they return goes to one set of registers or
 * to two in turn. */
void cuda_add_parts(CudaKernel *k, CudaWriter *c, const DotForm *form, Fills *fills) {
    const Body *b = c->w.b;
    const Parts p = {k, c, form, block_factors(b, c->tile.n)};
    const char *sum = dtype_is_float(b->accs.at[0].type) ? "float" : "int";
    const char *set = arena_printf(k->arena, "[%d * tile_n / 2]", form->count);
    const bool scales = b->blocks.term, has_factors = p.factors.count;
    const bool has_batch = !dim_is(b->indices->dims, b->indices->extent[DOT_BATCH], 1);
    const char *batch = arena_printf(k->arena, "const %s first_batch = at_batch;\n", c->index);
    const char *by = "", *of = has_factors ? ", block_factors[%d]" : "";
    if (has_factors) by = arena_printf(k->arena, ", %s (&by)[2][%d]", sum, p.factors.count);
    const Fill made[] = {
        {"TO_PART", arena_printf(k->arena, "%s (&to)%s%s", sum, set, by)},
        {"FROM_PART", arena_printf(k->arena, "%s (&from)%s%s", sum, set, by)},
        {"PART_0", arena_printf(k->arena, "part[0]%s", arena_printf(k->arena, of, 0))},
        {"PART_1", arena_printf(k->arena, "part[1]%s", arena_printf(k->arena, of, 1))},
        {"FIRST_BATCH", scales && has_batch ? batch : ""},
        {"FACTORS", cuda_number(k->arena, p.factors.count)},
        {"FACTORS_OF_ROW", has_factors ? factors_text(&p) : ""},
        {"BLOCK", scales ? block_text(&p) : ""},
        {"IF_BLOCKS", scales ? "1" : ""},
        {"IF_FACTORS", has_factors ? "1" : ""},
        {"IF_PLAIN", scales ? "" : "1"}};
    FILLS_ADD(k->arena, fills, made);
}
