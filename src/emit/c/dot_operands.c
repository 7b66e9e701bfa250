/* dot_operands.c: the operands of contractions as C: how they are packed, or multiplied in place.
 * In: Kernel of family F_DOT. Out: text for holes of templates/c/dot.c. */
#include "emit/c/dot.h"

#include <string.h>

/* ---- products that are added ----------------------------------------------------------------- */

/* Where along its own axis k a product is packed: a step of k, or all of a short one. */
static CPanels panels_of(const Writer *w, int i, int block, CPanels panels) {
    panels.k = body_summand(w->b, i).axis;
    panels.k_first = block ? "k_from" : "k_first", panels.k_end = block ? "k_to" : "k_end";
    if (!c_dot_k_blocks(w).are_short) return panels;
    panels.k_first = "0", panels.k_end = c_size(w, panels.k);
    return panels;
}

/* A place in panels, so many elements later. */
static const char *later(const Writer *w, const CPanels *p, const char *at) {
    if (!strcmp(at, "0")) return p->to;
    if (strchr(at, ' ')) at = arena_printf(w->arena, "(%s)", at);
    const bool has_pairs = p->function && c_dot_sharing(w) == SHARE_BF16;
    return arena_printf(w->arena, has_pairs ? "%s + %s / FX_PAIRS * %s" : "%s + %s * %s", p->to, at,
                        p->width);
}

/* The loop nests that pack an operand of product i of the sums: the left one, or those on the
 * right, whose panels are interleaved. */
static const char *pack_of(Writer *w, int i, CPanels panels) {
    const Summand s = body_summand(w->b, i);
    const char *const at = c_dot_element(w, i);
    Text all = text_new(w->arena);
    for (int j = 0; j < (panels.own == DOT_M ? 1 : w->b->dots); j++) {
        if (j == 1) panels.to = "b_group + cut.b";
        if (j > 1) panels.to = arena_printf(w->arena, "b_group + %d * cut.b", j);
        CPanels own = panels;
        own.to = later(w, &panels, at);
        text_str(&all, c_pack(w, panels.own == DOT_M ? s.left : s.right[j], &own));
    }
    return text_get(&all);
}

/* The same of a block of k. */
static const char *pack_block(Writer *w, int block, const CPanels *panels) {
    const KBlocks blocks = c_dot_k_blocks(w);
    const int first = blocks.first[block], stop = blocks.first[block + 1];
    const bool by_rows = panels->own == DOT_M && c_dot_packs_rows(w);
    CRows rows[TERMS_MAX];
    Text all = text_new(w->arena);
    for (int i = first; i < stop; i++) {
        const CPanels own = panels_of(w, i, block, *panels);
        rows[i - first] =
            (CRows){body_summand(w->b, i).left, own.k, own.k_first, own.k_end, c_dot_element(w, i)};
        if (!by_rows) text_str(&all, pack_of(w, i, own));
    }
    return by_rows ? c_pack_rows(w, rows, stop - first, panels, c_dot_lists_rows(w))
                   : text_get(&all);
}

/* Those of each block, of which k_first chooses one. */
static const char *pack_each(Writer *w, const CPanels *panels) {
    const KBlocks blocks = c_dot_k_blocks(w);
    Choice choices[TERMS_MAX];
    for (int i = 0; i < blocks.count; i++) {
        const char *text = pack_block(w, i, panels), *start = c_dot_start(w, i);
        if (strchr(start, ' ')) start = arena_printf(w->arena, "(%s)", start);
        if (i && !blocks.are_short)
            text = arena_printf(w->arena,
                                "const idx k_from = k_first - %s;\n"
                                "const idx k_to = k_from + k_end - k_first;\n%s",
                                start, text);
        choices[i] = (Choice){"", c_dot_condition(w, i), text};
    }
    return choice_text(w->arena, choices, blocks.count);
}

/* ---- by functions ---------------------------------------------------------------------------- */

/* Does a function pack the operand? */
static bool is_packed(const Writer *w, int operand, int own, int k) {
    if (c_dot_shares_lanes(w)) return c_pack_is_plain(w, operand, own, k);
    return c_dot_sharing(w) == SHARE_NOTHING && dtype_compute(w->b->accs.at[0].type) == T_F32 &&
           c_pack_has_function(w, operand, own, k);
}

