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

/* "const int at_m = row < M ? row : M - 1;" of an axis, if the text is written with it. */
static void put_position(const Parts *p, int axis, const char *at, int tile, Text *out) {
    const CudaWriter *c = p->c;
    const char *name = c->w.axis_name[axis], *end = cuda_dim(c, c->w.b->indices->extent[axis]);
    if (!(c->w.used.axes >> axis & 1)) return;
    if (cuda_is_whole(c, axis, tile)) {
        text_printf(out, "const %s %s = %s;\n", c->index, name, at);
        return;
    }
    text_printf(out, "%s %s = %s;\n", c->index, name, at);
    text_printf(out, "if (%s >= %s) %s = %s - 1;\n", name, end, name, end);
}

/* The text, behind the positions of the axes that it is written with. */
static const char *with_positions(const Parts *p, const char *row, const char *column,
                                  const char *text) {
    Text out = text_new(p->k->arena);
    put_position(p, DOT_M, row, p->c->tile.m, &out);
    put_position(p, DOT_N, column, p->c->tile.n, &out);
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

/* ---- the producer's part: factors to shared memory ------------------------------------------- */

/* "tile_m + 2 * tile_n": the elements of so many rows and columns. */
static const char *count_text(const Parts *p, int rows, int columns) {
    static const char *const each[] = {"tile_m", "tile_n"};
    const int count[] = {rows, columns};
    Text out = text_new(p->k->arena);
    for (int i = 0; i < 2; i++) {
        if (!count[i]) continue;
        text_str(&out, out.size ? " + " : "");
        if (count[i] > 1) text_printf(&out, "%d * ", count[i]);
        text_str(&out, each[i]);
    }
    return out.size ? text_get(&out) : "0";
}

/* "tile_m + ": before a position behind such elements. */
static const char *offset_text(const Parts *p, int rows, int columns) {
    return rows + columns ? arena_printf(p->k->arena, "%s + ", count_text(p, rows, columns)) : "";
}

static const char *row_text(const Parts *p) {
    const FactorList *f = &p->factors.of_row;
    Text lines = text_new(p->k->arena);
    if (!f->count) return "";
    Writer *w = start_piece(p, PIECE_ROW_FACTORS, &lines);
    for (int i = 0; i < f->count; i++) declare_value(w, f->value[i]);
    for (int i = 0; i < f->count; i++)
        write_line(w, "factors[%sitem] = %s;", offset_text(p, i, 0), value_text(w, f->value[i]));
    return with_positions(p, "m_start + item", "n_start", text_get(&lines));
}

/* In a block: the positions of rows may have the same names. */
static const char *column_text(const Parts *p) {
    const FactorList *f = &p->factors.of_column;
    const int rows = p->factors.of_row.count;
    Text lines = text_new(p->k->arena);
    if (!f->count) return "";
    Writer *w = start_piece(p, PIECE_COLUMN_FACTORS, &lines);
    for (int i = 0; i < f->count; i++) declare_value(w, f->value[i]);
    for (int i = 0; i < f->count; i++)
        write_line(w, "factors[%sitem] = %s;", offset_text(p, rows, i), value_text(w, f->value[i]));
    const char *text = with_positions(p, "m_start", "n_start + item", text_get(&lines));
    Text out = text_new(p->k->arena);
    text_str(&out, "if (item < tile_n) {\n");
    text_indented(&out, text, 4);
    text_str(&out, "}\n");
    return text_get(&out);
}

/* ---- the consumers' part: products of a block, by its factors -------------------------------- */

/* Of rows g and g + 8 of the warp. */
static const char *row_pairs_text(const Parts *p, const char *sum) {
    Text out = text_new(p->k->arena);
    for (int i = 0; i < p->factors.of_row.count; i++) {
        const char *from = offset_text(p, i, 0);
        text_printf(&out, "const %s of_row_%d[2] = {factors[%sown_row], factors[%sown_row + 8]};\n",
                    sum, i, from, from);
    }
    return text_get(&out);
}

/* Of two neighbouring columns. */
static const char *column_pairs_text(const Parts *p, const char *sum) {
    Text out = text_new(p->k->arena);
    for (int i = 0; i < p->factors.of_column.count; i++)
        text_printf(&out,
                    "const Pack<%s, 2> of_column_%d =\n"
                    "    load_pack<2>(factors + %s2 * i + lane %% 4 * 2);\n",
                    sum, i, offset_text(p, p->factors.of_row.count, i));
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
        w->name[rows->value[i]] = arena_printf(arena, "of_row_%d[l / 2]", i);
    for (int i = 0; i < columns->count; i++)
        w->name[columns->value[i]] = arena_printf(arena, "of_column_%d.at[l %% 2]", i);
    declare_value(w, b->term);
    write_line(w, "sum[0][i + l] += %s;", value_text(w, b->term));
    return with_positions(p, "first_m + l / 2 * 8", "n_start + 2 * i + lane % 4 * 2 + l % 2",
                          text_get(&lines));
}

/* Sums of 64 rows of the tile that a thread has. */
const char *cuda_tile_sums(Arena *arena, const DotForm *form, const Tile *t) {
    if (wgmma_halves(form, t)) return "tile_n / 4";
    return form->count == 1   ? "tile_n / 2"
           : form->count == 2 ? "tile_n"
                              : arena_printf(arena, "%d * tile_n / 2", form->count);
}

/* Producers that arrive at a stage: the thread that starts TMA loads and, with factors, a warp that
 * loads these; the warps that compute operands; or all threads of a warpgroup. */
static const char *arrivals_text(const DotForm *form, bool has_factors) {
    if (wgmma_computes(form)) return wgmma_brings(form) ? "wide ? 5 : 4" : "4";
    return has_factors ? "wide ? 2 : 128" : "wide ? 1 : 128";
}

/* Tensor cores add products of f8 in 14 bits, and what they return goes to one set of registers or
 * to two in turn. */
void cuda_add_parts(CudaKernel *k, CudaWriter *c, const DotForm *form, Fills *fills) {
    const Body *b = c->w.b;
    const Parts p = {k, c, form, block_factors(b, &c->tile)};
    const char *sum = dtype_is_float(b->accs.at[0].type) ? "float" : "int";
    const char *set = cuda_tile_sums(k->arena, form, &c->tile);
    const bool scales = b->blocks.term;
    const int rows = p.factors.of_row.count, columns = p.factors.of_column.count;
    const int count = rows + columns;
    const Fill made[] = {{"TO_PART", arena_printf(k->arena, "%s (&to)[%s]", sum, set)},
                         {"FROM_PART", arena_printf(k->arena, "%s (&from)[%s]", sum, set)},
                         {"FACTOR_COUNT", count_text(&p, rows, columns)},
                         {"FACTORS_OF_ROW", row_text(&p)},
                         {"FACTORS_OF_COLUMN", column_text(&p)},
                         {"ROW_PAIRS", row_pairs_text(&p, sum)},
                         {"COLUMN_PAIRS", column_pairs_text(&p, sum)},
                         {"BLOCK", scales ? block_text(&p) : ""},
                         {"ARRIVALS", arrivals_text(form, count > 0)},
                         {"IF_BLOCKS", scales ? "1" : ""},
                         {"IF_FACTORS", count ? "1" : ""},
                         {"IF_ONE_PRODUCER", count ? "" : "1"},
                         {"IF_UNEVEN", scales && !p.factors.are_shared ? "1" : ""},
                         {"IF_PLAIN", scales ? "" : "1"}};
    FILLS_ADD(k->arena, fills, made);
}
