/* column.c: tiles of kernels that reduce columns of a space, on a GPU.
 * In: LoopFacts. Out: legal tiles; times are not estimated: the first follows from element sizes,
 * strides and known extents, the others by their distance from it. */
#include "kernel/tile/loops.h"

enum {
    /* reduced elements from which a column gets more than a few threads */
    LONG_COLUMN = 1024,
    FEW_COLUMNS = 16384, /* fewer leave multiprocessors with one block */
    MANY_COLUMNS = 8192, /* more may be shared out in neighbours */
    LINE = 128           /* bytes of a cache line */
};

/* So few elements that a thread of each column loads all of them, if columns are enough. On an H200
 * sums of 48 elements of 226187 columns of bf16 take 9.8 us so, and 16.7 with 8 threads of each. */
static bool is_short(const LoopFacts *f, int vector) {
    enum { MOST = 128, COLUMNS = 3 << 15 };
    return f->cols && f->cols <= MOST && f->rows / vector >= COLUMNS;
}

/* Running sums: as many threads along a column as there may be, with more elements each if columns
 * are few; one of short columns, if these are many: on an H200 running sums of 1000003 columns of 9
 * f32 take 24 us so, and 26 with two threads of each. */
static Tile scanned_column_first(const LoopFacts *f, Tile t) {
    const bool is_few = f->rows && f->rows < FEW_COLUMNS, is_alone = is_short(f, 1);
    t.split = is_alone ? 1 : WARP;
    t.unroll = is_few || is_alone ? SCANNED : SCANNED / 2;
    while (t.split > 1 && f->cols && t.split / 2 * t.unroll >= f->cols) t.split /= 2;
    while (t.split == 1 && f->cols && t.unroll / 2 >= f->cols) t.unroll /= 2;
    t.threads = t.split == 1 ? BLOCK : WARP * t.split;
    return t;
}

/* Neighbouring columns of a thread, so that a warp reads a cache line of each row, where enough
 * columns are left for all multiprocessors. */
static int columns_of_thread(const LoopFacts *f) {
    int vector = 1;
    while (vector < f->vector && WARP * vector * f->element < LINE &&
           f->rows >= (int64_t)MANY_COLUMNS * 2 * vector)
        vector *= 2;
    return vector;
}

/* Has each of so many threads of neighbouring columns registers for its part? */
static bool may_keep_column(const LoopFacts *f, int split, int vector) {
    const int64_t items = ceil_div(f->cols, split);
    const bool has_many = vector * f->least < NARROW && !f->has_online_pass;
    return items <= (has_many ? NARROW_ITEMS : MOST_ITEMS) &&
           f->live * vector * items <= loop_register_bytes(WARP * split);
}

/* More threads, if they then keep a column that is else read again: on an H100 a softmax of 64 x
 * 256 x 4096 bf16 along the middle axis takes 97 us instead of 124. As many neighbours as can be
 * kept. */
static void split_kept(const LoopFacts *f, Tile *t) {
    for (int vector = t->vector; vector; vector /= 2)
        for (int split = t->split; split <= 2 * t->split; split *= 2)
            if (may_keep_column(f, split, vector)) {
                t->split = split, t->vector = vector;
                return;
            }
}

/* Fewer threads of a column that leaves each a few elements, where columns are enough: on an H100
 * means of 49 of 512 x 2048 bf16 take 38 us with 2 threads instead of 46 with 8. */
static void split_short(const LoopFacts *f, Tile *t) {
    enum { FEW = 12, COLUMNS = 1 << 19 };
    if (f->rows / t->vector < COLUMNS || f->cols / t->split > FEW) return;
    while (t->split > 2 && f->cols / t->split <= FEW) t->split /= 2;
    t->unroll = 2 * IN_FLIGHT;
}

/* Columns that not all multiprocessors have blocks of, and long enough for more threads. */
static bool has_idle_processors(const LoopFacts *f) {
    enum { COLUMNS = 4096, LENGTH = 256 };
    return f->rows && f->rows <= COLUMNS && f->cols >= LENGTH && !f->kept;
}

/* Loads of a thread in flight, of all elements of a column. */
static int loads_of_column(const LoopFacts *f) {
    if (f->cols <= IN_FLIGHT) return IN_FLIGHT;
    return f->cols <= 4 * IN_FLIGHT ? 2 * IN_FLIGHT : 4 * IN_FLIGHT;
}

/* Fewer columns side by side than two warps have lanes, and not just one warp: a block takes all of
 * them, and no others, so that its threads read what is contiguous. sched/split/rows.c counts such
 * blocks. */
static bool is_narrow(const LoopFacts *f, int vector) {
    enum { LEAST = 128 }; /* accesses of a block */
    const int64_t lanes = f->neighbours / vector;
    return lanes && lanes < 2 * WARP && lanes % WARP && f->cols >= LEAST / lanes && !f->has_scan;
}

/* A block alone has as many threads as it may have; others have half, so that a multiprocessor runs
 * several. */
static void narrow_column(const LoopFacts *f, Tile *t) {
    t->vector = f->vector;
    const int lanes = (int)f->neighbours / t->vector;
    const int most = (f->rows == f->neighbours ? MAX_THREADS : MAX_THREADS / 2) / lanes;
    const int64_t each = ceil_div(f->cols, IN_FLIGHT);
    t->split = each < most ? (int)each : most;
    t->threads = lanes * t->split;
    t->unroll = t->vector * f->least < NARROW ? 2 * IN_FLIGHT : IN_FLIGHT;
}

