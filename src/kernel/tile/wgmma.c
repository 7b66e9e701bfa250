/* wgmma.c: contractions by wgmma and TMA, on sm_90a: which tiles are legal, and which are listed.
 * In: a TileSpace whose DotForm has no obstacle to wgmma. Out: Tiles. */
#include "kernel/tile/tile_private.h"

enum {
    GROUPS = 2,      /* consumer warpgroups, besides one producer, */
    MORE_GROUPS = 3, /* or one more */
    GROUP_ROWS = 64, /* rows of one wgmma */
    GROUP_WARPS = 4,
    WARP = 32,
    MOST_COLUMNS = WGMMA_COLUMNS,
    MOST_PROMOTED = WGMMA_PROMOTED,
    MOST_UNEVEN = 64,     /* columns whose elements have factors of their own */
    MOST_PING_PONG = 384, /* columns of the accumulators of a warpgroup, where ping-pong */
    MOST_STAGES = 6,
    LEAST_STAGES = 3,
    WIDEST_ROW = 8, /* elements of a row that a thread takes at once, at most */
    LEAST_ROW_THREADS = 4,
    LEAST_HALF_THREADS = 8, /* of rows of which a warp has four at a time */
    KEPT = 160,             /* bytes of a row that a thread keeps besides accumulators, at most; */
    KEPT_BY_WIDE = 64,      /* of more than half as many columns as there may be; */
    KEPT_BY_HALVES = 96,    /* where two groups share a row */
    WALKED = 16,            /* rows of tiles that are traversed together */
    LEAST_LEGAL_STAGES = 2,
    MOST_LEGAL_STAGES = 8,
    MOST_GROUP = 1 << 16,
    MOST_PARTS = 16,  /* of a tile, with stream-K */
    MOST_CLUSTER = 2, /* multiprocessors come in pairs at least */
    MOST_SPLITS = 8,  /* blocks of a cluster on every GPU that has clusters */
    FED_STAGES = 4    /* more take memory from L1, which has what rows share */
};

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Rows, and columns of all products together. */
typedef struct Shape {
    int m, columns, ping_pong;
    double slower; /* for wgmma_clocks; 1.1: measured slower, or not measured */
} Shape;

/* Rows of tiles that are traversed together: one where there are few columns of tiles, so that the
 * blocks that read the same rows start together. On an H200 6152 x 7088 x 128 takes 31.1 us in
 * tiles of 128 x 64 so, 41.0 by 16 rows; with 256 columns 41.5 and 56.9, in tiles of 128 x 128. */
static int walked(const TileSpace *s, int n) {
    enum { FEW = 4 };
    const Indices *x = s->b->indices;
    int64_t columns;
    const bool is_known = dim_is_const(x->dims, x->extent[DOT_N], &columns);
    return is_known && columns > n && columns <= (int64_t)FEW * n ? 1 : WALKED;
}

/* As many stages as fit. */
static Tile shaped(const TileSpace *s, const Shape *shape) {
    const DotForm *f = &s->dot;
    Tile t = {.kind = f->columns ? TILE_WGMMA_ROWS : TILE_WGMMA,
              .m = shape->m,
              .k = wgmma_depth(f),
              .cluster = 1,
              .ping_pong = shape->ping_pong,
              .persistent = 1};
    if (!f->columns) epilogue_choose(s, &t);
    t.n = shape->columns / f->count / wgmma_piece(f, &t) * wgmma_piece(f, &t);
    if (wgmma_has_boxes(f, &t)) epilogue_choose(s, &t);
    if (f->has_segments) t.n = t.n / f->columns * f->columns;
    t.group = walked(s, t.n);
    for (t.stages = wgmma_computes(f) ? FED_STAGES : MOST_STAGES; t.stages > LEAST_STAGES;
         t.stages--)
        if (tile_wgmma_shared(f, &t) <= f->gpu->shared_block) break;
    return t;
}

static void complete(const TileSpace *s, Tile *t) {
    t->k = wgmma_depth(&s->dot);
    t->blocks = 1;
    t->warpgroups = wgmma_groups(t);
    t->threads = (t->warpgroups + wgmma_producers(&s->dot)) * GROUP_WARPS * WARP;
    if (t->kind == TILE_WGMMA_ROWS) row_part_complete(s, t);
}

