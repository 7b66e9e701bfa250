/* dot.c: contractions as C: operands evaluated while they are packed, the epilogue while results
 * are in a tile, through templates/c/dot.c.
 * In: Kernel of family F_DOT. Out: the function's body, and the bytes of packed operands. */
#include "emit/c/dot.h"

#include <string.h>

/* The epilogue for a vector of one row. */
static const char *finish(Writer *w) {
    const Body *b = w->b;
    Text text = c_piece_of_tile(w, PIECE_RESULTS, DOT_N), *out = w->out;
    w->out = &text;
    w->sums = "of";
    w->sums_each = "sums_size";
    for (int i = 0; i < b->stores.count; i++) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++) c_store(w, &b->stores.at[i], "st");
    w->out = out;
    return text_get(&text);
}

/* The epilogue for a whole row: the stages of the row family, over a tile's sums. */
static const char *finish_row(Writer *w, const char **scratch) {
    Text text = text_new(w->arena), *out = w->out;
    writer_body(w, w->b, w->schedule);
    w->used.axes = 0;
    w->indent = 0;
    w->out = &text;
    w->sums = "row_sums + i5 / NR * sum_panel + i5 % NR";
    w->sums_each = "sums_size";
    const char *bytes = c_row(w, true);
    if (*bytes) *scratch = bytes;
    w->out = out;
    return text_get(&text);
}

/* Columns that one tile must have: those of a row, if rows are reduced. */
static const char *columns(const Writer *w) {
    return body_has_rows(w->b) ? c_size(w, DOT_COLUMN) : "1";
}

/* Rows of one epilogue: fewer if they are long, so that their sums stay in L2. */
static const char *row_block(const Writer *w) {
    int64_t n;
    if (!body_has_rows(w->b) || !dim_is_const(w->b->indices->dims, w->b->cols, &n)) n = 1;
    n *= w->b->dots;
    const char *mr = c_dot_rows(w);
    const int block = w->tile->block;
    const long long rows = n <= w->tile->sums ? block : (long long)block * w->tile->sums / n;
    if (c_dot_shares_lanes(w)) return arena_printf(w->arena, "SHARED_ROWS(%lld)", rows);
    if (n <= w->tile->sums) return arena_printf(w->arena, "%d / %s * %s", block, mr, mr);
    return arena_printf(w->arena, "%d * %d / %lld / %s * %s", block, w->tile->sums, (long long)n,
                        mr, mr);
}

static bool is_shallow(const Writer *w) {
    int64_t k;
    return c_dot_is_shallow(w, &k);
}

/* The depth of all products. */
static const char *k_size(const Writer *w) {
    if (!w->b->added.count) return c_size(w, DOT_K);
    if (!is_shallow(w)) return "k_size";
    const char *all = c_dot_end(w, 0);
    return strchr(all, ' ') ? arena_printf(w->arena, "(%s)", all) : all;
}

/* Are known sizes one block, with which one thread is done before others have started? */
static bool is_block(const Writer *w) {
    enum { COLUMNS = 512 }; /* of sums that stay in L2, with the most rows */
    const Dims *d = w->b->indices->dims;
    const Dim *size = w->b->indices->extent;
    int64_t batch, m, n, k;
    if (!c_dot_is_shallow(w, &k)) return false;
    if (c_dot_sharing(w) || c_panels(w, 0, 0) || c_panels(w, 0, 1)) return false;
    if (body_has_rows(w->b) && size[DOT_COLUMN] != size[DOT_N]) return false;
    if (!dim_is_const(d, size[DOT_BATCH], &batch) || !dim_is_const(d, size[DOT_M], &m) ||
        !dim_is_const(d, size[DOT_N], &n))
        return false;
    return m <= w->tile->block && n * w->b->dots <= COLUMNS && batch <= w->tile->parallel &&
           batch * m * n * k < w->tile->parallel;
}

