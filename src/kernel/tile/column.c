/* column.c: tiles of kernels that reduce columns of a space, on a GPU.
 * In: LoopFacts. Out: legal tiles; times are not estimated: the first follows from element sizes,
 * strides and known extents, the others by their distance from it. */
#include "kernel/tile/loops.h"

enum {
    LONG_COLUMN = 1024,  /* reduced elements from which a column gets more than a few threads */
    SHORT_COLUMN = 128,  /* up to which it has as few as fill the multiprocessors */
    FULL = 900,          /* threads of a multiprocessor that do */
    MANY_COLUMNS = 8192, /* more may be shared out in neighbours */
    LINE = 128           /* bytes of a cache line */
};

/* A warp's width of columns, and four warps at least. */
static void split_column(Tile *t, int split) {
    enum { LEAST = 128 };
    t->split = split;
    t->threads = split == 1 ? BLOCK : WARP * split > LEAST ? WARP * split : LEAST;
}

/* Threads along a column, as few as fill the multiprocessors; of an open number of columns, those
 * of a block by default. */
static int least_split(const TileSpace *s, int vector) {
    const LoopFacts *f = &s->loop;
    if (!f->rows) return BLOCK / WARP;
    const int64_t columns = f->rows / vector, full = (int64_t)FULL * s->machine->processors;
    int split = 1;
    while (split < WARP && split * columns < full) split *= 2;
    return split;
}

/* Long enough columns of elements of 2 bytes or less: a block has four warps' width of them. */
static bool has_wide_scan(const LoopFacts *f) {
    enum { LEAST = 64 };
    return f->least < NARROW && f->cols >= LEAST;
}

/* Scans: as few threads along a column as fill the multiprocessors, two of one that is not
 * short; all there may be, with more elements each, where that takes them, or few columns are then
 * summed in one step: not of 8 bytes or open sizes, whose sums would leave registers. On an H200
 * running sums of 9755 columns of 1992 bf16 take 53 us with 16 threads of each and 69 with 32, of
 * 100020 columns of 300 f32 76 with two, 86 with one and 136 with 32, of 437969 columns of 124 bf16
 * 110 with four in blocks of 512 threads and 142 with two in blocks of 128. */