/* Bytes of a row that a thread keeps, as f32 or wider, and those that its registers hold beside the
 * accumulators. */
static int64_t kept_of_row(const TileSpace *s, const Tile *t) {
    const int64_t live = s->loop.live, each = live && live < 4 ? 4 : live;
    return each * t->vector * ceil_div(s->loop.cols, t->row_threads * t->vector);
}

static int most_kept(const DotForm *f, const Tile *t) {
    if (wgmma_halves(f, t)) return KEPT_BY_HALVES;
    return t->n * f->count * wgmma_blocks(t) > MOST_COLUMNS / 2 ? KEPT_BY_WIDE : KEPT;
}

static int least_row_threads(const TileSpace *s, const Tile *t) {
    return wgmma_halves(&s->dot, t) ? LEAST_HALF_THREADS : LEAST_ROW_THREADS;
}

/* Elements of a row stay where the products have them, if there are few terms: the loss of 4096 x
 * 32000 logits takes 290 us on an H200 with 512 terms, and 296 through shared memory, 481 and 479
 * with 1024; 4096 x 50304 logits with 2048 1340 and 1265. */
static bool choose_held_row(const TileSpace *s, Tile *t) {
    enum { FEW_TERMS = 768 };
    int64_t k;
    if (!dim_is_const(s->b->indices->dims, s->b->indices->extent[DOT_K], &k) || k > FEW_TERMS)
        return false;
    row_part_choose(s, t, WGMMA_ROW_PAIR, WGMMA_ROW_THREADS);
    row_part_complete(s, t);
    return wgmma_holds_rows(&s->dot, t) && kept_of_row(s, t) <= most_kept(&s->dot, t);
}

/* The fewest threads of a row that keep it in registers; else none are kept. */
static void choose_row(const TileSpace *s, Tile *t) {
    if (choose_held_row(s, t)) return;
    for (int least = least_row_threads(s, t); least <= WARP; least *= 2) {
        row_part_choose(s, t, WIDEST_ROW, least);
        if (t->keep != KEEP_REGISTERS || kept_of_row(s, t) <= most_kept(&s->dot, t)) return;
    }
    t->keep = KEEP_NOTHING;
}

/* A tile has whole rows, or segments of them. */
static const char *epilogue_obstacle(const TileSpace *s, const Tile *t) {
    const DotForm *f = &s->dot;
    if (!f->columns) return epilogue_refusal(s, t);
    if (f->has_segments ? t->n % f->columns != 0 : t->n < f->columns)
        return tile_refuse(s, "a tile must have %s of %d columns, and n=%d is not possible",
                           f->has_segments ? "segments" : "whole rows", f->columns, t->n);
    const char *wrong = row_part_refusal(s, t, WIDEST_ROW, least_row_threads(s, t));
    if (wrong || t->keep != KEEP_REGISTERS || kept_of_row(s, t) <= most_kept(f, t)) return wrong;
    return tile_refuse(s, "a thread keeps %lld bytes, and has registers for %d",
                       (long long)kept_of_row(s, t), most_kept(f, t));
}

/* Each block of a cluster loads a part of the tiles of the right operands: whole boxes, or rows
 * that the swizzle permutes among themselves. */
static const char *cluster_refusal(const TileSpace *s, const Tile *t) {
    const int each = s->dot.right[0] == OPERAND_MN_MAJOR ? 1 : 8 * t->cluster;
    if (t->cluster > 1 && wgmma_computes(&s->dot))
        return "blocks of a cluster share what TMA brings";
    if (t->cluster < 1 || t->cluster > MOST_CLUSTER)
        return tile_refuse(s, "cluster must be 1 or %d, not %d", MOST_CLUSTER, t->cluster);
    if (t->n % each == 0) return NULL;
    return tile_refuse(s, "n must be a multiple of %d with cluster=%d, not %d", each, t->cluster,
                       t->n);
}