/* Does one pack all operands of a side? */
bool c_dot_is_packed(const Writer *w, int side) {
    const Body *b = w->b;
    bool is_plain = !c_panels(w, 0, side);
    for (int i = 0; i < body_summand_count(b) && is_plain; i++) {
        const Summand s = body_summand(b, i);
        if (!side) is_plain = is_packed(w, s.left, DOT_M, s.axis);
        for (int j = 0; side && j < b->dots && is_plain; j++)
            is_plain = is_packed(w, s.right[j], DOT_N, s.axis);
    }
    return is_plain;
}

/* Are left operands that no function packs, such as windows of an image, rows with gaps? */
bool c_dot_packs_rows(const Writer *w) {
    const Sharing sharing = c_dot_sharing(w);
    const Dtype type = sharing == SHARE_BF16 ? T_BF16 : T_F32;
    if (sharing != SHARE_BF16 && (sharing || c_dot_has_own_sums(w))) return false;
    if (w->b->accs.at[0].type != T_F32 || c_dot_is_packed(w, 0) || c_panels(w, 0, 0)) return false;
    for (int i = 0; i < body_summand_count(w->b); i++) {
        const Summand s = body_summand(w->b, i);
        if (w->b->values.at[s.left].type != type || !c_pack_row_parts(w, s.left, s.axis))
            return false;
    }
    return true;
}

/* Such rows are multiplied where they are, if they hold whole pairs, and are not so short that
 * loops over them would take longer than copies. Those that are whole pages would share a few lines
 * of L1. One thread of a Zen 4, 3 x 3 convolutions of bf16, us, packed and in place:
 *
 *     [16, 28, 56, 8] x 64     1420 1320      [16, 14, 14, 128] x 256     8260 7760
 *     [16, 28, 56, 64] x 64    9070 8400      [2, 14, 14, 1024] x 64      2290 2060
 *     [2, 14, 14, 2048] x 64   4680 5490 */
bool c_dot_lists_rows(const Writer *w) {
    enum { SHORT = 4, LONG = 8192, PAGE = 4096 }; /* elements; bytes, LONG of zeros in LIST_ROWS */
    if (!c_dot_packs_rows(w) || c_panels(w, 0, 1)) return false;
    for (int i = 0; i < body_summand_count(w->b); i++) {
        const Summand s = body_summand(w->b, i);
        const int64_t size = (int64_t)dtype_size(w->b->values.at[s.left].type);
        int64_t k;
        if (!dim_is_const(w->b->indices->dims, w->b->indices->extent[s.axis], &k)) return false;
        if (k < SHORT || k * size > LONG || k * size % PAGE == 0 || k * size % 4) return false;
    }
    return true;
}

/* Of one block of k, at most. */
int c_dot_listed_parts(const Writer *w) {
    const KBlocks blocks = c_dot_k_blocks(w);
    int most = 0;
    for (int block = 0; block < blocks.count; block++) {
        int parts = 0;
        for (int i = blocks.first[block]; i < blocks.first[block + 1]; i++) {
            const Summand s = body_summand(w->b, i);
            parts += c_pack_row_parts(w, s.left, s.axis);
        }
        if (parts > most) most = parts;
    }
    return most;
}

/* Added to the bytes of the left operand. */
const char *c_dot_offset(const Writer *w) {
    return w->b->values.at[w->b->accs.at[0].value].type == T_I8 ? "128" : "0";
}

static void set_function(const Writer *w, int side, CPanels *panels) {
    if (!c_dot_is_packed(w, side)) return;
    panels->function = !c_dot_shares_lanes(w)         ? "pack_%s_%s"
                       : side && c_dot_packs_parts(w) ? "pack_part_%s_%s"
                       : side                         ? "pack_b_%s_%s"
                                                      : "pack_a_%s_%s";
    if (side && c_dot_sharing(w) == SHARE_BYTES)
        panels->more = arena_printf(w->arena, ", %s", c_dot_offset(w));
}

static CPanels left_panels(Writer *w) {
    CPanels panels = {.own = DOT_M,
                      .k = DOT_K,
                      .first = "m_start",
                      .stop = "m_stop",
                      .k_first = "k_first",
                      .k_end = "k_end",
                      .width = c_dot_rows(w),
                      .to = "a_packed",
                      .size = "cut.a"};
    set_function(w, 0, &panels);
    return panels;
}