/* The blocking of the contraction, an fx_cut, or with `bytes` the memory for it. */
static const char *cut(const Writer *w, const char *count, const char *size, bool bytes) {
    bool left = c_panels_as_is(w, 0), right = c_panels_as_is(w, 1), given = left || right;
    const bool lists = c_dot_lists_rows(w), adapts = given || lists;
    const char *name = bytes && !adapts ? "fx_cut_bytes" : "fx_cut_of";
    const char *all = arena_printf(w->arena, "%s(&%s_tile, %s, %s, %s, %s, %s, %s, %s)", name,
                                   w->k->name, c_size(w, DOT_BATCH), c_size(w, DOT_M),
                                   c_size(w, DOT_N), c_dot_length(w), count, size, columns(w));
    if (given) all = arena_printf(w->arena, "fx_cut_given(%s, %d, %d, %s)", all, left, right, size);
    if (lists)
        all = arena_printf(w->arena, "fx_cut_listed(%s, %s ? %d : 0)", all,
                           c_dot_sharing(w) ? "FX_INDIRECT_PAIRS" : "FX_INDIRECT",
                           c_dot_listed_parts(w));
    return bytes && adapts ? arena_printf(w->arena, "fx_cut_total(%s)", all) : all;
}

const char *c_dot_packed(Writer *w) {
    const Dtype element = dtype_compute(w->b->accs.at[0].type);
    const char *count = arena_printf(w->arena, "%d", w->b->dots);
    const char *size = arena_printf(w->arena, "%zu", dtype_size(element));
    if (!is_block(w)) return cut(w, count, size, true);
    return arena_printf(w->arena, "fx_block_bytes(%s, %s, %s, %s, %s, %s, %s)", c_dot_rows(w),
                        c_dot_panel_columns(w, storage_type(element)), c_size(w, DOT_M),
                        c_size(w, DOT_N), k_size(w), count, size);
}

/* ---- what stands before the function --------------------------------------------------------- */

void c_dot_tile(const Writer *w, const Text *before, Text *out) {
    const Tile *t = w->tile;
    if (!is_block(w))
        text_printf(
            out,
            "static const fx_tile %s_tile = {.m = %d, .n = %d, .k = %d, .block = %d, .group = "
            "%d,\n    .rows = %s, .vectors = %d, .parallel = %d};\n\n",
            w->k->name, t->m, t->n, c_dot_depth(w), t->block, t->group, c_dot_rows(w), t->vectors,
            t->parallel);
    if (c_dot_has_own_sums(w)) c_dot_put_micro_kernel(w, before, out);
}

/* ---- the function ---------------------------------------------------------------------------- */

/* The function that stores sums as results of such a type; "": none does. */
static const char *results_function(Writer *w, Dtype type) {
    enum { COLUMNS = 32, DEPTH = 128, ROWS = 512 };
    const Dim *size = w->b->indices->extent;
    const Sharing sharing = c_dot_sharing(w);
    const Dims *d = w->b->indices->dims;
    int64_t m, n, k;
    if (!dim_is_const(d, size[DOT_M], &m) || !dim_is_const(d, size[DOT_N], &n)) return "";
    if (!c_dot_is_shallow(w, &k) || c_dot_packs_rows(w)) return "";
    if (sharing == SHARE_BF16 && type == T_BF16) {
        const LeftRows rows = c_dot_left_rows(w);
        if (rows == ROWS_IN_PLACE) return k <= DEPTH ? "tile_results_rows_bf16" : "";
        const bool pays = k <= DEPTH || m >= ROWS; /* the last panel has as many rows as others */
        if (c_dot_has_own_sums(w) || !pays) return "";
        return rows == ROWS_BY_TILES ? "tile_results_left_bf16" : "tile_results_packed_bf16";
    }
    if (n < COLUMNS) return ""; /* whole tiles; other sums go through memory anyway */
    if (sharing == SHARE_NOTHING && type == T_F32 && w->b->accs.at[0].type == T_F32)
        return c_dot_has_own_sums(w) ? "" : "tile_results_f32";
    if (sharing == SHARE_BYTES && type == T_I32)
        return strcmp(c_dot_offset(w), "0") ? "tile_results_bytes" : "tile_results_ubytes";
    return "";
}

/* If all of k is one block and the results are sums, in rows `across` apart, the micro-kernel
 * stores them itself: no sums go through memory. One thread of a Zen 4, us:
 *
 *     bf16    1008 x 1024 x 20     206 instead of  307      x 64     590 instead of  705
 *     f32     1000 x 1000 x 20     388 instead of  503      x 64    1186 instead of 1305
 *     i8      1000 x 1000 x 20     139 instead of  238      x 64     331 instead of  436 */