/* The accumulators of a warpgroup, and the instruction, have so many columns at most. */
static int columns_of_tile(const DotForm *f, const Tile *t) {
    const int all = wgmma_promotes(f)   ? MOST_PROMOTED
                    : wgmma_computes(f) ? WGMMA_FED
                    : t->ping_pong      ? MOST_PING_PONG
                                        : MOST_COLUMNS;
    if (wgmma_groups(t) > GROUPS) return WGMMA_THREE / f->count;
    const int columns = all / wgmma_blocks(t);
    if (wgmma_halves(f, t)) return GROUPS * MOST_COLUMNS;
    return (columns < MOST_COLUMNS ? columns : MOST_COLUMNS) / f->count;
}

/* Rows that are longer than the accumulators of a warpgroup. A box has no more than 256 rows. */
static const char *halves_refusal(const TileSpace *s, const Tile *t) {
    if (t->m == GROUP_ROWS && t->cluster == MOST_CLUSTER && !t->ping_pong) return NULL;
    return tile_refuse(s, "tiles of more than %d columns have m=%d and ping_pong=0", MOST_COLUMNS,
                       GROUP_ROWS);
}

/* Three consumers have registers for sums and a usual epilogue, and for nothing else. */
static bool may_have_three(const DotForm *f) {
    return !f->columns && !wgmma_computes(f) && !wgmma_promotes(f);
}

static const char *rows_refusal(const TileSpace *s, const Tile *t) {
    if (wgmma_promotes(&s->dot) && (t->ping_pong || t->m != GROUPS * GROUP_ROWS))
        return tile_refuse(s, "m must be %d with ping_pong=0, of f8", GROUPS * GROUP_ROWS);
    if (t->ping_pong < 0 || t->ping_pong > 1)
        return tile_refuse(s, "ping_pong must be 0 or 1, not %d", t->ping_pong);
    if (t->persistent < 0 || t->persistent > 1)
        return tile_refuse(s, "persistent is 0 or 1, not %d", t->persistent);
    if (t->ping_pong && !t->persistent)
        return "with ping_pong=1 a block has tiles for both groups, and persistent=0 gives it one";
    if (wgmma_halves(&s->dot, t)) return halves_refusal(s, t);
    const int least = t->ping_pong ? GROUP_ROWS : GROUPS * GROUP_ROWS;
    if (t->m == least || t->m == 2 * least) return NULL;
    if (t->ping_pong || !may_have_three(&s->dot))
        return tile_refuse(s, "m must be %d or %d with ping_pong=%d, not %d", least, 2 * least,
                           t->ping_pong, t->m);
    if (wgmma_groups(t) == MORE_GROUPS) return NULL;
    return tile_refuse(s, "m must be %d, %d or %d with ping_pong=0, not %d", least,
                       MORE_GROUPS * GROUP_ROWS, 2 * least, t->m);
}

static const char *stream_refusal(const TileSpace *s, const Tile *t) {
    if (t->stream_k == 1 || t->stream_k > MOST_PARTS)
        return tile_refuse(s, "stream_k must be 0, or 2 to %d, not %d", MOST_PARTS, t->stream_k);
    return t->stream_k && (t->ping_pong || t->cluster > 1 || !t->persistent)
               ? "stream_k goes with persistent=1, ping_pong=0 and cluster=1"
               : NULL;
}

/* Each block of a cluster has a part of a tile's steps along k, and all of its sums, which go to
 * the memory of the stages. */
static const char *split_refusal(const TileSpace *s, const Tile *t) {
    int64_t steps = 0, length;
    if (!t->split_k) return NULL;
    if (t->split_k < 2 || t->split_k > MOST_SPLITS)
        return tile_refuse(s, "split_k must be 0, or 2 to %d, not %d", MOST_SPLITS, t->split_k);
    if (t->ping_pong || t->cluster > 1 || t->persistent || t->stream_k)
        return "split_k goes with persistent=0, ping_pong=0, cluster=1 and stream_k=0";
    for (int i = 0; i < body_summand_count(s->b); i++) {
        const Dim extent = s->b->indices->extent[body_summand(s->b, i).axis];
        if (!dim_is_const(s->b->indices->dims, extent, &length))
            return "split_k is for sums whose lengths are known";
        steps += ceil_div(length, t->k);
    }
    if (steps < t->split_k)
        return tile_refuse(s, "%lld steps along k cannot be split into %d parts", (long long)steps,
                           t->split_k);
    const int64_t sums = (int64_t)t->m * t->n * s->dot.count * (int64_t)sizeof(float);
    if (sums <= (int64_t)t->stages * wgmma_stage_bytes(&s->dot, t)) return NULL;
    return tile_refuse(s, "%d stages have no room for the %lld bytes of a tile's sums", t->stages,
                       (long long)sums);
}

