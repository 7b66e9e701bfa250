/* gemv.c: contractions in C with few rows or columns (matrix times vector, and up to 8 or 48).
 * They are bound by memory: the other, wide operand is read once, in the order in which it is
 * stored, and not packed.
 * In: a Body. Out: which operand that is; legal tiles, the fastest first. */
#include "kernel/tile/tile_private.h"

enum {
    PARALLEL_PRODUCTS = 100000, /* products from which threads pay */
    STRIP = 4096,               /* rows or columns of the wide operand that a thread takes */
    DEPTH = 8,                  /* products that are added to a sum in one pass */
    ROWS = 8,                   /* of the wide operand at a time, */
    REGISTERS = 28,             /* as long as these registers hold them and their sums */
    BLOCK_BYTES = 1 << 14,      /* of the narrow operand: half of L1 */
    PART = 13,                  /* narrow rows of which sums with two wide ones fit in registers, */
    PART_OF_THREE = 8,          /* and with three */
    BLOCKED_FROM = 1 << 16,     /* bytes of it from which it is read in blocks, */
    BLOCKED_ROWS = 4,           /* and its least rows */
    BLOCK_STEP = 128
};

/* ---- the form -------------------------------------------------------------------------------- */

/* Loads of neighbours along the axis that lie side by side, of those that depend on both axes. */
static int contiguous_loads(const Body *b, int value, int own, int axis) {
    const Value *v = &b->values.at[value];
    const uint32_t both = 1u << own | 1u << DOT_K;
    int count = 0;
    for (int i = 0; i < value_sources(v); i++) count += contiguous_loads(b, v->src[i], own, axis);
    if (v->kind != V_LOAD || (b->indices->node.at[v->ix].axes & both) != both) return count;
    return count + value_contiguous(b, value, axis);
}

bool operand_is_across(const Body *b, int value, int own) {
    return contiguous_loads(b, value, own, own) > contiguous_loads(b, value, own, DOT_K);
}

static bool is_plain(const Body *b, int value, Dtype type) {
    const Value *v = &b->values.at[value];
    return v->kind == V_LOAD && v->type == type && !v->guard;
}

/* Are elements that follow each other along k neighbours in memory? */
static bool is_along_k(const Body *b, int value) {
    Dim step = 0;
    const Value *v = &b->values.at[value];
    return index_along(b, v->ix, DOT_K, &step) == 1 && dim_is(b->indices->dims, step, 1);
}

/* Are all operands plain loads of bf16 or f32, the wide ones contiguous along a known, deep k (of
 * bf16: of whole pairs of vectors)? Then sums of so many rows take less time than packing. One
 * thread, operands from memory, us by blocks and by rows:
 *
 *     bf16, a Zen 5                                f32, a Zen 4
 *     9 x 4096 x 4096    2635  1363        9 x 4096 x 4096   11846  4633
 *     12 x 4096 x 4096   2481  1676        16 x 4096 x 4096  12957  6672
 *     16 x 4096 x 4096   2808  1893        48 x 1024 x 1024   1451  1133
 *     32 x 4096 x 4096   3822  3234        48 x 512 x 256      148   175
 *     13 x 4096 x 128      70   140        16 x 64 x 65536    4372  2165
 *     20 x 4096 x 1024    685   540        12 x 3000 x 128     193   166
 *     39 x 4096 x 4096   4223  4329        16 x 3000 x 128     220   240
 *     4096 x 16 x 4096   2919  1967        4096 x 16 x 512    1436   815
 *     4096 x 32 x 1024    686   901        8192 x 48 x 256    2633  2894 */
static bool may_take_more(const Body *b, int wide, int64_t count) {
    enum { MOST_ROWS = 32, MOST_COLUMNS = 16, DEPTH_FROM = 512, PAIR = 32 }; /* of bf16 */
    enum { MOST_F32 = 48, DEPTH_F32 = 10 };                                  /* for each row */
    const Dtype type = b->values.at[b->accs.at[0].value].type;
    int64_t k;
    if (!dim_is_const(b->indices->dims, b->indices->extent[DOT_K], &k)) return false;
    for (int i = 0; i < b->dots; i++) {
        const Accumulator *a = &b->accs.at[i];
        if (!is_plain(b, a->value, type) || !is_plain(b, a->index, type)) return false;
        const int own = wide == DOT_M ? a->value : a->index;
        if (operand_is_across(b, own, wide) || (type == T_F32 && !is_along_k(b, own))) return false;
    }
    if (type == T_F32) return count <= MOST_F32 && k >= DEPTH_F32 * count;
    const int most = wide == DOT_N ? MOST_ROWS : MOST_COLUMNS;
    return type == T_BF16 && count <= most && k >= DEPTH_FROM && k % PAIR == 0;
}

static bool is_few(const Body *b, int axis, int64_t *count) {
    if (!dim_is_const(b->indices->dims, b->indices->extent[axis], count)) return false;
    return *count <= GEMV_MOST || may_take_more(b, axis == DOT_M ? DOT_N : DOT_M, *count);
}