const char *c_dot_results(Writer *w, Dim *across) {
    enum { ROWS = 28, COLUMNS = 32 }; /* else the last panels cost what it saves */
    const Body *b = w->b;
    const Store *s = &b->stores.at[0];
    const Indices *x = b->indices;
    Dim along = 0;
    int64_t m;
    if (!is_shallow(w) || is_block(w) || c_panels(w, 0, 1)) return "";
    if (body_has_rows(b) || b->dots > 1 || b->stores.count > 1) return "";
    if (b->values.at[s->value].kind != V_ACC || b->values.at[s->value].guard ||
        x->node.at[s->ix].dynamic)
        return "";
    if (!dim_is_const(x->dims, x->extent[DOT_M], &m) || m < ROWS) return "";
    if (index_along(b, s->ix, DOT_M, across) != 1 || index_along(b, s->ix, DOT_N, &along) != 1)
        return "";
    return dim_is(x->dims, along, 1) ? results_function(w, w->k->buffers.at[s->buffer].type) : "";
}

/* Is the last panel full, whatever the vectors? */
static bool has_full_panels(const Writer *w) {
    enum { COLUMNS = 32 }; /* of the widest panels */
    int64_t n;
    return dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_N], &n) && n % COLUMNS == 0;
}

/* Do vectors of 16 lanes leave half of the last panel empty? */
static bool has_half_panel(const Writer *w, int64_t *n) {
    enum { LANES = 16 };
    if (!dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_N], n)) return false;
    return *n % (2 * LANES) && *n % (2 * LANES) <= LANES;
}

/* Does the epilogue read elements of other matrices, along rows and columns? */
static bool reads_matrices(const Body *b) {
    const uint32_t both = 1u << DOT_M | 1u << DOT_N;
    for (int i = 0; i < b->values.count; i++)
        if (b->values.at[i].kind == V_LOAD && (b->values.at[i].axes & both) == both) return true;
    return false;
}

/* Where all of k is one block, the epilogue of elements reads a tile's sums as soon as they are
 * done: from L1, not L2. With a bias and relu, one thread of a Zen 4, us:
 *
 *     f32     1000 x 1000 x 20     485 instead of  517      x 64    1269 instead of 1312
 *     i8      1000 x 1000 x 64     399 instead of  448      x 512   2484 instead of 2530
 *
 * Matrices are read by whole rows, which are prefetched: with one added, f32, 1000 x 1000 x 64 took
 * 1884 by tiles and 1458 by rows. */
static bool finishes_tiles(Writer *w) {
    enum { NARROW = 128 }; /* half a panel more costs more than the way through L2 */
    Dim across;
    int64_t n;
    const bool one_by_one = c_panels_as_is(w, 1) && w->b->dots > 1;
    if (w->b->dots == 1 && has_half_panel(w, &n) && n < NARROW) return false;
    if (!is_shallow(w) || is_block(w) || (c_dot_sharing(w) == SHARE_BF16 && !c_dot_lists_rows(w)) ||
        one_by_one)
        return false;
    if (body_has_rows(w->b) || reads_matrices(w->b) || c_dot_has_few_rows(w)) return false;
    return !*c_dot_results(w, &across);
}

/* The address of an element of the first result, to be prefetched with its row; "": its row is not
 * contiguous. */
static const char *result_in_row(Writer *w) {
    const Store *s = &w->b->stores.at[0];
    Dim across, along;
    if (w->b->indices->node.at[s->ix].dynamic) return "";
    if (index_along(w->b, s->ix, DOT_M, &across) != 1) return "";
    if (index_along(w->b, s->ix, DOT_N, &along) != 1) return "";
    return dim_is(w->b->indices->dims, along, 1) ? address_text(w, s->buffer, s->ix) : "";
}

/* The first result of a block. */
static const char *results_from(Writer *w) {
    const Store *s = &w->b->stores.at[0];
    const char *const row = w->axis_name[DOT_M], *const column = w->axis_name[DOT_N];
    w->axis_name[DOT_M] = "m_start", w->axis_name[DOT_N] = "n_start";
    const char *from = address_text(w, s->buffer, s->ix);
    w->axis_name[DOT_M] = row, w->axis_name[DOT_N] = column;
    return from;
}

/* Its micro-kernel, for sums in memory; "": there is none. One thread of a Zen 4:
 * bf16 10936 x 16 x 2744 5.6 ms instead of 9.4. */