/* Registers hold the factors of rows, shared memory those of columns. */
static const char *blocks_refusal(const TileSpace *s, const Tile *t) {
    if (!s->b->blocks.term) return NULL;
    const BlockFactors f = block_factors(s->b, t);
    if (f.of_column.count && t->n > GROUP_WARPS * WARP)
        return tile_refuse(s, "each of %d threads loads the factors of one column",
                           GROUP_WARPS * WARP);
    if (t->n <= MOST_UNEVEN || f.are_shared) return NULL;
    return tile_refuse(s, "each element has a factor of its own, and registers for %d columns",
                       MOST_UNEVEN);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const DotForm *f = &s->dot;
    const int piece = wgmma_piece(f, t);
    if (f->no_wgmma) return f->no_wgmma;
    const char *wrong = rows_refusal(s, t);
    if (wrong) return wrong;
    const int most = columns_of_tile(f, t);
    if (t->n < 1 || t->n % piece || t->n > most)
        return tile_refuse(s, "n must be a multiple of %d up to %d, not %d", piece, most, t->n);
    if (t->stages < LEAST_LEGAL_STAGES || t->stages > MOST_LEGAL_STAGES)
        return tile_refuse(s, "stages must be %d to %d, not %d", LEAST_LEGAL_STAGES,
                           MOST_LEGAL_STAGES, t->stages);
    if (t->group < 1 || t->group > MOST_GROUP)
        return tile_refuse(s, "group must be a number from 1 to %d, not %d", MOST_GROUP, t->group);
    wrong = cluster_refusal(s, t);
    if (!wrong) wrong = stream_refusal(s, t);
    if (!wrong) wrong = split_refusal(s, t);
    if (!wrong) wrong = blocks_refusal(s, t);
    if (!wrong) wrong = epilogue_obstacle(s, t);
    if (wrong) return wrong;
    const int64_t shared = tile_wgmma_shared(f, t);
    if (shared <= f->gpu->shared_block) return NULL;
    return tile_refuse(s, "%d stages take %lld bytes of shared memory, and a block has %d",
                       t->stages, (long long)shared, f->gpu->shared_block);
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* A block for each of more tiles than multiprocessors: the next tile goes to the first
 * multiprocessor that is free, but all waves start anew. */
static void add_short_blocks(const TileSpace *s, Tile t, double clocks, Candidates *out) {
    const double waves = tile_waves(s->b, s->dot.gpu, &t);
    if (t.ping_pong || waves <= 1) return;
    t.persistent = 0;
    candidate_add(s, t, clocks + (waves - 1) * s->dot.gpu->start, out);
}

/* Stream-K where the last wave is known to be partly empty. Registers that hold a share leave fewer
 * to an epilogue of many sums. */
static void add_streams(const TileSpace *s, Tile t, double slower, Candidates *out) {
    if (t.ping_pong || !tile_is_counted(s->b)) return;
    if (t.unroll > 2) t.unroll = 2;
    for (t.stream_k = 2; t.stream_k <= MOST_PARTS; t.stream_k *= 2)
        candidate_add(s, t, wgmma_clocks(s, &t, slower), out);
}

/* Split-K where tiles are few, so that all clusters start at once: of 16-bit operands in memory,
 * which it was measured with. */
static void add_splits(const TileSpace *s, Tile t, double slower, Candidates *out) {
    const bool is_measured = dtype_size(s->dot.product->type) == 2 && !wgmma_computes(&s->dot);
    if (t.ping_pong || !tile_is_counted(s->b) || !is_measured) return;
    if (tile_waves(s->b, s->dot.gpu, &t) > 1) return;
    t.persistent = 0;
    for (t.split_k = 2; t.split_k <= MOST_SPLITS; t.split_k++)
        if (t.split_k * tile_count(s->b, &t) <= s->dot.gpu->processors)
            candidate_add(s, t, wgmma_clocks(s, &t, slower), out);
}

/* Blocks of a cluster have tiles below each other, and share right operands: not where there are no
 * rows for the second, or most columns are padding. On an H200 37 x 6320 x 7432 takes 47.6 us in
 * tiles of 64 x 128 with a cluster and 38.2 without, 4320 x 51 x 4904 39.8 and 27.1. */
static void add_clusters(const TileSpace *s, Tile t, double slower, Candidates *out) {
    const Indices *x = s->b->indices;
    int64_t rows, columns;
    if (dim_is_const(x->dims, x->extent[DOT_M], &rows) && rows <= t.m) return;
    if (dim_is_const(x->dims, x->extent[DOT_N], &columns) && 2 * columns <= t.n) return;
    t.cluster = 2, t.group = WALKED;
    candidate_add(s, t, wgmma_clocks(s, &t, slower), out);
}

/* With three consumers: 1160 x 960 x 3288 [K, M] takes 27 us on an H200 in two parts of 192 x 192,
 * 22 in whole tiles of 128 x 128. */
static const double split_three = 1.05;

/* A shape with its variants. Narrow tiles are no slower where they have all columns, or are split.
 */
static void add_shape(const TileSpace *s, const Shape *shape, Tile t, Candidates *out) {
    enum { NARROW = 64 };
    const Indices *x = s->b->indices;
    int64_t columns;
    const bool is_narrow = shape->m == GROUPS * GROUP_ROWS && shape->columns == NARROW;
    const bool has_all = dim_is_const(x->dims, x->extent[DOT_N], &columns) && columns <= NARROW;
    const double slower = is_narrow && has_all ? 1 : shape->slower;
    if (s->dot.columns) choose_row(s, &t);
    const double clocks = wgmma_clocks(s, &t, slower);
    candidate_add(s, t, clocks, out);
    add_short_blocks(s, t, clocks, out);
    if (s->dot.columns) return;
    epilogue_variants(s, &t, clocks, out);
    add_streams(s, t, slower, out);
    add_splits(s, t, is_narrow ? 1 : slower * (wgmma_groups(&t) > GROUPS ? split_three : 1), out);
    add_clusters(s, t, slower, out);
}

/* Widths between others, where a last wave would be partly empty with those. On an H200 they take
 * 1.06 to 1.14 times as long for each column as tiles of 256; of 176, 1.25. */
static void add_between(const TileSpace *s, Candidates *out) {
    static const Shape shapes[] = {{128, 224, 0, 1.06}, {128, 208, 0, 1.12}, {128, 144, 0, 1.08}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !s->dot.columns; i++) {
        const Tile t = shaped(s, &shapes[i]);
        if (t.n * s->dot.count == shapes[i].columns) add_shape(s, &shapes[i], t, out);
    }
}

/* Does a tile have all columns, or all rows that there are, more than two consumers have? */
static bool has_side(const TileSpace *s, const Tile *t) {
    const Indices *x = s->b->indices;
    int64_t rows, columns;
    if (dim_is_const(x->dims, x->extent[DOT_N], &columns) && columns <= t->n) return true;
    return dim_is_const(x->dims, x->extent[DOT_M], &rows) && rows <= t->m &&
           rows > GROUPS * GROUP_ROWS;
}

/* Three consumers: one wave of tiles of 192 rows takes the place of one and a half. On an H200 552
 * x 8000 x 8752 takes 122 us in tiles of 192 x 192, 163 in those of 128 x 160, 11920 x 360 x 1544
 * 30 and 35 (128 x 192). Of 53 products 38 took 0.75 to 0.99 times as long, the others up to 1.07;
 * those of 4096 take 208 us, 192 in tiles of 128 x 256. Narrow tiles load too much, but of all
 * columns or rows: 6152 x 256 x 7088 takes 51 us in tiles of 192 x 64, 39 in those of 128 x 128,
 * 18872 x 19 x 1520 28 and 36 (128 x 64). */
static void add_three(const TileSpace *s, Candidates *out) {
    enum { NARROW = 64 };
    static const Shape shapes[] = {
        {192, 192, 0, 1.03}, {192, 160, 0, 1.05}, {192, 128, 0, 1.05}, {192, 64, 0, 1.05}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && may_have_three(&s->dot); i++) {
        const Tile t = shaped(s, &shapes[i]);
        if (t.n * s->dot.count != shapes[i].columns) continue;
        if (shapes[i].columns > NARROW || has_side(s, &t)) add_shape(s, &shapes[i], t, out);
    }
}

/* All columns of a narrow product, with as many stages as there may be: 8192 x 16 x 4096 takes 20.4
 * us on an H200, 23.3 with 64 columns and 6 stages. */
static void add_narrow(const TileSpace *s, Candidates *out) {
    static const Shape shapes[] = {{128, 32, 0, 1}, {128, 16, 0, 1}};
    int64_t columns;
    if (!dim_is_const(s->b->indices->dims, s->b->indices->extent[DOT_N], &columns)) return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !s->dot.columns; i++) {
        Tile t = shaped(s, &shapes[i]);
        t.stages = MOST_LEGAL_STAGES;
        if (t.n >= columns) add_shape(s, &shapes[i], t, out);
    }
}

