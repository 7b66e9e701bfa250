/* row_threads.c: how many threads share a row.
 * In: LoopFacts, the vectors of a row. Out: threads and row_threads of a Tile. */
#include "kernel/tile/loops.h"

enum {
    SHORT_ITEMS = 5,    /* narrow accesses of a short row per thread */
    WARP_ITEMS = 8,     /* vectors of a row per thread up to which one warp takes a row */
    FEW_ITEMS = 2,      /* and of a block where these are of many tensors */
    BLOCK_ITEMS = 4,    /* the same for a block, where few rows or sums of columns want threads */
    THREAD_BYTES = 144, /* else so many bytes of what a thread keeps, */
    MOST_SUMS = 16      /* columns of a thread that adds up rows */
};

/* Of a short row whose accesses are narrow: those of a warp touch fewer rows if each thread has
 * several elements of one. On an H200 a softmax of rows of 17 f32 takes 0.24 times as long with 4
 * threads as with 32. Of rows that are only read it has more: maxima of rows of 13 bf16 take 30.5
 * us with one thread, 34.2 with two and 64.8 with four, a softmax, which stores them, 313, 134 and
 * 71; maxima of 27 f32 35.5 with four and 50.1 with eight; norms of 10 f32 25 with two, 36 with
 * one. */
static int short_row_threads(const LoopFacts *f, const Tile *t, int64_t vectors) {
    enum { BYTES = 32 }; /* of a thread: at most where they are stored, else at least */
    const int64_t size = t->vector * f->least;
    int64_t each = SHORT_ITEMS;
    while (f->stores_elements && each > 1 && each * size > BYTES) each--;
    while (!f->stores_elements && each < MOST_ITEMS && (each + 1) * size <= BYTES) each++;
    return loop_power_of_two(ceil_div(vectors, each));
}

/* Of a longer one in single elements of 2 bytes or less: up to a warp. On an H200 variances of
 * 1454598 rows of 33 f16 take 33 us with 4 threads, 58 with 8, and 222 with 32. */
static int narrow_row_threads(int64_t vectors) {
    const int threads = loop_power_of_two(ceil_div(vectors, 2 * SHORT_ITEMS));
    return threads < WARP ? threads : WARP;
}

/* Of one in whole packs: about PACKS of a thread, or up to MOST where fewer threads leave fewer
 * lanes without one. On an H200 a logsumexp of rows of 36 f32 takes 5.9 us with 4 threads and 9.3
 * with 16, sums of 112 bf16 7.8 with 8 and 9.7 with 16; rows of bf16 that are scaled to i8 take
 * (64 MB) 27.9 of 96 with 4 threads, 32.8 with 8 and 42.1 with 16, of 160 27.5 with 4, 30.0 with 8
 * and 49.4 with a warp; their softmax 35.2 of 96 with 4 and 47.8 with 16. */
static int packed_row_threads(const LoopFacts *f, const Tile *t, int64_t vectors) {
    enum { PACKS = 3, MOST = 5 };
    const bool waits = f->stores_elements && (f->is_few_rows || f->summed); /* for latency */
    int threads = loop_power_of_two(waits ? vectors : ceil_div(vectors, PACKS));
    const int64_t items = ceil_div(vectors, threads / 2 > 0 ? threads / 2 : 1);
    const bool fits = items <= MOST && f->reloaded * t->vector * items <= THREAD_BYTES;
    const bool has_fewer_idle = items * (threads / 2) < ceil_div(vectors, threads) * threads;
    if (threads > 1 && !waits && fits && has_fewer_idle) threads /= 2;
    return threads < WARP ? threads : WARP;
}

bool row_is_shifted(const LoopFacts *f, const Tile *t) { return t->vector > f->vector; }

/* As many as a row may have elements beside its packs, at least. */
int row_shifted_threads(const Tile *t, int wanted) {
    return wanted < 2 * t->vector ? 2 * t->vector : wanted;
}

bool row_is_narrow(const LoopFacts *f, const Tile *t) {
    return t->vector * f->least < NARROW && !f->summed;
}

bool row_is_part(const LoopFacts *f, const Tile *t) {
    return t->vector * f->least < ACCESS_BYTES && !f->summed;
}

