/* segments.c: tiles of a sort of indices, on a GPU: threads of a block, and rows that it has at a
 * time. In C it is a loop with such a tile.
 * In: a body of a Kernel. Out: legal tiles; times are not estimated. */
#include "kernel/tile/tile_private.h"

enum {
    LEAST_THREADS = 64,
    MOST_THREADS = 1024,
    LEAST_ROWS = 64,
    MOST_ROWS = 4096,
    INDICES = 4 /* of a thread, at a time */
};

int64_t tile_segments_shared(const Tile *t) {
    enum { WARPS = 32 };
    const int queue = 2 * 2 * t->threads, votes = 2 * WARPS, sums = 2 * WARPS;
    return 4 * (t->m + queue + votes + sums);
}

static int power_from(int64_t n, int least, int most) {
    int p = least;
    while (p < n && p < most) p *= 2;
    return p;
}

static const char *segments_refusal(const TileSpace *s, const Tile *t) {
    if (!is_power_of_two(t->threads) || t->threads < LEAST_THREADS || t->threads > MOST_THREADS)
        return arena_printf(s->arena, "threads must be a power of 2 from %d to %d, not %d",
                            LEAST_THREADS, MOST_THREADS, t->threads);
    return tile_range_refusal(s->arena, "m", t->m, LEAST_ROWS, MOST_ROWS);
}

/* One block for each multiprocessor has its rows at once, if their number is known. */
static void segments_list(const TileSpace *s, Candidates *out) {
    const Dims *d = s->b->indices->dims;
    int64_t count, rows;
    Tile first = {.kind = TILE_SEGMENTS, .threads = MOST_THREADS, .m = MOST_ROWS};
    if (dim_is_const(d, s->b->indices->extent[SEGMENTS_COUNT], &count))
        first.threads = power_from(ceil_div(count, INDICES), LEAST_THREADS, MOST_THREADS);
    if (dim_is_const(d, s->b->indices->extent[SEGMENTS_ROWS], &rows))
        first.m = power_from(ceil_div(rows, s->machine->processors), LEAST_ROWS, MOST_ROWS);
    candidate_add(s, first, 0, out);
    for (int threads = LEAST_THREADS; threads <= MOST_THREADS; threads *= 2)
        for (int m = first.m; m <= MOST_ROWS; m *= 4) {
            Tile t = first;
            t.threads = threads, t.m = m;
            if (tile_distance(&first, &t)) candidate_add(s, t, tile_distance(&first, &t), out);
        }
}

static void complete_nothing(const TileSpace *s, Tile *t) {
    (void)s;
    (void)t;
}

const TileFamily tile_segments = {segments_list, complete_nothing, segments_refusal};