/* Is the left operand a matrix of bf16 whose rows are contiguous? */
static bool has_plain_rows(Writer *w, const CPanels *panels) {
    if (!panels->function || c_dot_sharing(w) != SHARE_BF16 || w->b->added.count) return false;
    return c_pack_matrix(w, w->b->accs.at[0].value, panels).is_along;
}

/* Many rows of pairs that few columns are multiplied with: packing them would take longer than it
 * saves. Rows that are whole pages apart would share a few lines of L1, and rows that are multiples
 * of 512 bytes apart an eighth of its sets. 4096 x 64 x K, one thread of a Zen 4, packed and in
 * place:
 *
 *     K =  250   705  730 us        300   843  751 us        1024  2764  2680 us
 *          256   692  798           512  1369 1529 */
static bool multiplies_rows(Writer *w, const CPanels *panels) {
    enum { COLUMNS = 256, ROWS = 128, PAGE = 2048, SETS = 256, DEPTH = 768 };
    const Dims *d = w->b->indices->dims;
    const Dim *size = w->b->indices->extent;
    int64_t m, n, k, stride;
    if (!has_plain_rows(w, panels)) return false;
    const CMatrix rows = c_pack_matrix(w, w->b->accs.at[0].value, panels);
    if (!dim_is_const(d, size[DOT_M], &m) || !dim_is_const(d, size[DOT_N], &n)) return false;
    if (!dim_is_const(d, size[DOT_K], &k) || !dim_is_const(d, rows.stride, &stride)) return false;
    if (stride % PAGE == 0 || (stride % SETS == 0 && k <= DEPTH)) return false;
    return m >= ROWS && n * w->b->dots <= COLUMNS && k % 2 == 0 && stride % 2 == 0;
}

/* A few rows of f32 that few columns are multiplied with, whose lines are in L1 when a step reads
 * them again. All of k is one block: rows of the last tile that others have, too, may be summed
 * twice. One thread of a Zen 5, packed and in place, us, the operands in L2 and not:
 *
 *     [200] 20 x 40 x 30   119 103   150 133      [50] 37 x 96 x 128   262 241   362 386
 *     [500] 10 x 16 x 24    88  69    93  88 */
bool c_dot_has_few_rows(const Writer *w) {
    enum { COLUMNS = 64, DEPTH = 64, SETS = 256 };
    const Body *b = w->b;
    const Dim *size = b->indices->extent;
    const int left = b->accs.at[0].value;
    int64_t rows, n, k, stride;
    Dim across = 0;
    if (!c_dot_knows_few_rows(w, &rows) || b->accs.at[0].type != T_F32 || b->added.count)
        return false;
    if (b->values.at[left].type != T_F32 || !c_pack_has_rows(w, left, DOT_M, DOT_K, &across))
        return false;
    if (!dim_is_const(b->indices->dims, size[DOT_N], &n)) return false;
    if (!dim_is_const(b->indices->dims, size[DOT_K], &k)) return false;
    if (!dim_is_const(b->indices->dims, across, &stride) || stride % SETS == 0) return false;
    return n * b->dots <= COLUMNS && k <= DEPTH && k <= w->tile->k;
}

LeftRows c_dot_left_rows(Writer *w) {
    const CPanels panels = left_panels(w);
    if (c_dot_has_few_rows(w)) return ROWS_IN_PLACE;
    if (multiplies_rows(w, &panels)) return ROWS_IN_PLACE;
    return !c_dot_has_own_sums(w) && has_plain_rows(w, &panels) ? ROWS_BY_TILES : ROWS_PACKED;
}

const char *c_dot_pack_left(Writer *w) {
    CPanels panels = left_panels(w);
    const LeftRows rows = c_dot_left_rows(w);
    if (c_panels_as_is(w, 0) || rows == ROWS_IN_PLACE) return "";
    if (c_panels(w, 0, 0)) return c_panels_widen_left(w);
    if (rows == ROWS_BY_TILES) panels.function = "pack_left_%s_%s";
    return pack_each(w, &panels);
}

/* Where the micro-kernel has the left operand. */
const char *c_dot_left(Writer *w) {
    const CPanels panels = left_panels(w);
    if (c_panels_as_is(w, 0)) return c_panels_left(w);
    const LeftRows where = c_dot_left_rows(w);
    if (where == ROWS_PACKED) return "a_packed";
    const CMatrix rows = c_pack_matrix(w, w->b->accs.at[0].value, &panels);
    if (c_dot_has_few_rows(w)) return rows.from;
    return arena_printf(w->arena, "%s, %s, %s", rows.from, size_text(w, rows.stride),
                        where == ROWS_IN_PLACE ? "at.a" : "a_packed");
}