static const char *half_sums(Writer *w) {
    static const char *const of[] = {[ROWS_PACKED] = "tile_half_bf16",
                                     [ROWS_IN_PLACE] = "tile_half_rows_bf16",
                                     [ROWS_BY_TILES] = "tile_half_left_bf16"};
    int64_t n;
    Dim across;
    if (w->b->dots > 1 || is_block(w) || *c_dot_results(w, &across)) return "";
    if (!has_half_panel(w, &n) || finishes_tiles(w) || c_dot_packs_panels(w)) return "";
    if (c_dot_lists_rows(w))
        return c_dot_sharing(w) ? "tile_half_indirect_bf16" : "tile_half_indirect_f32";
    if (c_dot_packs_rows(w))
        return c_dot_sharing(w) ? "tile_half_lines_bf16" : "tile_half_lines_f32";
    switch (c_dot_sharing(w)) {
    case SHARE_BF16: return of[c_dot_left_rows(w)];
    case SHARE_BYTES: return strcmp(c_dot_offset(w), "0") ? "tile_half_bytes" : "tile_half_ubytes";
    case SHARE_NOTHING:
        return w->b->accs.at[0].type == T_F32 && !c_dot_has_own_sums(w) ? "tile_half_f32" : "";
    default: return "";
    }
}

static const char *half_panel(const Writer *w) {
    const Sharing sharing = c_dot_sharing(w);
    return sharing == SHARE_BF16    ? "FX_HALF"
           : sharing == SHARE_BYTES ? "FX_HALF_BYTES"
                                    : "FX_HALF_F32";
}

/* The rows of the last panel, 0: it is full. FX_TEN if 9 or 10 are possible. */
static const char *rest_of_rows(const Writer *w) {
    const char *rest = arena_printf(w->arena, "%s %% %s", c_size(w, DOT_M), c_dot_rows(w));
    int64_t m;
    bool is_ten = c_dot_has_own_sums(w) ||
                  !dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_M], &m);
    for (int mr = 12; mr <= 14 && !is_ten; mr += 2) is_ten = m % mr == 9 || m % mr == 10;
    return is_ten ? arena_printf(w->arena, "FX_TEN(%s)", rest) : rest;
}

