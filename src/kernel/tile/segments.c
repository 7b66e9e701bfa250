/* segments.c: tiles of a sort of indices, on a GPU: threads of a block, and rows that it has at a
 * time. In C it is a loop with such a tile.
 * In: a body of a Kernel. Out: legal tiles; times are not estimated. */
#include "kernel/tile/tile_private.h"

enum {
    LEAST_THREADS = 64,
    MOST_THREADS = 1024,
    LEAST_ROWS = 64,
    MOST_ROWS = 4096,
    INDICES = 4, /* of a thread, at a time */
    WORDS = TILE_SHARED / 4,
    SCANNED = 2 * 32,      /* words of a running sum over the threads of a block */
    MOST_TALLIED = WORDS,  /* rows that a block counts */
    MOST_COPIES = 8,       /* of the counts of few rows, */
    COPIED = 8192,         /* words of all of them */
    PLACED = WORDS / 3 * 2 /* words of what each warp of a block has counted */
};

/* Groups of rows in a tally, and of a sort; else rows. */
static int64_t row_count(const Body *b) {
    int64_t rows = b->sort.groups;
    if (!rows) dim_is_const(b->indices->dims, b->indices->extent[SEGMENTS_ROWS], &rows);
    return rows;
}

int tile_tally_copies(const Tile *t) {
    int copies = 1;
    while (2 * copies * t->m <= COPIED && 2 * copies <= MOST_COPIES &&
           2 * copies <= t->threads / 32)
        copies *= 2;
    return copies;
}

/* Of RowTile, in templates/cuda/segments.cuh. */
static int64_t placed_words(const Tile *t) {
    const int64_t counts = (int64_t)t->threads / 32 * t->m, sorted = 2 * INDICES * t->threads;
    return 2 * t->m + (counts > sorted ? counts : sorted);
}

/* Words of shared memory. */
static int64_t shared_words(const Body *b, const Tile *t) {
    enum { WARPS = 32 };
    const int queue = 2 * 2 * t->threads, votes = 2 * WARPS, sums = 2 * WARPS;
    switch (b->sort.op) {
    case OP_TALLY: return tile_tally_copies(t) * t->m;
    case OP_GROUPS: return 3 * t->m + placed_words(t) + SCANNED;
    case OP_GROUPED: return t->m + placed_words(t) + SCANNED;
    default: return t->m + queue + votes + sums;
    }
}

int64_t tile_segments_shared(const Body *b, const Tile *t) { return 4 * shared_words(b, t); }

static int power_from(int64_t n, int least, int most) {
    int p = least;
    while (p < n && p < most) p *= 2;
    return p;
}

static const char *segments_refusal(const TileSpace *s, const Tile *t) {
    const bool tallies = s->b->sort.op == OP_TALLY, groups = s->b->sort.op == OP_GROUPS;
    if (!is_power_of_two(t->threads) || t->threads < LEAST_THREADS || t->threads > MOST_THREADS)
        return tile_refuse(s, "threads must be a power of 2 from %d to %d, not %d", LEAST_THREADS,
                           MOST_THREADS, t->threads);
    if (groups && t->m != s->b->sort.groups)
        return tile_refuse(s, "m must be %d, the number of groups, not %d", s->b->sort.groups,
                           t->m);
    const char *reason = tile_range_refusal(s, "m", t->m, groups || tallies ? 1 : LEAST_ROWS,
                                            tallies ? MOST_TALLIED : MOST_ROWS);
    if (!reason && shared_words(s->b, t) > WORDS)
        return tile_refuse(s, "%lld bytes of shared memory, of %d",
                           (long long)tile_segments_shared(s->b, t), TILE_SHARED);
    return reason;
}

/* The rows of a tally as few times as memory for them allows, all groups at once, and as many rows
 * of a group as memory for all warps allows. */
static void list_steps(const TileSpace *s, Candidates *out) {
    const SortValues *sort = &s->b->sort;
    const int64_t rows = row_count(s->b), windows = ceil_div(rows, MOST_TALLIED);
    for (int threads = MOST_THREADS; threads >= MOST_THREADS / 4; threads /= 2) {
        Tile t = {.kind = TILE_SEGMENTS, .threads = threads, .m = PLACED / (threads / 32)};
        if (sort->op == OP_TALLY) t.m = (int)ceil_div(rows, windows);
        if (sort->op == OP_GROUPS) t.m = sort->groups;
        const int first = sort->op == OP_GROUPED ? MOST_THREADS / 2 : MOST_THREADS;
        candidate_add(s, t, threads == first ? 0 : threads < first ? first / threads : 3, out);
    }
}

/* One block for each multiprocessor has its rows at once, if their number is known. */
static void segments_list(const TileSpace *s, Candidates *out) {
    const Dims *d = s->b->indices->dims;
    const int64_t rows = row_count(s->b);
    int64_t count;
    Tile first = {.kind = TILE_SEGMENTS, .threads = MOST_THREADS, .m = MOST_ROWS};
    if (s->b->sort.op != OP_SEGMENTS) {
        list_steps(s, out);
        return;
    }
    if (dim_is_const(d, s->b->indices->extent[SEGMENTS_COUNT], &count))
        first.threads = power_from(ceil_div(count, INDICES), LEAST_THREADS, MOST_THREADS);
    if (rows) first.m = power_from(ceil_div(rows, s->machine->processors), LEAST_ROWS, MOST_ROWS);
    candidate_add(s, first, 0, out);
    for (int threads = LEAST_THREADS; threads <= MOST_THREADS; threads *= 2)
        for (int m = first.m; m <= MOST_ROWS; m *= 4) {
            Tile t = first;
            t.threads = threads, t.m = m;
            if (tile_distance(&first, &t)) candidate_add(s, t, tile_distance(&first, &t), out);
        }
}

const TileFamily tile_segments = {segments_list, NULL, segments_refusal};