/* Up to 64 columns over a short k, in several waves: ping-pong stores while others are loaded. On
 * an H200 16384 x 64 x 128 takes 5.1 us so, 5.7 in tiles of 128 x 64, 96 times 400 x 40 x 96 6.6
 * and 7.1. */
static void add_narrow_turns(const TileSpace *s, Candidates *out) {
    enum { NARROW = 64, SHORT = 512, WAVES = 2 };
    static const Shape shape = {GROUP_ROWS, NARROW, 1, 1};
    const Indices *x = s->b->indices;
    int64_t columns, k;
    if (s->dot.columns || !dim_is_const(x->dims, x->extent[DOT_N], &columns)) return;
    if (!dim_is_const(x->dims, x->extent[DOT_K], &k) || k > SHORT) return;
    if (columns > NARROW || columns <= NARROW / 2) return;
    const Tile t = shaped(s, &shape);
    if (t.n == NARROW && tile_waves(s->b, s->dot.gpu, &t) > WAVES) add_shape(s, &shape, t, out);
}

/* Do rows of a result start within sectors, which tiles beside each other then share? */
static bool shares_sectors(const TileSpace *s) {
    for (int i = 0; i < s->b->stores.count; i++) {
        const Store *to = &s->b->stores.at[i];
        const Dtype type = s->k->buffers.at[to->buffer].type;
        if (wgmma_crosses_sectors(s->b, to->ix, DOT_M, type)) return true;
    }
    return false;
}