/* The call of the micro-kernel, and the depth of one of its steps. */
static void add_micro_kernel(Writer *w, Fills *fills) {
    const LeftRows rows = c_dot_left_rows(w);
    const Accumulator *first = &w->b->accs.at[0];
    const char *element = storage_type(dtype_compute(first->type));
    const Sharing sharing = c_dot_sharing(w);
    static const struct {
        const char *together, *sums, *steps_a, *steps_b; /* products of a lane, suffix, packing */
    } ways[] = {[SHARE_PAIRS] = {"2", "pairs", "pair_steps", "pair_steps"},
                [SHARE_BYTES] = {"FX_BYTES", "bytes", "", ""},
                [SHARE_BF16] = {"FX_PAIRS", "bf16", "bf16_steps_a", "bf16_steps_b"}};
    const char *together = ways[sharing].together, *half = half_sums(w);
    const char *sums = sharing ? ways[sharing].sums : reg_suffix(first->type);
    if (sharing == SHARE_BYTES && !strcmp(c_dot_offset(w), "0")) sums = "ubytes";
    if (sharing && rows) sums = rows == ROWS_IN_PLACE ? "rows_bf16" : "left_bf16";
    if (c_dot_packs_rows(w)) sums = sharing ? "lines_bf16" : "lines_f32";
    if (c_dot_lists_rows(w)) sums = sharing ? "indirect_bf16" : "indirect_f32";
    if (c_dot_packs_panels(w)) sums = "along_bf16";
    const bool is_pairs = sharing == SHARE_PAIRS || sharing == SHARE_BF16;
    const bool has_parts = c_dot_packs_parts(w);
    const Fill own[] = {
        {"ELEMENT", element},
        {"MR", c_dot_rows(w)},
        {"REST", rest_of_rows(w)},
        {"PANEL_COLUMNS", c_dot_panel_columns(w, element)},
        {"TILE_SUMS_OF", c_dot_has_own_sums(w) ? c_dot_micro_kernel(w)
                                               : arena_printf(w->arena, "tile_sums_%s", sums)},
        {"STEPS", sharing && !rows ? arena_printf(w->arena, "(k_end - k_first + %s - 1) / %s",
                                                  together, together)
                                   : "k_end - k_first"},
        {"PAIRS_A", is_pairs && !c_dot_is_packed(w, 0) ? "yes" : ""},
        {"PAIRS_B", has_parts || (is_pairs && !c_dot_is_packed(w, 1)) ? "yes" : ""},
        {"PAIR_STEPS_A", c_dot_packs_rows(w) ? "end_lines_bf16"
                         : sharing           ? ways[sharing].steps_a
                                             : ""},
        {"PAIR_STEPS_B", has_parts ? "end_part_bf16"
                         : sharing ? ways[sharing].steps_b
                                   : ""},
        {"MARKS_B", c_dot_lists_rows(w) ? "yes" : ""},
        {"MARK_FINITE", sharing ? "mark_finite_bf16" : "mark_finite_f32"},
        {"TILES", c_dot_shares_lanes(w) ? "yes" : ""},
        {"BYTES_A", sharing == SHARE_BYTES && !c_dot_is_packed(w, 0) ? "yes" : ""},
        {"BYTES_B", sharing == SHARE_BYTES && !c_dot_is_packed(w, 1) ? "yes" : ""},
        {"OFFSET", c_dot_offset(w)},
        {"HALF", half},
        {"HALF_SUMS_OF", half},
        {"HALF_PANEL", half_panel(w)},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* Do functions pack all operands, over all of k at once? */
static bool has_matrices(Writer *w) {
    return is_shallow(w) && !is_block(w) && c_dot_has_matrices(w);
}

/* The blocks of operands that the function packs itself. */
static const char *blocks(Writer *w) {
    const char *element = storage_type(dtype_compute(w->b->accs.at[0].type));
    const bool several = w->b->added.count && !is_shallow(w);
    Text text = text_new(w->arena);
    const Fill fills[] = {
        {"ELEMENT", element},
        {"BATCH", c_size(w, DOT_BATCH)},
        {"M_SIZE", c_size(w, DOT_M)},
        {"N_SIZE", c_size(w, DOT_N)},
        {"K_SIZE", k_size(w)},
        {"panel_sizes", c_panels_declare(w)},
        {"k_size", several ? arena_printf(w->arena, "const idx k_size = %s;\n",
                                          c_dot_end(w, c_dot_k_blocks(w).count - 1))
                           : ""},
        {"CUT", cut(w, "PRODUCTS", arena_printf(w->arena, "sizeof(%s)", element), false)},
    };
    TEMPLATE_FILL("c/dot_blocks.c", fills, &text);
    return text_get(&text);
}

/* The loops over blocks of the result, and over k, one product after the other. */
static void add_blocks(Writer *w, Fills *fills) {
    const bool is_batched = !dim_is(w->b->indices->dims, w->b->indices->extent[DOT_BATCH], 1);
    const bool several = w->b->added.count && !is_shallow(w);
    const char *const k_stop = several ? "k_stop" : k_size(w);
    const Fill own[] = {
        {"BATCH", c_size(w, DOT_BATCH)},
        {"BATCHED", is_batched ? "yes" : ""},
        {"M_SIZE", c_size(w, DOT_M)},
        {"N_SIZE", c_size(w, DOT_N)},
        {"K_FIRST", is_shallow(w) ? "0" : "at.k_first"},
        {"K_END", is_shallow(w)
                      ? k_size(w)
                      : arena_printf(w->arena, "k_first + cut.k < %s ? k_first + cut.k : %s",
                                     k_stop, k_stop)},
        {"DEEP", is_shallow(w) ? "" : "yes"},
        {"K_SIZE", k_size(w)},
        {"k_stop",
         several ? arena_printf(w->arena, "const idx k_stop = %s;\n", c_dot_stop(w)) : ""},
        {"COUNT", arena_printf(w->arena, "%d", w->b->dots)},
        {"ROW_BLOCK", row_block(w)},
        {"NEXT_BLOCK",
         has_matrices(w) ? "product_next_f32(&product, &at)" : "fx_next_block(&blocks, &at)"},
        {"blocks", has_matrices(w) ? c_dot_matrices(w, columns(w)) : blocks(w)},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* Panels: packed here, or when constants are prepared. */
static void add_operands(Writer *w, Fills *fills) {
    w->used.packed = true;
    const char *pack_a = c_dot_pack_left(w), *pack_b = c_dot_pack_right(w);
    const bool given_a = c_panels_as_is(w, 0), given_b = c_panels_as_is(w, 1);
    const bool matrices = has_matrices(w);
    const bool one_by_one = given_b && w->b->dots > 1; /* arrays of their own */
    const Fill own[] = {
        {"PADS_A", c_panels(w, 0, 0) || c_dot_is_packed(w, 0) || c_dot_packs_rows(w) ? "" : "yes"},
        {"PADS_B", c_panels(w, 0, 1) || c_dot_is_packed(w, 1) ? "" : "yes"},
        {"FILLS_A", *pack_a && !matrices ? "yes" : ""},
        {"FILLS_B", given_b || matrices ? "" : "yes"},
        {"LEFT_PANELS", matrices ? "(float *)at.a" : c_dot_left(w)},
        {"LEFT_SIZE", given_a ? "a_size" : c_dot_left_size(w)},
        {"RIGHT_PANELS", given_b    ? c_panels_right(w)
                         : matrices ? "(float *)at.b"
                                    : c_dot_right(w)},
        {"PACKS_B", *pack_b ? "yes" : ""},
        {"RIGHT_SIZE", given_b ? "b_size" : "cut.b"},
        {"ONE_BY_ONE", one_by_one ? "yes" : ""},
        {"SUMS", one_by_one ? "sum + panel * sums_size" : "sum"},
        {"TOGETHER", one_by_one      ? "1"
                     : *half_sums(w) ? "full"
                                     : "panels"},
        {"pack_a", pack_a},
        {"pack_b", pack_b},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* The columns of the last of panels of `nr`; 0: it is full. */
static const char *ends_of_columns(const Writer *w, const char *nr) {
    if (has_full_panels(w)) return "0";
    return arena_printf(w->arena, "FX_ENDS(%s %% %s)", c_size(w, DOT_N), nr);
}

/* The epilogue, over elements or whole rows of sums. */
static void add_results(Writer *w, const char **scratch, Fills *fills) {
    Dim across = 0;
    const bool rows = body_has_rows(w->b);
    const char *results = c_dot_results(w, &across), *row = rows ? finish_row(w, scratch) : "";
    const bool stored = *results, lists = c_dot_lists_rows(w) || c_dot_packs_parts(w);
    const bool each_ends = lists || (c_dot_sharing(w) && !c_dot_is_packed(w, 1)); /* panel of b */
    const bool by_tiles = finishes_tiles(w);
    const char *elements = rows || stored ? "" : finish(w);
    const char *result = by_tiles ? result_in_row(w) : "";
    const bool has_part = w->used.axes >> DOT_SEGMENT & 1;
    const Fill own[] = {
        {"GROUP_COLUMNS", rows ? arena_printf(w->arena, "FX_ROUND(%s, NR)", columns(w))
                               : arena_printf(w->arena, "%d * NR", w->tile->group)},
        {"PART", rows && has_part ? "yes" : ""},
        {"ROWS", rows ? "yes" : ""},
        {"ELEMENTS", rows || stored || by_tiles ? "" : "yes"},
        {"BY_TILES", by_tiles ? "yes" : ""},
        {"FETCHES", result},
        {"RESULT", result},
        {"ADDS", stored || by_tiles ? "" : "yes"},
        {"SUMS_SIZE", arena_printf(w->arena, "%s * NR", by_tiles ? c_dot_rows(w) : "cut.sum_rows")},
        {"COUNTS_PANELS", (stored || by_tiles) && !each_ends ? "" : "yes"},
        {"RESULTS", results},
        {"RESULTS_OF", results},
        {"RESULTS_FROM", stored ? results_from(w) : ""},
        {"RESULTS_ACROSS", stored ? size_text(w, across) : ""},
        {"ADDS_SUMS", is_shallow(w) ? "false" : "FX_DEEP(k_first)"},
        {"ENDS", ends_of_columns(w, "NR")},
        {"LANES", w->used.lanes ? "yes" : ""},
        {"row_stages", row},
        {"finish", elements},
    };
    FILLS_ADD(w->arena, fills, own);
}

void c_dot(Writer *w, Text *body, const char **scratch) {
    Fills fills = {0};
    if (c_dot_is_plain(w)) {
        c_dot_plain(w, rest_of_rows(w), ends_of_columns(w, "NR_OF(float)"), body);
        return;
    }
    add_operands(w, &fills);
    add_results(w, scratch, &fills);
    add_micro_kernel(w, &fills);
    add_blocks(w, &fills);
    template_fill(is_block(w) ? "c/dot_block.c" : "c/dot.c", fills.at, fills.count, body);
}
