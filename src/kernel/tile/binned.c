/* binned.c: tiles of scatters without a sort, on a GPU: threads of a block, and elements that each
 * has at a time. In: a body of a Kernel. Out: legal tiles; times are not estimated. */
#include "kernel/tile/tile_private.h"

enum {
    WARP = 32,
    WARPS = 32,
    SOME_WARPS = 8,
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

/* The first store is of where an element goes. */
int64_t tile_bins_shared(const Body *b) {
    return (b->stores.count - 1) * known(b, b->indices->extent[SEGMENTS_ROWS]) *
           (int64_t)dtype_size(b->sort.type);
}

static int warps_of_table(const Body *b) {
    const int slices = tile_bin_slices(b);
    return slices ? slices : 1;
}

/* As many as fit, in memory and of the warps. */
int tile_bin_tables(const Body *b, const Tile *t, const Machine *machine) {
    const int fit = cost_bin_tables(machine, tile_bins_shared(b));
    const int tables = t->threads / (WARP * warps_of_table(b));
    return tables < fit ? tables : fit;
}

static const char *binned_refusal(const TileSpace *s, const Tile *t) {
    const int least = WARP * warps_of_table(s->b), most = WARPS * WARP;
    if (t->threads < least || t->threads > most || t->threads % WARP)
        return tile_refuse(s, "threads must be a multiple of %d from %d to %d, not %d", WARP, least,
                           most, t->threads);
    return tile_range_refusal(s, "m", t->m, 1, MOST_ELEMENTS);
}

/* Elements of a part that each thread has; 0: their number is open. */
static int64_t own_elements(const Body *b, int threads) {
    const int64_t all = known(b, b->indices->extent[SEGMENTS_COUNT]);
    return (all + (int64_t)threads * b->sort.parts - 1) / ((int64_t)threads * b->sort.parts);
}

/* As many warps as memory for their results allows, and some more to clear and to combine these;
 * few have more elements each in flight, as registers allow. */
static void binned_list(const TileSpace *s, Candidates *out) {
    const int words = (s->b->stores.count - 1) * (int)dtype_size(s->b->sort.type) / 4;
    const Tile all = {.kind = TILE_BINNED, .threads = WARPS * WARP};
    const int warps = tile_bin_tables(s->b, &all, s->machine) * warps_of_table(s->b);
    const int threads = WARP * (warps < SOME_WARPS ? SOME_WARPS : warps);
    const int64_t own = own_elements(s->b, WARP * warps);
    Tile first = {.kind = TILE_BINNED, .threads = threads, .m = 1};
    while (first.m < ELEMENTS && 2 * first.m * (2 + words) <= ELEMENT_WORDS / warps &&
           (!own || first.m < own))
        first.m *= 2;
    for (int less = 1; less <= WARPS; less *= 2)
        for (int m = MOST_ELEMENTS; m; m /= 2) {
            const int fewer = threads / less / WARP * WARP;
            const Tile t = {.kind = TILE_BINNED, .threads = fewer, .m = m};
            candidate_add(s, t, tile_distance(&first, &t), out);
        }
}

const TileFamily tile_binned = {binned_list, NULL, binned_refusal};
