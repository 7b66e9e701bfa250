/* dot_added.c: products that are added, as C: where along k each is, and in which block of k.
 * Products of short depth share a block: their sums stay in registers from one to the next. In:
 * Kernel of family F_DOT. Out: text for holes of templates/c/dot.c. */
#include "emit/c/dot.h"

#include <string.h>

/* ---- blocks of several products -------------------------------------------------------------- */

/* The depth of a product in elements of a panel, where a lane holds pairs. */
static int64_t depth_in_lanes(const Writer *w, int64_t k) {
    return c_dot_sharing(w) == SHARE_BF16 ? k + k % 2 : k;
}

/* May a panel hold products of such a depth, one after the other? Functions that pack rows as
 * lines, or columns, fill the last pair; a function that packs squares of rows takes whole ones. */
static bool may_share_panel(const Writer *w, int64_t k) {
    enum { PAIR = 2, SQUARE = 32 };
    const Sharing sharing = c_dot_sharing(w);
    if (c_panels(w, 0, 0) || c_panels(w, 0, 1)) return false;
    if (sharing != SHARE_BF16) return sharing == SHARE_NOTHING;
    if (c_dot_is_packed(w, 0)) return k % SQUARE == 0;
    return k % PAIR == 0 || (c_dot_packs_rows(w) && c_dot_is_packed(w, 1));
}

/* Left rows that are multiplied where they are take no memory, so sums stay in registers for
 * longer: a panel of the right operand is in L2. One thread of a Zen 4, a 3 x 3 convolution of bf16
 * [16, 14, 14, 128] x 256: 7.8 ms instead of 8.2 in two blocks. */
int c_dot_depth(const Writer *w) {
    enum { DEEPER = 4 };
    return c_dot_lists_rows(w) ? DEEPER * w->tile->k : w->tile->k;
}

/* The depth of product i; 0: no block holds several such products. */
static int64_t short_depth(const Writer *w, int i) {
    int64_t k;
    const Dim size = w->b->indices->extent[body_summand(w->b, i).axis];
    if (!dim_is_const(w->b->indices->dims, size, &k) || k > c_dot_depth(w)) return 0;
    return may_share_panel(w, k) ? depth_in_lanes(w, k) : 0;
}

/* Blocks of about the same depth, of whole products. One thread of a Zen 4, 3 x 3 convolutions, ms,
 * with one product in a block and with several:
 *
 *     bf16    [16, 28, 56, 64] x 64    10.3 9.6      [8, 56, 56, 16] x 32    2.0 1.5
 *     f32     [8, 28, 56, 64] x 64     10.0 9.6      [4, 28, 28, 20] x 24    0.49 0.40 */
KBlocks c_dot_k_blocks(const Writer *w) {
    const int products = body_summand_count(w->b), most = c_dot_depth(w);
    int64_t depth[TERMS_MAX], all = 0, here = 0;
    KBlocks blocks = {.count = products};
    for (int i = 0; i < products; i++) {
        blocks.first[i] = i;
        depth[i] = short_depth(w, i);
        if (!depth[i]) all = -1;
        if (all >= 0) all += depth[i];
    }
    blocks.first[products] = products;
    if (products == 1 || all < 0) return blocks;
    const int64_t parts = (all + most - 1) / most;
    blocks.are_short = true;
    blocks.count = 0;
    for (int i = 0; i < products; i++) {
        const bool is_new = !i || here * parts >= all || here + depth[i] > most;
        if (is_new) blocks.first[blocks.count++] = i;
        here = (is_new ? 0 : here) + depth[i];
        if (here > blocks.depth) blocks.depth = here;
    }
    blocks.first[blocks.count] = products;
    return blocks;
}

bool c_dot_packs_parts(const Writer *w) {
    return c_dot_sharing(w) == SHARE_BF16 && c_dot_is_packed(w, 1) && c_dot_k_blocks(w).are_short;
}

