/* wgmma_time.c: the expected clocks of a contraction by wgmma and TMA with a tile.
 * In: a TileSpace, one of its tiles. Out: clocks, fitted to measurements on an H200 and an H100. */
#include "kernel/tile/tile_private.h"

#include <math.h>

enum {
    GROUP_ROWS = 64, /* rows of one wgmma */
    GROUP_THREADS = 128,
    SLOT_ROW = 128, /* bytes of a row in shared memory: one swizzle width */
    CHUNK = 16,     /* bytes that are stored at a time */
    CLEAR = 5000    /* ns: a memset before a launch */
};

static bool rows_are(const Body *b, int64_t *rows) {
    return dim_is_const(b->indices->dims, b->indices->extent[DOT_M], rows);
}

/* Most rows of a tile are padding, and one block of a multiprocessor waits for memory: times as
 * long as estimated. */
static double padding(const Body *b, const Tile *t) {
    int64_t rows;
    return rows_are(b, &rows) && 4 * rows <= t->m ? 1.5 : 1;
}

static const double part_share = 0.7; /* of the rate of L2, for parts of tiles */

/* Stream-K: parts of the last wave's tiles go through L2, one after the other; a memset comes
 * first. */
static double stream_clocks(const TileSpace *s, const Tile *t, double steps, double products,
                            double epilogue) {
    const Machine *gpu = s->dot.gpu;
    const double tiles = tile_count(s->b, t), whole = floor(tiles / gpu->processors);
    const double left = tiles - whole * gpu->processors;
    const double parts = left > 0 ? fmin(floor(gpu->processors / left), t->stream_k) : 1;
    const double share = left > 0 ? ceil(steps / parts) / steps : 0;
    const double part = (double)t->m * t->n * s->dot.count * sizeof(float) / (part_share * gpu->l2);
    return (whole + share) * products + (whole + (left > 0)) * epilogue + parts * part +
           1e-3 * CLEAR * gpu->clock;
}

/* Split-K: a cluster has the steps of one tile. */
static double split_clocks(const TileSpace *s, const Tile *t, double steps, double each,
                           double epilogue) {
    const int parts = t->split_k;
    int64_t rows;
    if (!rows_are(s->b, &rows) || rows > t->m) rows = t->m;
    const double added = cost_cluster_sums((double)rows, t->n, parts) * s->dot.count;
    const double waves = ceil(tile_count(s->b, t) / cost_clusters(s->dot.gpu, parts));
    return waves * (ceil(steps / parts) * each + added + epilogue / parts);
}

bool wgmma_crosses_sectors(const Body *b, Ix ix, int across, Dtype type) {
    enum { SECTOR = 32 };
    Dim step;
    int64_t elements;
    return index_along(b, ix, across, &step) == 1 &&
           dim_is_const(b->indices->dims, step, &elements) &&
           elements * (int64_t)dtype_size(type) % SECTOR != 0;
}

/* Those of an operand that is loaded. */
static bool load_crosses(const Body *b, int value, int across) {
    const Value *v = &b->values.at[value];
    return v->kind == V_LOAD && wgmma_crosses_sectors(b, v->ix, across, v->type);
}

static bool left_crosses(const Body *b, const DotForm *f) {
    const Summand k = body_summand(b, 0);
    return load_crosses(b, k.left, wgmma_left(f, 0) == OPERAND_K_MAJOR ? DOT_M : k.axis);
}

static bool right_crosses(const Body *b, const DotForm *f) {
    const Summand k = body_summand(b, 0);
    for (int i = 0; i < f->count; i++)
        if (load_crosses(b, k.right[i], f->right[i] == OPERAND_K_MAJOR ? DOT_N : k.axis))
            return true;
    return false;
}

bool wgmma_loads_cross(const Body *b, const DotForm *f) {
    return left_crosses(b, f) || right_crosses(b, f);
}