/* Narrow rows at a time: 8, of which the last part may have fewer, or what fits. One thread of a
 * Zen 5, bf16 times 4096 x 4096, us: 7 rows at a time 1472, as 8 1018; 14 as 7 and 7 2268, as 8 and
 * 6 1744; 20 as 10 and 10 2443, as 8, 8 and 4 2579; 24 as 12 and 12 2752, as three times 8 2522; 32
 * as 11, 11 and 10 3681, as four times 8 3234. */
static int rows_of_part(int all) {
    const int last = all % PART_OF_THREE, parts = (all + PART - 1) / PART;
    if (all == PART_OF_THREE - 1) return PART_OF_THREE;
    if (all > PART && (!last || last > PART_OF_THREE / 2)) return PART_OF_THREE;
    return parts > 1 ? (all + parts - 1) / parts : all;
}

bool gemv_form(const Body *b, GemvForm *form) {
    int64_t rows = 0, columns = 0;
    const bool few_rows = is_few(b, DOT_M, &rows), few_columns = is_few(b, DOT_N, &columns);
    if (body_has_rows(b) || b->added.count || (!few_rows && !few_columns)) return false;
    const bool by_rows = few_rows && (!few_columns || rows <= columns);
    if (!by_rows && b->dots > 1) return false; /* of which the left operand is the only one */
    *form = (GemvForm){.wide = by_rows ? DOT_N : DOT_M,
                       .narrow = by_rows ? DOT_M : DOT_N,
                       .all = (int)(by_rows ? rows : columns)};
    const bool in_parts = may_take_more(b, form->wide, form->all);
    form->count = in_parts ? rows_of_part(form->all) : form->all;
    for (int i = 0; i < b->dots; i++) {
        const int value = by_rows ? b->accs.at[i].index : b->accs.at[i].value;
        form->is_across[i] = operand_is_across(b, value, form->wide);
    }
    return form->count > 0;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Are wide operands plain loads of two-byte elements, contiguous along a k that is known to be
 * whole steps, or of f32? */
static bool may_be_blocked(const TileSpace *s, const GemvForm *form) {
    const Body *b = s->b;
    int64_t k;
    if (form->all != form->count) return true;
    if (!dim_is_const(b->indices->dims, b->indices->extent[DOT_K], &k) || k % BLOCK_STEP)
        return false;
    for (int i = 0; i < b->dots; i++) {
        const Accumulator *a = &b->accs.at[i];
        const Value *v = &b->values.at[form->wide == DOT_M ? a->value : a->index];
        if (form->is_across[i] || v->kind != V_LOAD || v->guard || dtype_size(v->type) != 2)
            return false;
    }
    return true;
}

/* Columns of the narrow operand that stay in L1; 0: all do, or L2 serves them in time. One thread
 * of a Zen 5, N = K = 4096, 8 rows of bf16: 2.18 ms instead of 2.61; of f32 3.92 instead of 3.72,
 * and of computed elements, which take longer, 10 % more. Parts of it take turns at wide rows that
 * are in L2 by then: on a Zen 4 16 rows of f32 times 64 x 65536 2.2 ms instead of 3.1. */
static int block_of(const TileSpace *s, const GemvForm *form) {
    const Dim k = s->b->indices->extent[DOT_K];
    const int size = (int)dtype_size(s->b->values.at[s->b->accs.at[0].value].type);
    const int row = size * form->count;
    const int block = BLOCK_BYTES / row / BLOCK_STEP * BLOCK_STEP;
    if (form->all != form->count) return block;
    if (!may_be_blocked(s, form) || form->count < BLOCKED_ROWS) return 0;
    return tile_is_at_most(s, k, BLOCKED_FROM / row - 1) ? 0 : block;
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    enum { MOST_STRIP = 1 << 16, MOST_DEPTH = 64, MOST_ROWS = ROWS, LARGEST = 1 << 30 };
    enum { MOST_BLOCK = 1 << 16 };
    GemvForm form;
    if (!gemv_form(s->b, &form))
        return "a gemv has at most 8 rows, or 8 columns, which are known, or more that are deep";
    if (tile_has_panels(s->b)) return "a gemv does not read operands that are packed once";
    const char *wrong = tile_range_refusal(s, "n", t->n, 1, MOST_STRIP);
    if (!wrong) wrong = tile_range_refusal(s, "k", t->k, 1, MOST_DEPTH);
    if (!wrong) wrong = tile_range_refusal(s, "rows", t->rows, 1, MOST_ROWS);
    if (!wrong) wrong = tile_range_refusal(s, "parallel", t->parallel, 0, LARGEST);
    if (!wrong) wrong = tile_range_refusal(s, "block", t->block, 0, MOST_BLOCK);
    if (!wrong && form.all != form.count && !t->block)
        return "rows in parts are read in blocks of k";
    if (wrong || !t->block) return wrong;
    if (t->block % BLOCK_STEP) return "block is a multiple of 128";
    if (!may_be_blocked(s, &form))
        return "blocks of k take a known k, a multiple of 128, and plain loads along it of two "
               "bytes";
    return NULL;
}

/* Is a quotient or a remainder of a byte below a value, as of those that hold two numbers? */
static bool has_parts_of_bytes(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    const bool divides = v->kind == V_OP && (v->op == OP_DIV || v->op == OP_MOD);
    if (divides && b->values.at[v->src[0]].type == T_U8) return true;
    for (int i = 0; i < value_sources(v); i++)
        if (has_parts_of_bytes(b, v->src[i])) return true;
    return false;
}

/* Is it loaded in rows of numbers of two bytes that start anywhere in cache lines? */
static bool starts_within_lines(const TileSpace *s, int wide, int axis) {
    enum { LINE = 64 };
    const Value *v = &s->b->values.at[wide];
    Dim step = 0;
    int64_t elements;
    if (v->kind != V_LOAD || dtype_size(v->type) != 2) return false;
    if (index_along(s->b, v->ix, axis, &step) != 1) return false;
    return dim_is_const(s->b->indices->dims, step, &elements) && 2 * elements % LINE != 0;
}

/* Rows of the wide operand at a time: a vector of each and their sums fit in registers. Rows of
 * such bytes have more vectors: four of them took 0.33 ms where eight took 0.40 (Zen 5, one row of
 * f32 times 4096 x 4096 numbers of 4 bits), two 1.66 ms where three took 2.18 (Zen 4, eight rows of
 * bf16). One or two rows wait for memory, and eight that start within lines have too many of these
 * under way: one row of bf16 times 9000 x 2600 takes 1.03 ms by four, 1.24 by eight (Zen 5), two
 * 0.87 and 1.26; times 9000 x 2592, whole lines, 1.17 and 1.07, and f32 as long either way. */
static int rows_of(const TileSpace *s, const GemvForm *form) {
    const int most = REGISTERS / (form->count + 1);
    const Accumulator *a = &s->b->accs.at[0];
    const int wide = form->wide == DOT_M ? a->value : a->index;
    if (!form->is_across[0] && has_parts_of_bytes(s->b, wide))
        return most >= ROWS / 2 ? ROWS / 2 : 2;
    if (form->count <= 2 && !form->is_across[0] && starts_within_lines(s, wide, form->wide))
        return ROWS / 2;
    return most > ROWS ? ROWS : most;
}

/* Are the rows of the wide operand so short that adding up the lanes of each sum takes longer than
 * packing, and multiplying panels that are mostly padding? Then blocks come first. One thread of a
 * Zen 4, us by rows and by blocks: bf16 [1785, 16] times 7 columns 31 and 18, [3125, 16] times 4
 * 31 and 29, [520, 48] times 8 14.9 and 13.0, [446, 64] times 7 9.7 and 13.9; f32 [3125, 8] times 8
 * 66 and 41, [1562, 16] times 8 34 and 30, [892, 32] times 7 18 and 32. Few rows of bf16 take two
 * products to a lane: 7 times [1587, 18] 28 and 39. With 256-bit vectors, without instructions for
 * bf16, [520, 48] times 8 takes 10 and 16, so that sums of bf16 are shorter than they could be. */
static bool has_short_sums(const TileSpace *s, const GemvForm *form) {
    const Body *b = s->b;
    const Accumulator *a = &b->accs.at[0];
    const Dtype type = b->values.at[form->wide == DOT_M ? a->value : a->index].type;
    int most = 0;
    if (type == T_F32) most = 4 * (form->count - 4);
    if (type == T_BF16 && form->wide == DOT_M) most = 4 * (form->count - 2);
    return !form->is_across[0] && most > 0 && tile_is_at_most(s, b->indices->extent[DOT_K], most);
}

static void list(const TileSpace *s, Candidates *out) {
    static const int strips[] = {256, 512, 1024, 2048, STRIP, 8192};
    static const int depths[] = {4, DEPTH, 16, 32}, rows[] = {1, 2, 4, 8};
    GemvForm form;
    if (!gemv_form(s->b, &form)) return;
    const Tile first = {.kind = TILE_C_GEMV,
                        .n = STRIP,
                        .k = DEPTH,
                        .rows = rows_of(s, &form),
                        .block = block_of(s, &form),
                        .parallel = PARALLEL_PRODUCTS};
    const int after = has_short_sums(s, &form) ? 1 : 0;
    candidate_add(s, first, after, out);
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++)
        for (int choice = 0; choice < 4; choice++) {
            Tile t = first;
            t.n = strips[i];
            if (form.is_across[0])
                t.k = depths[choice];
            else
                t.rows = rows[choice];
            const int distance = tile_distance(&first, &t);
            if (distance) candidate_add(s, t, distance + after, out);
        }
    for (int block = 256; block <= 2048; block *= 2) {
        Tile t = first;
        t.block = block;
        if (block != first.block) candidate_add(s, t, tile_distance(&first, &t) + after, out);
    }
}

const TileFamily tile_c_gemv = {list, tile_c_complete, refusal};