/* Of a short k, results are most of what moves. Smaller tiles in ping-pong then store while others
 * are loaded: on an H100 64 products of 1024 x 1024 x 128 take 62 us in tiles of 64 x 128, 73 in
 * those of 128 x 128, 65536 x 1024 x 128 57 and 67. With k = 192 they are slower. On an H200 k = 64
 * takes 45.3 us, in tiles of 64 x 64 49.5; 1000 x 1000 x 124, whose rows of results are 62.5
 * sectors, 75.8 us, in tiles of 64 x 256 67.4, with clusters 63.0. */
static void add_stored(const TileSpace *s, Candidates *out) {
    enum { SHORT = 128 };
    const Dim *extent = s->b->indices->extent;
    int64_t k, columns;
    if (s->dot.columns || s->dot.count > 1 || s->epilogue.ops || body_summand_count(s->b) > 1)
        return;
    if (!dim_is_const(s->b->indices->dims, extent[DOT_K], &k) || k > SHORT) return;
    if (!dim_is_const(s->b->indices->dims, extent[DOT_N], &columns)) return;
    const bool is_wide = columns >= MOST_COLUMNS && shares_sectors(s);
    const Shape large = {128, 128, 1, 1}, shape = {64, is_wide ? MOST_COLUMNS : 128, 1, 1};
    const Tile usual = shaped(s, &large);
    Tile t = shaped(s, &shape);
    if (!wgmma_has_boxes(&s->dot, &t) || columns < usual.n) return;
    if (tile_waves(s->b, s->dot.gpu, &usual) < 2) return;
    if (is_wide) t.cluster = MOST_CLUSTER, t.group = WALKED;
    candidate_add(s, t, 0.9 * wgmma_clocks(s, &usual, large.slower), out);
}