/* A warp's width of columns side by side; threads along the reduced axis split its length. */
static Tile column_first(const LoopFacts *f) {
    Tile t = {.kind = TILE_COLUMN,
              .vector = 1,
              .unroll = IN_FLIGHT,
              .keep = KEEP_NOTHING,
              .split = BLOCK / WARP};
    if (f->has_scan) return scanned_column_first(f, t);
    if (is_narrow(f, f->vector)) {
        narrow_column(f, &t);
        return t;
    }
    t.vector = columns_of_thread(f);
    if (!f->kept && is_short(f, t.vector))
        t.split = 1, t.unroll = loads_of_column(f);
    else if (f->cols && f->cols < t.split)
        t.split = loop_power_of_two(ceil_div(f->cols, 2));
    else if (f->cols >= LONG_COLUMN || has_idle_processors(f))
        t.split = MAX_THREADS / WARP;
    else if (f->cols && f->kept && !f->has_online_pass)
        split_kept(f, &t);
    else if (f->cols && !f->kept)
        split_short(f, &t);
    if (f->has_online_pass) t.unroll = 2 * IN_FLIGHT;
    t.threads = t.split == 1 ? BLOCK : WARP * t.split;
    if (f->cols && f->kept && may_keep_column(f, t.split, t.vector)) t.keep = KEEP_REGISTERS;
    return t;
}

static void column_complete(const TileSpace *s, Tile *t) {
    const bool unrolled = t->keep == KEEP_REGISTERS && t->split > 0;
    t->items = unrolled ? (int)ceil_div(s->loop.cols, t->split) : 0;
}

/* A block has the columns side by side that there are: any number of threads of each. */
static bool has_all_neighbours(const LoopFacts *f, const Tile *t) {
    return t->vector > 0 && t->split > 0 && t->threads <= MAX_THREADS && is_narrow(f, t->vector) &&
           (int64_t)t->split * f->neighbours == (int64_t)t->threads * t->vector;
}

static const char *threads_refusal(const TileSpace *s, const Tile *t) {
    const LoopFacts *f = &s->loop;
    const char *wrong = loop_number_refusal(s->arena, "threads", t->threads, WARP, MAX_THREADS);
    const int64_t each = t->vector > 0 && is_narrow(f, t->vector) ? f->neighbours / t->vector : 0;
    if (wrong && each && t->split > 0 && each * t->split <= MAX_THREADS)
        return arena_printf(s->arena,
                            "threads must be %lld (%lld for each of split=%d) or a power of 2 from "
                            "%d to %d, not %d",
                            (long long)(each * t->split), (long long)each, t->split, WARP,
                            MAX_THREADS, t->threads);
    return wrong ? wrong : loop_number_refusal(s->arena, "split", t->split, 1, t->threads / WARP);
}

static const char *column_refusal(const TileSpace *s, const Tile *t) {
    const LoopFacts *f = &s->loop;
    const char *wrong = has_all_neighbours(f, t) ? NULL : threads_refusal(s, t);
    if (!wrong) wrong = loop_number_refusal(s->arena, "unroll", t->unroll, 1, MOST_ITEMS);
    if (!wrong) wrong = loop_vector_refusal(s, t, f->vector);
    if (wrong) return wrong;
    const int64_t exchanged = (t->split > 1 ? f->exchanged * t->threads * t->vector : 0) +
                              f->scanned * (t->threads + t->split);
    if (exchanged > TILE_SHARED)
        return arena_printf(s->arena,
                            "%d threads exchange %lld bytes of shared memory, and %d "
                            "are available",
                            t->threads, (long long)exchanged, TILE_SHARED);
    if (t->keep == KEEP_NOTHING) return NULL;
    if (t->keep == KEEP_MEMORY) return loop_keep_on_gpu;
    if (t->keep == KEEP_SHARED) return "columns are kept in registers, or not";
    if (!f->kept) return "no value can be kept between stages";
    return loop_items_refusal(s, t, f->cols ? ceil_div(f->cols, t->split) : 0,
                              loop_register_bytes(t->threads));
}

static void list_narrow(const TileSpace *s, const Tile *first, Candidates *out) {
    const LoopFacts *f = &s->loop;
    for (int vector = f->vector; vector; vector /= 2)
        for (int threads = WARP; threads <= MAX_THREADS; threads *= 2) {
            Tile t = *first;
            const int lanes = (int)(f->neighbours / vector);
            if (!is_narrow(f, vector)) continue;
            t.vector = vector, t.split = threads / lanes, t.threads = lanes * t.split;
            if (t.split) loop_variants(s, first, t, out);
        }
}

static void column_list(const TileSpace *s, Candidates *out) {
    const Tile first = column_first(&s->loop);
    candidate_add(s, first, 0, out);
    list_narrow(s, &first, out);
    for (int threads = WARP; threads <= MAX_THREADS; threads *= 2)
        for (int split = 1; split <= WARP; split *= 2)
            for (int vector = s->loop.vector; vector; vector /= 2) {
                Tile t = first;
                t.threads = threads, t.split = split, t.vector = vector;
                loop_variants(s, &first, t, out);
            }
}

const TileFamily tile_column = {column_list, column_complete, column_refusal};