/* Vectors of a thread, before the row gets more threads: so many that their loads hide the latency,
 * and that several rows share a multiprocessor. On an H200 (128 MB, bf16) a softmax of rows of
 * 16384 takes 68.6 us with 8 vectors of each thread instead of 75.2 with 4, a layer norm of rows of
 * 9000 69.6 us with 9 instead of 90.2 with 3, and of 9001, in single elements, 89 us with 18
 * instead of 104 with 9. Where there are few rows, or sums of columns stay in registers, threads
 * count. */
static int thread_items(const LoopFacts *f, const Tile *t) {
    if (f->summed || f->is_few_rows) return row_is_part(f, t) ? 2 * BLOCK_ITEMS : BLOCK_ITEMS;
    if (row_is_narrow(f, t)) return 2 * THREAD_ITEMS;
    const int64_t bytes = f->reloaded > f->least ? f->reloaded : f->least;
    const int64_t items = THREAD_BYTES / (bytes * t->vector);
    return (int)(items > THREAD_ITEMS ? THREAD_ITEMS : items < BLOCK_ITEMS ? BLOCK_ITEMS : items);
}

/* So many threads that each has up to `items` vectors; half of 1024, if each then has one more. On
 * an H200 a norm of rows of 9482 bf16 in pairs takes 40 us with 512 threads and 47 with 1024. */
static int block_threads(const LoopFacts *f, int64_t vectors, int items) {
    const int threads = loop_power_of_two(ceil_div(vectors, items));
    const bool has_one_more = ceil_div(vectors, threads / 2) == items + 1;
    const bool is_for_few = f->summed || f->is_few_rows;
    return has_one_more && !is_for_few && threads > LOOP_THREADS ? threads / 2 : threads;
}

/* Three tensors or more, of which the threads of a warp would keep too much, in rows that a block
 * shares out evenly: on an H200 (32 MB of bf16) a layer norm of a sum with dropout by a mask of
 * bytes takes 50.3 us with a warp for rows of 1024, 39.9 with 64 threads and 39.3 with 128; of
 * 2048 54.8, 41.4 and 39.9; of 768 39.8, 44.4 and 44.9. */
static bool are_many_tensors(const LoopFacts *f, const Tile *t, int64_t vectors) {
    enum { TWO_TENSORS = 4 }; /* bytes of a column of two of 2 bytes */
    const int64_t items = ceil_div(vectors, WARP);
    return f->reloaded > TWO_TENSORS && !f->summed && vectors > 2 * WARP && t->vector > 1 &&
           f->least < NARROW && f->reloaded * t->vector * items > THREAD_BYTES &&
           vectors % block_threads(f, vectors, FEW_ITEMS) == 0;
}

/* Threads of a row: up to a warp, which takes rows of up to WARP_ITEMS vectors per thread; longer
 * rows get the whole block. */
void row_share(const TileSpace *s, Tile *t, int64_t vectors) {
    const LoopFacts *f = &s->loop;
    const int items = thread_items(f, t);
    t->row_threads = packed_row_threads(f, t, vectors);
    if (row_is_part(f, t)) t->row_threads = short_row_threads(f, t, vectors);
    if (row_is_part(f, t) && vectors > WARP)
        t->row_threads = row_is_narrow(f, t) ? narrow_row_threads(vectors) : WARP;
    if (row_is_shifted(f, t)) t->row_threads = row_shifted_threads(t, t->row_threads);
    if (vectors > WARP * (row_is_narrow(f, t) ? items : WARP_ITEMS))
        t->row_threads = block_threads(f, vectors, items);
    else if (are_many_tensors(f, t, vectors))
        t->row_threads = block_threads(f, vectors, FEW_ITEMS);
    t->threads = t->row_threads > WARP ? t->row_threads : t->row_threads > 1 ? BLOCK / 2 : BLOCK;
}

/* Has a thread registers for its sums of columns beside what it keeps of a row, and for loads of
 * the next one? */
static bool has_registers(const LoopFacts *f, const Tile *t, int64_t vectors) {
    const int64_t columns = t->vector * ceil_div(vectors, t->row_threads);
    return columns <= MOST_SUMS && f->live * columns <= loop_register_bytes(t->threads);
}

void row_spread_sums(const LoopFacts *f, Tile *t, int64_t vectors) {
    while (t->row_threads < LOOP_THREADS && t->row_threads < vectors &&
           !has_registers(f, t, vectors)) {
        t->row_threads *= 2;
        if (t->row_threads > WARP) t->threads = t->row_threads;
    }
}