/* Rows of an operand that a block loads. Of wide tiles that are not split all are counted, since
 * there are smaller ones: on an H200 5192 x 62 x 840 takes 8.3 us in tiles of 128 x 64 and 10.2 in
 * those of 64 x 128, 55 x 5952 x 2168 16.3 us in tiles of 128 x 96 and 14.8 in those of 64 x 128.
 */
static double counted_rows(const TileSpace *s, const Tile *t, int own, OperandLayout layout) {
    enum { NARROW = 64 };
    const bool is_wide = t->n > NARROW && (own == DOT_N || !t->split_k);
    return is_wide ? own == DOT_M ? t->m : t->n : wgmma_loaded_rows(s->b, &s->dot, t, own, layout);
}

/* Two columns of tiles for many rows, all in one wave: blocks share rows with one other only. On an
 * H200 6152 x 7088 times 128, 144 and 256 columns takes 31, 46 and 42 us in tiles of 64, 96 and 128
 * columns, of which estimates say 28, 33 and 37. */
static const double paired = 1.15;

static bool has_pairs(const TileSpace *s, const Tile *t) {
    enum { MANY = 16 };
    const Indices *x = s->b->indices;
    int64_t rows, columns;
    if (!dim_is_const(x->dims, x->extent[DOT_M], &rows)) return false;
    if (!dim_is_const(x->dims, x->extent[DOT_N], &columns)) return false;
    return !t->split_k && !t->stream_k && ceil_div(columns, t->n) == 2 &&
           rows > (int64_t)MANY * t->m && tile_count(s->b, t) <= s->dot.gpu->processors;
}

/* Clocks in which a stage arrives while all blocks load theirs. Blocks of a cluster share the right
 * operands: that matters where L2 is the limit by far. Rows that start within a sector of L2 take
 * COST_CROSSING times as long: on an H100 blocks bring 22 to 24 bytes per clock and multiprocessor
 * of rows of 2000 and 8208 bytes, 60 of others; on an H200 43 where 43 to 92 multiprocessors have
 * one, of rows of 2896 and 18416 bytes. */
static double bring_clocks(const TileSpace *s, const Tile *t) {
    const DotForm *f = &s->dot;
    const double processors = f->gpu->processors;
    const int parts = t->stream_k ? t->stream_k : t->split_k ? t->split_k : 1;
    const double blocks = tile_count(s->b, t) * parts;
    const bool left = left_crosses(s->b, f), right = right_crosses(s->b, f);
    double rows =
        wgmma_left(f, 0) == OPERAND_COMPUTED ? 0 : counted_rows(s, t, DOT_M, wgmma_left(f, 0));
    for (int i = 0; i < f->count; i++)
        if (f->right[i] != OPERAND_COMPUTED)
            rows += counted_rows(s, t, DOT_N, f->right[i]) /
                    (right || wgmma_halves(f, t) ? t->cluster : 1);
    const double clocks = rows * SLOT_ROW / f->gpu->l2_tma * (has_pairs(s, t) ? paired : 1);
    const double times = fmax(COST_CROSSING_ALONE, COST_CROSSING * fmin(1, blocks / processors));
    return left || right ? clocks * times : t->split_k ? clocks * COST_APART : clocks;
}

/* Elements of an operand that its producers compute in a stage: each thread has as many. */
static double computed_elements(const DotForm *f, const Tile *t, OperandLayout layout,
                                const RawLoads *loads, int rows) {
    const int chunk = CHUNK / (int)dtype_size(f->product->type);
    const double each = GROUP_THREADS * (loads->count ? loads->elements : chunk);
    return layout == OPERAND_COMPUTED ? ceil((double)rows * t->k / each) * each : 0;
}

/* Clocks in which a stage is computed and multiplied: by the instructions of producers, and by
 * shared memory, which they store to and wgmma reads. Fitted to an H200: 64 and 128 rows times
 * weights of 4 bits (14336 x 4096) take 33 and 40 us. */
