/* binned.c: tiles of scatters without a sort, on a GPU: threads of a block, and elements that each
 * has at a time. In: a body of a Kernel. Out: legal tiles; times are not estimated. */
#include "kernel/tile/tile_private.h"

enum {
    WARP = 32,
    WARPS = 32,
    LEAST_SLICED = 2 * WARP, /* columns */
    ELEMENTS = 16,           /* of a thread, at a time, */
    MOST_ELEMENTS = 32,      /* at most */
    ELEMENT_WORDS = 1024     /* in registers, of a lane of all warps of a block */
};

static int64_t known(const Body *b, Dim dim) {
    int64_t size;
    return dim_is_const(b->indices->dims, dim, &size) ? size : 0;
}

int tile_bin_slices(const Body *b) {
    const int64_t columns = b->sort.columns, slices = (columns + WARP - 1) / WARP;
    return columns < LEAST_SLICED ? 0 : slices < WARPS ? (int)slices : WARPS;
}

int tile_bin_tables(const Body *b, const Tile *t) {
    const int slices = tile_bin_slices(b);
    return t->threads / WARP / (slices ? slices : 1);
}

/* The first store is of where an element goes. */
int64_t tile_bins_shared(const Body *b) {
    return (b->stores.count - 1) * known(b, b->indices->extent[SEGMENTS_ROWS]) *
           (int64_t)dtype_size(b->sort.type);
}

static int step_of(const Body *b) { return WARP * (tile_bin_slices(b) ? tile_bin_slices(b) : 1); }

static int most_threads(const TileSpace *s) {
    const int step = step_of(s->b), fit = WARPS * WARP / step;
    const int tables = cost_bin_tables(s->machine, tile_bins_shared(s->b));
    return step * (tables < fit ? tables : fit);
}

static const char *binned_refusal(const TileSpace *s, const Tile *t) {
    const int step = step_of(s->b), most = most_threads(s);
    if (t->threads < step || t->threads > most || t->threads % step)
        return arena_printf(s->arena, "threads must be a multiple of %d up to %d, not %d", step,
                            most, t->threads);
    return tile_range_refusal(s->arena, "m", t->m, 1, MOST_ELEMENTS);
}

/* Elements of a part that each thread has; 0: their number is open. */
static int64_t own_elements(const Body *b, int threads) {
    const int64_t all = known(b, b->indices->extent[SEGMENTS_COUNT]);
    return (all + (int64_t)threads * b->sort.parts - 1) / ((int64_t)threads * b->sort.parts);
}

/* As many warps as memory for their results allows; few have more elements each in flight, as
 * registers allow. */
static void binned_list(const TileSpace *s, Candidates *out) {
    const int step = step_of(s->b);
    const int words = (s->b->stores.count - 1) * (int)dtype_size(s->b->sort.type) / 4;
    Tile first = {.kind = TILE_BINNED, .threads = most_threads(s), .m = 1};
    const int warps = first.threads / WARP, all = ELEMENT_WORDS / warps;
    const int64_t own = own_elements(s->b, first.threads);
    while (first.m < ELEMENTS && 2 * first.m * (2 + words) <= all && (!own || first.m < own))
        first.m *= 2;
    for (int threads = first.threads; threads >= step; threads /= 2)
        for (int m = MOST_ELEMENTS; m; m /= 2) {
            const Tile t = {.kind = TILE_BINNED, .threads = threads / step * step, .m = m};
            candidate_add(s, t, tile_distance(&first, &t), out);
        }
}

static void complete_nothing(const TileSpace *s, Tile *t) {
    (void)s;
    (void)t;
}

const TileFamily tile_binned = {binned_list, complete_nothing, binned_refusal};
