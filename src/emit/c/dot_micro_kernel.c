/* dot_micro_kernel.c: which micro-kernel multiplies the panels of a contraction: the processor's,
 * whose lanes may hold several narrow products, or one of the function's own.
 * In: Kernel of family F_DOT. Out: its rows and columns, and the text of its own one. */
#include "emit/c/dot.h"

#include <string.h>

/* ---- products that share lanes --------------------------------------------------------------- */

static bool has_micro_kernel(const Writer *w) { return w->tile->rows > 0; }

/* Products of bf16, which may flush denormals (docs/language.md), in the processor's own kernel. */
static bool is_bf16(const Writer *w) {
    const Body *b = w->b;
    if (has_micro_kernel(w) || w->k->g->attrs.strict || c_panels(w, 0, 0)) return false;
    for (int i = 0; i < body_summand_count(b); i++) {
        const Summand s = body_summand(b, i);
        if (b->values.at[s.left].type != T_BF16) return false;
        for (int j = 0; j < b->dots; j++)
            if (b->values.at[s.right[j]].type != T_BF16) return false;
    }
    return true;
}

static bool is_byte(Dtype type) { return type == T_I8 || type == T_U8; }

Sharing c_dot_sharing(const Writer *w) {
    const Body *b = w->b;
    if (is_bf16(w)) return SHARE_BF16;
    const Dtype left = b->values.at[b->accs.at[0].value].type;
    bool is_signed = true, is_one_left = true;
    if (b->accs.at[0].type != T_I32) return SHARE_NOTHING;
    for (int i = 0; i < body_summand_count(b); i++) {
        const Summand s = body_summand(b, i);
        const Dtype l = b->values.at[s.left].type;
        is_one_left &= l == left;
        for (int j = 0; j < b->dots; j++) {
            const Dtype r = b->values.at[s.right[j]].type;
            if (!is_byte(l) || !is_byte(r)) return SHARE_NOTHING;
            is_signed &= r == T_I8;
        }
    }
    return is_signed && is_one_left && !c_panels(w, 0, 0) ? SHARE_BYTES : SHARE_PAIRS;
}

/* In the processor's own order: panels packed once by rows are in another. */
bool c_dot_shares_lanes(const Writer *w) {
    const Sharing sharing = c_dot_sharing(w);
    return sharing == SHARE_BYTES || sharing == SHARE_BF16;
}

/* ---- rows and columns ----------------------------------------------------------------------- */

/* Known to be few rows of floats? */
bool c_dot_knows_few_rows(const Writer *w, int64_t *rows) {
    enum { FEW = 48 };
    const Accumulator *a = &w->b->accs.at[0];
    return !w->tile->rows && dtype_is_float(a->type) && !c_dot_sharing(w) && !c_panels(w, 0, 0) &&
           dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_M], rows) && *rows <= FEW;
}

/* What tiles of so many rows take for a column, in rows: a last one with fewer has loops of its own
 * (TILE_SUMS), of which those of two and four rows wait for their sums. */
static int64_t rows_of_tiles(int64_t rows, int64_t tile) {
    const int64_t rest = rows % tile;
    const int64_t loop = rest > 10 ? tile : rest > 8 ? 10 : rest > 4 ? 8 : rest ? 6 : 0;
    return rows - rest + (loop < tile ? loop : tile);
}

/* Few rows, which are divided better than by the micro-kernel of the processor: by at least a
 * fiftieth, or, of a product that takes a few microseconds, a tenth: in a file with other products
 * another micro-kernel takes as long to compile as two of these. f32, N = K = 2048, one thread of a
 * Zen 5: 16 rows 1981 us instead of 2152, 32 rows 1595 (another Zen 5) instead of 1680. */