const char *c_dot_left_size(Writer *w) {
    if (!c_dot_has_few_rows(w)) return "cut.a";
    const CPanels panels = left_panels(w);
    return size_text(w, c_pack_matrix(w, w->b->accs.at[0].value, &panels).stride);
}

/* Of a batch of few rows, prefetches the right operand of the product after the next: packing and
 * multiplying one take less time than memory. One thread of a Zen 5, operands in memory, us:
 *
 *     [200] 20 x 40 x 30   155  149         [500] 10 x 16 x 24   116  88 */
static const char *fetch_right(Writer *w, const CPanels *panels) {
    const Dims *d = w->b->indices->dims;
    const Dim *size = w->b->indices->extent;
    int64_t n, k, stride;
    if (w->b->dots > 1 || !c_dot_has_few_rows(w) || !c_dot_is_packed(w, 1)) return "";
    if (dim_is(d, size[DOT_BATCH], 1) || !dim_is_const(d, size[DOT_N], &n)) return "";
    const CMatrix m = c_pack_matrix(w, w->b->accs.at[0].index, panels);
    if (m.type != T_F32 || !dim_is_const(d, size[DOT_K], &k)) return "";
    if (!dim_is_const(d, m.stride, &stride) || stride != (m.is_along ? k : n)) return "";
    return arena_printf(w->arena, "FETCH_LINES(%s + %d, %d);\n", m.from, (int)(2 * n * k),
                        (int)(n * k * 4));
}

static CPanels right_panels(const Writer *w) {
    CPanels panels = {.own = DOT_N,
                      .k = DOT_K,
                      .first = "n_start",
                      .stop = "n_stop",
                      .k_first = "k_first",
                      .k_end = "k_end",
                      .width = "NR",
                      .to = "b_group",
                      .size = w->b->dots > 1 ? "PRODUCTS * cut.b" : "cut.b"};
    set_function(w, 1, &panels);
    return panels;
}

/* A matrix of bf16, contiguous along k, that few rows are multiplied with: packing waits for memory
 * longer than it takes, and multiplying does not use it. N = K = 4096, one thread of a Zen 5, ms:
 * 33 rows 4.7 and 3.1, 64 rows 6.6 and 5.0, 96 rows 8.9 and 7.3. Rows of one tile are multiplied
 * faster than memory is read. */
bool c_dot_packs_panels(Writer *w) {
    enum { TILE = 14, ROWS = 128, COLUMNS = 256, DEPTH = 256 };
    const CPanels panels = right_panels(w);
    const Dims *d = w->b->indices->dims;
    const Dim *size = w->b->indices->extent;
    int64_t m, n, k;
    if (c_dot_left_rows(w) != ROWS_BY_TILES || w->b->dots > 1 || !panels.function) return false;
    if (!dim_is_const(d, size[DOT_M], &m) || m <= TILE || m > ROWS) return false;
    if (body_has_rows(w->b) || m > w->tile->block) return false; /* panels of several blocks */
    if (!dim_is_const(d, size[DOT_N], &n) || n <= COLUMNS) return false;
    if (!dim_is_const(d, size[DOT_K], &k) || k <= DEPTH) return false;
    return c_pack_matrix(w, w->b->accs.at[0].index, &panels).is_along;
}

/* Where the micro-kernel has the right operand. */
const char *c_dot_right(Writer *w) {
    if (!c_dot_packs_panels(w)) return "b_group";
    const CPanels panels = right_panels(w);
    const CMatrix columns = c_pack_matrix(w, w->b->accs.at[0].index, &panels);
    return arena_printf(w->arena, "%s, %s, n_stop - n_start, b_group", columns.from,
                        size_text(w, columns.stride));
}

const char *c_dot_pack_right(Writer *w) {
    const CPanels panels = right_panels(w);
    if (c_panels_as_is(w, 1) || c_dot_packs_panels(w)) return "";
    if (c_panels(w, 0, 1)) return c_panels_widen_right(w);
    return arena_printf(w->arena, "%s%s", pack_each(w, &panels), fetch_right(w, &panels));
}