static double feed_clocks(const DotForm *f, const Tile *t) {
    static const double computing = 0.067, part = 0.7;
    const double columns = (double)t->n * f->count;
    double elements = computed_elements(f, t, wgmma_left(f, 0), &f->fed_left, t->m);
    for (int i = 0; i < f->count; i++)
        elements += computed_elements(f, t, f->right[i], &f->fed_right[i], t->n);
    const double read = ceil((double)t->m / GROUP_ROWS) * (GROUP_ROWS + columns);
    return elements > 0 ? computing * elements + part * (read + t->m + columns) : 0;
}

/* Of persistent blocks. The time of a tile is that of the tensor cores or of L2, whichever is
 * slower, plus the epilogue, which ping-pong does during the products of the next tile. Fitted to
 * measurements on an H200. */
static double tile_clocks(const TileSpace *s, const Tile *t) {
    const Body *b = s->b;
    const DotForm *f = &s->dot;
    const double columns = (double)t->n * f->count;
    const double rate = f->gpu->wgmma * 2.0 / (double)dtype_size(f->product->type);
    const double multiply = t->m * columns * t->k / rate;
    const double bring = bring_clocks(s, t);
    double steps = 0;
    for (int i = 0; i < body_summand_count(b); i++)
        steps += cost_tiles(b->indices->dims, b->indices->extent[body_summand(b, i).axis], t->k);
    const double each = fmax(fmax(multiply, bring), feed_clocks(f, t)), products = steps * each;
    const double epilogue =
        t->m * columns / f->gpu->finish_wgmma + (double)t->m * t->n * s->epilogue.ops / f->gpu->fma;
    if (t->stream_k)
        return padding(b, t) * (f->gpu->start + stream_clocks(s, t, steps, products, epilogue));
    if (t->split_k)
        return padding(b, t) * (f->gpu->start + split_clocks(s, t, steps, each, epilogue));
    if (t->ping_pong && tile_count(b, t) <= f->gpu->processors) /* of one group, and nothing else */
        return padding(b, t) * (f->gpu->start + products + 2 * epilogue);
    const double both = products + epilogue, waves = tile_waves(b, f->gpu, t);
    const double hidden = products > both / 2 ? products : both / 2;
    const double tiles = t->ping_pong ? waves * hidden + epilogue : waves * both;
    return padding(b, t) * (f->gpu->start + tiles);
}

/* Ping-pong of tf32: products of 2048, 4096, 8192 take 48, 375 and 3005 us on an H200, and without
 * 46, 347 and 3064. Of bytes it was not measured. */
static const double turned_words = 1.1;
/* Products of f8 whose stages wait until registers have added up the one before (wgmma_is_ahead):
 * 4096 takes 119 us instead of 100, 8192 782 instead of 770. */
static const double behind = 1.1;
/* With a cluster of two, products of an H200 take 1.00 to 1.01 times as long, split-K 1.18. Two
 * that are combined, over a short k, share tiles of both: geglu (16384 x 1024) takes 434 us instead
 * of 446, and in another run 376 instead of 390. */
static bool combines_two(const TileSpace *s, const Tile *t) {
    enum { WAVES = 8 };
    const Indices *x = s->b->indices;
    int64_t m;
    if (!tile_is_counted(s->b) || tile_waves(s->b, s->dot.gpu, t) < WAVES) return false;
    const bool is_even = dim_is_const(x->dims, x->extent[DOT_M], &m) && ceil_div(m, t->m) % 2 == 0;
    return is_even && s->dot.count == 2 && t->ping_pong && epilogue_is_late(s);
}

static double clustering(const TileSpace *s, const Tile *t) {
    return combines_two(s, t) ? 0.97 : 1.02;
}

/* Clocks until the blocks of clusters have started: on an H100 products of one wave take 1.3 to 1.7
 * us longer in them. Those that are combined were measured with it. */
static double cluster_start(const TileSpace *s, const Tile *t) {
    return combines_two(s, t) ? 0 : COST_CLUSTER_START;
}

