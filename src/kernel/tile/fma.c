/* fma.c: tiles of a contraction that is multiplied by fused multiply-adds, one at a time. In: a
 * TileSpace. Out: legal tiles; no time is estimated: as many sums as registers hold come first. */
#include "kernel/tile/tile_private.h"

enum {
    SIDE = 16,  /* threads along m, and along n */
    DEPTH = 16, /* of a tile along k */
    LARGE = 8,  /* sums of a thread along m, and along n */
    SMALL = 4,
    SUM_REGISTERS = 64, /* of a thread */
    PAD = 4             /* elements between rows of shared memory */
};

static int words_of(const TileSpace *s) {
    return (int)dtype_size(dtype_compute(s->b->accs.at[0].type)) / 4;
}

/* Sums of a thread along each side: as many as registers allow, of all products together; fewer
 * where large tiles would leave multiprocessors idle. */
static int sums_each(const TileSpace *s) {
    const Dim *extent = s->b->indices->extent;
    int64_t tiles = 1, n;
    if (words_of(s) > 1) return SMALL;
    for (int axis = DOT_BATCH; axis <= DOT_N; axis++) {
        if (!dim_is_const(s->b->indices->dims, extent[axis], &n)) return LARGE;
        tiles *= axis == DOT_BATCH ? n : ceil_div(n, SIDE * LARGE);
    }
    return tiles < s->machine->processors ? SMALL : LARGE;
}

static int columns_each(int each, int products) {
    return products == 1 ? each : products == 2 ? each / 2 : each / 4;
}

/* Where a tile owns rows: enough for their columns, and rows for as many registers. */
static Tile rows_first(const TileSpace *s) {
    int cols = SMALL;
    while (cols * SIDE < s->dot.columns) cols *= 2;
    int rows = SUM_REGISTERS / words_of(s) / (cols * s->dot.count);
    if (rows > LARGE) rows = LARGE;
    return (Tile){.kind = TILE_FMA_ROWS, .m = SIDE * rows, .n = SIDE * cols};
}

static Tile first(const TileSpace *s) {
    if (s->dot.columns) return rows_first(s);
    const int each = sums_each(s);
    return (Tile){.kind = TILE_FMA, .m = SIDE * each, .n = SIDE * columns_each(each, s->dot.count)};
}

static void complete(const TileSpace *s, Tile *t) {
    t->threads = SIDE * SIDE;
    if (t->kind == TILE_FMA_ROWS) row_part_complete(s, t);
}

int64_t tile_fma_shared(const Body *b, const Tile *t) {
    const int64_t rows = t->m + PAD + b->dots * (t->n + PAD);
    return 2 * DEPTH * rows * (int64_t)dtype_size(dtype_compute(b->accs.at[0].type));
}

static const char *shared_refusal(const TileSpace *s, const Tile *t) {
    const int64_t bytes = tile_fma_shared(s->b, t);
    if (bytes <= TILE_SHARED) return NULL;
    return arena_printf(s->arena, "two tiles take %lld bytes of shared memory, and a block has %d",
                        (long long)bytes, TILE_SHARED);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const int64_t sums = (int64_t)t->m / SIDE * (t->n / SIDE) * s->dot.count * words_of(s);
    if (t->m % SIDE || t->n % SIDE || !is_power_of_two(t->m / SIDE) ||
        !is_power_of_two(t->n / SIDE))
        return arena_printf(s->arena, "m and n are 16 times a power of 2, and not %d and %d", t->m,
                            t->n);
    if (sums > SUM_REGISTERS)
        return arena_printf(s->arena, "a thread has %lld registers of sums, and %d are the most",
                            (long long)sums, SUM_REGISTERS);
    if (t->kind == TILE_FMA_ROWS) {
        const char *wrong = tile_rows_refusal(&s->dot, t, s->arena);
        if (!wrong) wrong = row_part_refusal(s, t, 1, SIDE);
        if (wrong) return wrong;
    }
    return shared_refusal(s, t);
}

static void list(const TileSpace *s, Candidates *out) {
    Tile least = first(s);
    if (least.kind == TILE_FMA_ROWS) row_part_choose(s, &least, 1, SIDE);
    candidate_add(s, least, 0, out);
    for (int rows = 1; rows <= SUM_REGISTERS; rows *= 2)
        for (int cols = 1; cols <= SUM_REGISTERS; cols *= 2) {
            Tile t = least;
            t.m = SIDE * rows, t.n = SIDE * cols;
            if (tile_distance(&least, &t)) candidate_add(s, t, tile_distance(&least, &t), out);
        }
}

const TileFamily tile_fma = {list, complete, refusal};