static int64_t known_depth(const Writer *w, int i) {
    int64_t k = 0;
    dim_is_const(w->b->indices->dims, w->b->indices->extent[body_summand(w->b, i).axis], &k);
    return k;
}

/* The elements of a panel that short products take, from one to before another. */
static const char *elements(const Writer *w, int from, int to) {
    Text text = text_new(w->arena);
    int64_t whole = 0;
    int same = 1;
    for (int i = from; i < to; i += same) {
        const int64_t k = known_depth(w, i);
        for (same = 1; i + same < to && known_depth(w, i + same) == k;) same++;
        if (depth_in_lanes(w, k) == k) {
            whole += same * k;
            continue;
        }
        text_str(&text, text.size ? " + " : "");
        if (same > 1) text_printf(&text, "%d * ", same);
        text_printf(&text, "FX_ROUND(%d, FX_PAIRS)", (int)k);
    }
    if (whole || !text.size) text_printf(&text, "%s%lld", text.size ? " + " : "", (long long)whole);
    return text_get(&text);
}

const char *c_dot_element(const Writer *w, int i) {
    const KBlocks blocks = c_dot_k_blocks(w);
    int block = 0;
    while (blocks.first[block + 1] <= i) block++;
    return elements(w, blocks.first[block], i);
}

/* ---- where blocks are along k ---------------------------------------------------------------- */

const char *c_dot_start(const Writer *w, int block) {
    if (!block) return "0";
    if (c_dot_k_blocks(w).are_short)
        return block > 1 ? arena_printf(w->arena, "%d * cut.k", block) : "cut.k";
    const char *before = c_dot_start(w, block - 1);
    const char *steps = arena_printf(w->arena, "(%s + cut.k - 1) / cut.k * cut.k",
                                     c_size(w, body_summand(w->b, block - 1).axis));
    return block > 1 ? arena_printf(w->arena, "%s + %s", before, steps) : steps;
}

const char *c_dot_end(const Writer *w, int block) {
    const KBlocks blocks = c_dot_k_blocks(w);
    const char *size = blocks.are_short ? elements(w, blocks.first[block], blocks.first[block + 1])
                                        : c_size(w, body_summand(w->b, block).axis);
    return block ? arena_printf(w->arena, "%s + %s", c_dot_start(w, block), size) : size;
}

const char *c_dot_condition(const Writer *w, int block) {
    return arena_printf(w->arena, "k_first < %s", c_dot_end(w, block));
}

const char *c_dot_stop(const Writer *w) {
    Text text = text_new(w->arena);
    const int last = c_dot_k_blocks(w).count - 1;
    for (int i = 0; i < last; i++)
        text_printf(&text, "%s ? %s : ", c_dot_condition(w, i), c_dot_end(w, i));
    text_str(&text, c_dot_end(w, last));
    return text_get(&text);
}

/* More than one block of k, if there are several, since then all sums are kept between blocks. */
const char *c_dot_length(const Writer *w) {
    const KBlocks blocks = c_dot_k_blocks(w);
    const char *text = c_size(w, DOT_K);
    if (!w->b->added.count) return text;
    if (blocks.are_short && blocks.count == 1) return c_dot_end(w, 0);
    if (blocks.are_short) return arena_printf(w->arena, "%d * %d", blocks.count, (int)blocks.depth);
    for (int i = 0; i < w->b->added.count; i++)
        text = arena_printf(w->arena, "%s + %s", text, c_size(w, w->b->added.at[i].axis));
    return arena_printf(w->arena, "fx_most(%s, %d + 1)", text, c_dot_depth(w));
}

bool c_dot_is_shallow(const Writer *w, int64_t *k) {
    const KBlocks blocks = c_dot_k_blocks(w);
    *k = blocks.depth;
    if (w->b->added.count) return blocks.are_short && blocks.count == 1;
    return dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_K], k) &&
           *k <= c_dot_depth(w);
}