/* Whole rows in ping-pong: products of 4096 with rotated heads take 211 us on an H200, as without;
 * of heads of 64 (8192 x 768 x 768) 23.3 to 28.7 us, and 24.7 to 27.0 without. Where rows are only
 * reduced, the logits of linear_cross_entropy (4096 x 50304 x 2048) take 1121 us, and 1301 without.
 * NVRTC spills where all of k is known to be one step. */
static double turning(const TileSpace *s, const Tile *t) {
    const double turned_rows = 4;
    int64_t k;
    if (!s->dot.columns || !t->ping_pong) return 1;
    const bool is_one_step =
        dim_is_const(s->b->indices->dims, s->b->indices->extent[DOT_K], &k) && k <= t->k;
    return s->dot.only_reduces && !is_one_step ? 1 : turned_rows;
}

/* Two products that are combined, over a short k: with 64 columns of each the sums leave registers
 * for an epilogue of several vectors. On an H200 geglu takes 0.94 times as long (16384 x 1024),
 * 0.89 (8192 x 768) and 0.87 times (32768 x 512) as with 96 columns. */
static double finishing(const TileSpace *s, const Tile *t) {
    enum { COLUMNS = 64 };
    const bool is_wide = s->dot.count == 2 && t->ping_pong && t->n > COLUMNS;
    return is_wide && epilogue_is_late(s) ? 1.15 : 1;
}

/* Stream-K is for waves that are 10 % empty and more, split-K for gains of 8 %. */
static const double streamed = 1.18, split = 1.08;

/* In ping-pong, several loads of a result have few registers beside the sums of 192 columns: the
 * gates of swiglu's backward take 461 us on an H200, 393 with 128 columns. So has a gelu that is
 * put into boxes: 210 us, 190 with 128 columns. So have segments of rows, of which a tile has many:
 * index scores of 16 heads (1024 x 4096 of 128) 44.9 us, 40.0 with 128 columns; of 64 heads (2048 x
 * 8192) 505 and 525. */
static double crowding(const TileSpace *s, const Tile *t) {
    enum { COLUMNS = 256, SHORT = 32 };
    const int columns = t->n * s->dot.count * wgmma_blocks(t);
    const bool is_long = (t->unroll == 1 || epilogue_is_late(s)) && wgmma_has_boxes(&s->dot, t);
    const bool are_short = s->dot.has_segments && s->dot.columns <= SHORT;
    const bool is_crowded = s->dot.result_loads > 1 || is_long || are_short;
    return t->ping_pong && columns > COLUMNS && is_crowded ? 1.15 : 1;
}

/* Rows that start anywhere in 16 bytes leave through boxes, of which a tile may have none: then
 * element by element. On an H200 2663 x 5189 x 168 takes 43 us so, in tiles of 128 x 192, and 28 in
 * those of 128 x 128. Several results were not measured. */
static double shifting(const TileSpace *s, const Tile *t) {
    const bool by_elements =
        s->dot.box_is_shifted && s->dot.box_results == 1 && !wgmma_has_boxes(&s->dot, t);
    return by_elements && tile_count(s->b, t) > s->dot.gpu->processors ? 1.5 : 1;
}

double wgmma_clocks(const TileSpace *s, const Tile *t, double slower) {
    double clocks = tile_clocks(s, t) * slower;
    if (t->stream_k) return clocks * streamed;
    clocks *= crowding(s, t) * shifting(s, t);
    clocks *= turning(s, t) * finishing(s, t);
    if (t->cluster > 1) clocks = clocks * clustering(s, t) + cluster_start(s, t);
    if (t->split_k) clocks = split * clocks + COST_CLUSTER_START;
    if (t->ping_pong && dtype_size(s->dot.product->type) != 2) clocks *= turned_words;
    if (wgmma_promotes(&s->dot) && !wgmma_is_ahead(&s->dot, t)) clocks *= behind;
    return clocks;
}