static bool has_even_rows(const Writer *w, int64_t *rows) {
    enum { SMALL = 1 << 20 };
    static const int64_t processors[] = {14, 12, 6, 4}; /* MR of tiles_blocks.h */
    const Dims *d = w->b->indices->dims;
    const Dim *size = w->b->indices->extent;
    int64_t batch, n, k;
    if (!c_dot_knows_few_rows(w, rows)) return false;
    if (c_dot_has_few_rows(w)) return true;
    const bool is_small = dim_is_const(d, size[DOT_BATCH], &batch) &&
                          dim_is_const(d, size[DOT_N], &n) && dim_is_const(d, size[DOT_K], &k) &&
                          (double)batch * (double)*rows * (double)n * (double)k < SMALL;
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        const int64_t tile = processors[i], panels = (*rows + tile - 1) / tile;
        const int64_t even = rows_of_tiles(*rows, (*rows + panels - 1) / panels);
        if (even * 100 <= rows_of_tiles(*rows, tile) * (is_small ? 90 : 98)) return true;
    }
    return false;
}

/* Rows of the micro-kernel. */
const char *c_dot_rows(const Writer *w) {
    int64_t rows;
    if (c_dot_shares_lanes(w)) return "SHARED_MR";
    if (has_even_rows(w, &rows)) return arena_printf(w->arena, "EVEN_ROWS(%d)", (int)rows);
    return w->tile->rows ? arena_printf(w->arena, "%d", w->tile->rows) : "MR";
}

const char *c_dot_panel_columns(const Writer *w, const char *element) {
    const char *two = arena_printf(w->arena, "NR_OF(%s)", element);
    return w->tile->vectors == 2 ? two
                                 : arena_printf(w->arena, "%s / 2 * %d", two, w->tile->vectors);
}

/* A micro-kernel of its own, with other rows and vectors than the processor's default? */
bool c_dot_has_own_sums(const Writer *w) {
    int64_t rows;
    return has_micro_kernel(w) || has_even_rows(w, &rows);
}

/* ---- its text -------------------------------------------------------------------------------- */

/* The vectors of a micro-kernel's sums, as macros call them. */
static const char *sum_vector(const Writer *w) {
    const Dtype type = w->b->accs.at[0].type;
    const bool is_long = dtype_size(dtype_compute(type)) == 8;
    if (dtype_is_float(type)) return is_long ? "f64_row" : "f32";
    return is_long ? "u64_row" : "u32";
}

/* "fx_sums_even18_2_f32": of a micro-kernel, which contractions of a file may have in common. */
const char *c_dot_micro_kernel(const Writer *w) {
    int64_t rows = w->tile->rows;
    const bool is_even = has_even_rows(w, &rows);
    const char *even = c_dot_has_few_rows(w) ? "rows" : is_even ? "even" : "";
    return arena_printf(w->arena, "fx_sums_%s%lld_%d_%s", even, (long long)rows, w->tile->vectors,
                        sum_vector(w));
}

static bool has_text(const Text *text, const char *part) {
    return text->size && strstr(text_get(text), part);
}

void c_dot_put_micro_kernel(const Writer *w, const Text *before, Text *out) {
    int64_t even;
    const char *name = c_dot_micro_kernel(w), *rows = c_dot_rows(w), *vector = sum_vector(w);
    if (c_dot_has_few_rows(w) && has_even_rows(w, &even))
        rows = arena_printf(w->arena, "EVEN_PANEL(%d)", (int)even);
    const char *head = arena_printf(w->arena, "TILE_FUNCTION %s(", name);
    const char *element = storage_type(dtype_compute(w->b->accs.at[0].type));
    if (has_text(before, head) || has_text(out, head)) return;
    text_printf(out,
                "/* A micro-kernel: %s rows of %d vectors of sums. */\n"
                "%sidx steps, const %s *restrict left, idx left_size,\n"
                "    const %s *restrict right, idx right_size, %s *restrict sums, idx sums_size,\n"
                "    idx stride, bool add, idx rows, idx panels, idx rest)\n{\n"
                "    add &= FX_ADDS;\n    %s(%s, %d, %s, %s, 0, MUL_ADD, FROM_ZERO)\n}\n\n",
                rows, w->tile->vectors, head, element, element, element,
                c_dot_has_few_rows(w) ? "TILE_SUMS_IN_PLACE" : "TILE_SUMS", rows, w->tile->vectors,
                vector, element);
}