/* Results in pieces, which a permutation has taken apart, over a short k: on an H200 tiles of 128 x
 * 128 take 63.5 us for einsum("sic,sjd->ijcd") of bf16 [128, 256, 32], those of 128 x 192 76. */
static void add_pieces(const TileSpace *s, Candidates *out) {
    enum { SHORT = 128, LEAST_PIECE = 4 };
    static const Shape shape = {128, 128, 1, 1};
    const Body *b = s->b;
    int64_t k;
    if (s->dot.columns || s->dot.count > 1 || b->stores.count != 1) return;
    if (!dim_is_const(b->indices->dims, b->indices->extent[DOT_K], &k) || k > SHORT) return;
    if (epilogue_stores_neighbours(s) || !tile_is_run(b, DOT_N, b->stores.at[0].ix, LEAST_PIECE))
        return;
    const Tile t = shaped(s, &shape);
    candidate_add(s, t, 0.9 * wgmma_clocks(s, &t, shape.slower), out);
}

/* Of as many elements, 128 columns take less of shared memory than 64 do: on an H100 2048 x 512 x
 * 4096 takes 17.9 us in tiles of 64 x 128, 23.5 in those of 128 x 64, others 0.92 to 0.99 times. */
static void add_computed(const TileSpace *s, Candidates *out) {
    static const Shape shapes[] = {
        {128, 144, 0, 1}, {128, 112, 0, 1}, {128, 80, 0, 1}, {128, 48, 0, 1}, {128, 32, 0, 1},
        {64, 112, 1, 1},  {64, 96, 1, 1},   {64, 64, 1, 1},  {64, 48, 1, 1},  {64, 32, 1, 1}};
    if (!wgmma_computes(&s->dot) || s->dot.columns) return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const Tile t = shaped(s, &shapes[i]);
        if (t.n * s->dot.count == shapes[i].columns) add_shape(s, &shapes[i], t, out);
    }
}

/* Whole rows of more columns than a warpgroup has accumulators for: each has half of them. */
static void add_halves(const TileSpace *s, Candidates *out) {
    const DotForm *f = &s->dot;
    Tile t = {.kind = TILE_WGMMA_ROWS,
              .m = GROUP_ROWS,
              .k = wgmma_depth(f),
              .group = WALKED,
              .cluster = MOST_CLUSTER,
              .persistent = 1};
    if (f->columns <= MOST_COLUMNS) return;
    t.n = f->columns;
    const int piece = wgmma_piece(f, &t);
    t.n = (int)ceil_div(f->columns, piece) * piece;
    choose_row(s, &t);
    for (t.stages = MOST_STAGES; t.stages >= LEAST_STAGES; t.stages--)
        candidate_add(s, t, wgmma_clocks(s, &t, 1), out);
}

static void list(const TileSpace *s, Candidates *out) {
    static const Shape shapes[] = {{128, 256, 0, 1},   {128, 192, 0, 1}, {128, 160, 0, 1},
                                   {128, 128, 0, 1},   {128, 96, 0, 1},  {128, 64, 0, 1.1},
                                   {256, 128, 0, 1.5}, {128, 192, 1, 1}, {128, 128, 1, 1},
                                   {64, 256, 1, 1.1},  {64, 128, 1, 1}};
    Tile last = {0};
    if (s->dot.no_wgmma) return;
    add_halves(s, out);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const Tile t = shaped(s, &shapes[i]);
        if (!t.n || (i && t.n == last.n && t.m == last.m && t.ping_pong == last.ping_pong))
            continue;
        last = t;
        add_shape(s, &shapes[i], t, out);
    }
    add_between(s, out);
    add_three(s, out);
    add_stored(s, out);
    add_pieces(s, out);
    add_narrow(s, out);
    add_narrow_turns(s, out);
    add_computed(s, out);
}

const TileFamily tile_wgmma = {list, complete, refusal};
