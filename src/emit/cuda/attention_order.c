/* attention_order.c: which tile of rows a block of an attention, or a chain, computes. Where the
 * mask leaves more to some rows than to others, long rows come first, of all batches.
 * In: the mask, the kernel's tile. Out: fills ORDER, M_TILE and at_batch of the templates. */
#include "emit/cuda/attention.h"

typedef enum RowLengths { LENGTHS_ALIKE, LENGTHS_GROW, LENGTHS_SHRINK } RowLengths;

static Dim extent(const CudaWriter *c, int axis) { return c->w.b->indices->extent[axis]; }

static bool has_one_batch(const CudaWriter *c) {
    return dim_is(c->w.b->indices->dims, extent(c, ATTENTION_BATCH), 1);
}

/* A tile that is masked by its last row alone has more the further down it is. */
static RowLengths lengths_of(const MaskText *masked) {
    const bool start = masked->reads & READS_M_START, last = masked->reads & READS_M_LAST;
    if (!masked->text || start == last) return LENGTHS_ALIKE;
    return last ? LENGTHS_GROW : LENGTHS_SHRINK;
}

const char *attention_row_at(const CudaWriter *c, const char *place) {
    Arena *arena = c->w.arena;
    const int64_t runs = attention_runs(c->w.b, &c->tile);
    int64_t queries;
    if (runs == 1) return arena_printf(arena, "grid_m - 1 - %s", place);
    dim_is_const(c->w.b->indices->dims, extent(c, ATTENTION_QUERY), &queries);
    const int64_t tiles = queries / runs / c->tile.m;
    return arena_printf(arena, "%s %% %lld * %lld + %lld - %s / %lld", place, (long long)runs,
                        (long long)tiles, (long long)tiles - 1, place, (long long)runs);
}

static const char *row_at(const CudaWriter *c, RowLengths lengths, const char *place) {
    return lengths == LENGTHS_SHRINK ? place : attention_row_at(c, place);
}

/* The tile of a block: two blocks of a multiprocessor are paired. */
static const char *block_text(const CudaKernel *k, const CudaWriter *c) {
    if (c->tile.blocks < 2) return "(int)blockIdx.x";
    return arena_printf(c->w.arena, "paired_block<%d>()", k->gpu->processors);
}

/* ---- by fused multiply-adds ------------------------------------------------------------------ */

/* Batches need not fit in L2: memory brings operands faster than multiply-adds need them. On an
 * H200, causal attention of f32, 8 heads of 4096 x 64: 632 us, and 1014 with one head after the
 * other; its backward 1699, and 2747. */
void attention_fma_order(const CudaKernel *k, const CudaWriter *c, const MaskText *masked,
                         Fills *fills) {
    Arena *arena = c->w.arena;
    const RowLengths lengths = lengths_of(masked);
    const char *idx = c->index, *batches = cuda_dim(c, extent(c, ATTENTION_BATCH));
    const char *batch = arena_printf(arena, "(%s)blockIdx.x / grid_c / grid_m", idx), *order = "";
    const char *row = arena_printf(arena, "(grid_m - 1 - (%s)blockIdx.x / grid_c %% grid_m)", idx);
    if (lengths != LENGTHS_ALIKE) {
        order = arena_printf(arena, "const %s block = %s, place = block / grid_c%s%s;\n", idx,
                             block_text(k, c), has_one_batch(c) ? "" : " / ",
                             has_one_batch(c) ? "" : batches);
        row = row_at(c, lengths, "place");
        if (lengths == LENGTHS_GROW) row = arena_printf(arena, "(%s)", row);
        batch = arena_printf(arena, "block / grid_c %% %s", batches);
    }
    batch = arena_printf(arena, "const %s at_batch = %s;\n", idx, batch);
    const Fill made[] = {{"ORDER", order},
                         {"BLOCK", *order ? "block" : arena_printf(arena, "(%s)blockIdx.x", idx)},
                         {"M_TILE", row},
                         {"at_batch", has_one_batch(c) ? "" : batch}};
    FILLS_ADD(arena, fills, made);
}

/* ---- on tensor cores ------------------------------------------------------------------------- */

/* So few blocks that their lengths decide when the last one ends, and that the operands of all
 * batches fit in L2. On an H200, causal attention of bf16 by mma.sync, 4096 queries: 8 heads of 64
 * take 100 us and not 123 (backward 262, not 390); of 32 heads of 128, which are five waves of
 * blocks, batches together take 557 us and not 512. */
static bool has_few_blocks(const CudaKernel *k, const CudaWriter *c) {
    enum { MOST_WAVES = 3 };
    const Dims *d = c->w.b->indices->dims;
    int64_t batches, rows;
    return dim_is_const(d, extent(c, ATTENTION_BATCH), &batches) &&
           dim_is_const(d, extent(c, ATTENTION_QUERY), &rows) &&
           batches * ((rows + c->tile.m - 1) / c->tile.m) <=
               (int64_t)MOST_WAVES * c->tile.blocks * k->gpu->processors;
}

void attention_mma_order(const CudaKernel *k, const CudaWriter *c, const MaskText *masked,
                         Fills *fills) {
    Arena *arena = c->w.arena;
    const RowLengths lengths = lengths_of(masked);
    const char *order = "", *batch = "blockIdx.x / grid_m";
    const char *row = lengths == LENGTHS_SHRINK ? "(int)(blockIdx.x % grid_m)"
                                                : "grid_m - 1 - (int)(blockIdx.x % grid_m)";
    if (lengths != LENGTHS_ALIKE && has_few_blocks(k, c)) {
        const char *batches = cuda_dim(c, extent(c, ATTENTION_BATCH));
        order = arena_printf(arena, "const int block = %s;\n", block_text(k, c));
        row = row_at(c, lengths,
                     has_one_batch(c) ? "block" : arena_printf(arena, "block / %s", batches));
        batch = arena_printf(arena, "block %% %s", batches);
    }
    batch = arena_printf(arena, "const %s at_batch = %s;\n", c->index, batch);
    const Fill made[] = {
        {"ORDER", order}, {"M_TILE", row}, {"AT_BATCH", has_one_batch(c) ? "" : batch}};
    FILLS_ADD(arena, fills, made);
}