static Tile scanned_column_first(const TileSpace *s, Tile t) {
    enum { SHORT = 16, FEW_COLUMNS = 1 << 14, WIDE = 4 };
    const LoopFacts *f = &s->loop;
    const bool is_short = f->cols && f->cols < SHORT;
    int split = f->rows ? least_split(s, 1) : WARP;
    if (split > 1 && f->rows < FEW_COLUMNS && f->cols <= WARP * SCANNED) split = WARP;
    const bool has_room = f->rows && f->cols && f->scanned <= (int64_t)sizeof(float);
    t.unroll = (split == WARP && has_room) || is_short ? SCANNED : SCANNED / 2;
    if (!is_short && split < 2) split = 2;
    if (has_wide_scan(f) && split < WIDE) split = WIDE;
    while (split > 1 && f->cols && split / 2 * t.unroll >= f->cols) split /= 2;
    while (split == 1 && f->cols && t.unroll / 2 >= f->cols) t.unroll /= 2;
    split_column(&t, split);
    if (has_wide_scan(f) && split == WIDE) t.threads = WIDE * WARP * WIDE;
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

/* Has each thread registers for its part? */
static bool may_keep_column(const LoopFacts *f, const Tile *t) {
    const int64_t items = ceil_div(f->cols, t->split);
    const bool has_many = t->vector * f->least < NARROW && !f->has_online_pass;
    return items <= (has_many ? NARROW_ITEMS : MOST_ITEMS) &&
           f->live * t->vector * items <= loop_register_bytes(t->threads);
}

/* More threads, if they then keep a column that is else read again: on an H100 a softmax of 64 x
 * 256 x 4096 bf16 along the middle axis takes 97 us instead of 124. As many neighbours as can be
 * kept. */
static void split_kept(const LoopFacts *f, Tile *chosen) {
    for (int vector = chosen->vector; vector; vector /= 2)
        for (int split = chosen->split; split <= 2 * chosen->split; split *= 2) {
            Tile t = *chosen;
            t.vector = vector;
            split_column(&t, split);
            if (may_keep_column(f, &t)) {
                *chosen = t;
                return;
            }
        }
}

/* Loads of a thread in flight, of its part of a column. The last steps of a part, fewer than are in
 * flight, wait for each other. */
static int loads_of_part(int64_t part, bool is_whole) {
    if (part <= IN_FLIGHT) return IN_FLIGHT;
    if (part <= 4 * IN_FLIGHT) return is_whole ? 2 * IN_FLIGHT : IN_FLIGHT;
    return is_whole ? 4 * IN_FLIGHT : 2 * IN_FLIGHT;
}

/* Of a short column: as few threads as fill the multiprocessors, and keep it where it is read
 * again. On an H200 variances of 4 elements of 123697 x 90 columns of bf16 take 34 us with one
 * thread of each and 108 with two, a logsumexp of 14 elements of 164398 x 16 30 and 39, and 105
 * with eight; a softmax of 28 elements of 389 x 1714 takes 26.5 us with two and 43 with eight.
 * Where a warp's columns do not lie side by side, what a thread stores should not lie far from what
 * its neighbours do: a softmax of 11 elements of 892832 x 2 columns takes 44 us with 4 threads, 97
 * with one. */
static void split_short(const TileSpace *s, Tile *t) {
    enum { LEAST = 4, MOST_TO_KEEP = 16 }; /* elements of a thread; threads */
    const LoopFacts *f = &s->loop;
    const bool is_scattered = f->stores_elements && f->neighbours && f->neighbours < WARP;
    int split = least_split(s, t->vector);
    while (split > 1 && f->cols <= LEAST * (split / 2)) split /= 2;
    while (split < BLOCK / WARP && f->cols > LEAST * split && is_scattered) split *= 2;
    split_column(t, split);
    Tile kept = *t;
    while (f->kept && kept.split < MOST_TO_KEEP && !may_keep_column(f, &kept))
        split_column(&kept, 2 * kept.split);
    if (may_keep_column(f, &kept)) *t = kept;
    t->unroll = loads_of_part(ceil_div(f->cols, t->split), t->split == 1);
}

/* Columns that not all multiprocessors have blocks of, and long enough for more threads. */
static bool has_idle_processors(const LoopFacts *f) {
    enum { COLUMNS = 4096, LENGTH = 256 };
    return f->rows && f->rows <= COLUMNS && f->cols >= LENGTH && !f->kept;
}

/* Fewer columns side by side than two warps have lanes, and not just one warp: a block takes all of
 * them, and no others, so that its threads read what is contiguous. sched/split/rows.c counts such
 * blocks. */
static bool is_narrow(const LoopFacts *f, int vector) {
    enum { LEAST = 128 }; /* accesses of a block */
    const int64_t lanes = f->neighbours / vector;
    return lanes && lanes < 2 * WARP && lanes % WARP && f->cols >= LEAST / lanes && !f->has_scan;
}

/* Accesses of a thread: several, as a block waits for all its threads, where it has two warps so.
 * On an H200 means of 803 elements of 10214 x 3 columns of bf16 take 20.5 us with 19 accesses of a
 * thread, 57 with 5, sums of 316 of 651 x 26 5.9 with 17 and 7.7 with 8. Fewer where there are
 * multiprocessors without a block. 0: columns are too short for two warps. */
static int64_t accesses_of_narrow(const TileSpace *s, int lanes) {
    enum { SEVERAL = 16 };
    const LoopFacts *f = &s->loop;
    const bool is_idle = f->rows && f->rows / f->neighbours < s->machine->processors;
    for (int64_t each = is_idle ? IN_FLIGHT : SEVERAL; each >= IN_FLIGHT; each /= 2)
        if (f->cols * lanes >= each * 2 * WARP) return each;
    return 0;
}

/* Threads of each column of a block of so many lanes, whose results fit shared memory. */
static int64_t most_exchanged(const LoopFacts *f, int lanes, int vector) {
    const int64_t bytes = f->exchanged * lanes * tile_exchanged_elements(vector);
    return bytes ? TILE_SHARED / bytes : MAX_THREADS;
}

/* Columns of a thread whose results registers keep: 16 of f64 would spill. */
static int narrow_vector(const LoopFacts *f) {
    enum { MOST_BYTES = 128 };
    int vector = f->vector;
    while (vector > 1 && vector * f->exchanged > MOST_BYTES) vector /= 2;
    return vector;
}

/* A block alone has as many threads as it may have; others have half, so that a multiprocessor runs
 * several. */
static bool narrow_column(const TileSpace *s, Tile *t) {
    const LoopFacts *f = &s->loop;
    const int vector = narrow_vector(f);
    if (!is_narrow(f, vector)) return false;
    const int lanes = (int)f->neighbours / vector;
    const int64_t accesses = accesses_of_narrow(s, lanes);
    if (!accesses) return false;
    const int threads = f->rows == f->neighbours ? MAX_THREADS : MAX_THREADS / 2;
    /* Registers may have room to spare; steps of several accesses should be whole. */
    int64_t split = f->kept ? ceil_div(f->cols, accesses) : f->cols / accesses;
    if (split > threads / lanes) split = threads / lanes;
    if (split > most_exchanged(f, lanes, vector)) split = most_exchanged(f, lanes, vector);
    if (!split) return false;
    t->vector = vector;
    t->split = (int)split;
    t->threads = lanes * t->split;
    t->unroll = t->vector * f->least < NARROW ? 2 * IN_FLIGHT : IN_FLIGHT;
    return true;
}

/* A warp's width of columns side by side; threads along the reduced axis split its length. */
static Tile column_first(const TileSpace *s) {
    enum { MOST_OF_NARROW = 24 }; /* elements that a thread keeps, of up to 510 in a block */
    const LoopFacts *f = &s->loop;
    Tile t = {.kind = TILE_COLUMN, .vector = 1, .unroll = IN_FLIGHT, .keep = KEEP_NOTHING};
    split_column(&t, BLOCK / WARP);
    if (f->has_scan) return scanned_column_first(s, t);
    const bool is_narrow_block = narrow_column(s, &t);
    if (!is_narrow_block) {
        t.vector = columns_of_thread(f);
        if (f->has_online_pass || (!f->kept && t.vector * f->least < NARROW))
            t.unroll = 2 * IN_FLIGHT;
        if (f->cols && f->cols <= SHORT_COLUMN)
            split_short(s, &t);
        else if (f->cols >= LONG_COLUMN || has_idle_processors(f))
            split_column(&t, MAX_THREADS / WARP);
        else if (f->cols && f->kept && !f->has_online_pass)
            split_kept(f, &t);
    }
    const int64_t most = is_narrow_block ? MOST_OF_NARROW : NARROW_ITEMS;
    if (f->cols && f->kept && ceil_div(f->cols, t.split) <= most && may_keep_column(f, &t))
        t.keep = KEEP_REGISTERS;
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
    const char *wrong = loop_number_refusal(s, "threads", t->threads, WARP, MAX_THREADS);
    const int64_t each = t->vector > 0 && is_narrow(f, t->vector) ? f->neighbours / t->vector : 0;
    if (wrong && each && t->split > 0 && each * t->split <= MAX_THREADS)
        return tile_refuse(s,
                           "threads must be %lld (%lld for each of split=%d) or a power of 2 from "
                           "%d to %d, not %d",
                           (long long)(each * t->split), (long long)each, t->split, WARP,
                           MAX_THREADS, t->threads);
    return wrong ? wrong : loop_number_refusal(s, "split", t->split, 1, t->threads / WARP);
}

static const char *column_refusal(const TileSpace *s, const Tile *t) {
    const LoopFacts *f = &s->loop;
    const char *wrong = has_all_neighbours(f, t) ? NULL : threads_refusal(s, t);
    if (!wrong) wrong = loop_number_refusal(s, "unroll", t->unroll, 1, MOST_ITEMS);
    if (!wrong) wrong = loop_vector_refusal(s, t, f->vector);
    if (wrong) return wrong;
    const int64_t each = f->exchanged * tile_exchanged_elements(t->vector);
    const int64_t exchanged =
        (t->split > 1 ? each * t->threads : 0) + f->scanned * (t->threads + t->split);
    if (exchanged > TILE_SHARED)
        return tile_refuse(s,
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
    const Tile first = column_first(s);
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
