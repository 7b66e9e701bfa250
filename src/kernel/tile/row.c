/* row.c: tiles of kernels that reduce rows of a space, on a GPU.
 * In: LoopFacts. Out: legal tiles; times are not estimated: the first follows from element sizes,
 * strides and known extents, the others by their distance from it. */
#include "kernel/tile/loops.h"

enum {
    FEW_PACKS = 48, /* of a row: fewer leave many lanes of its warp without one */
    OPEN_ITEMS = 4, /* columns per thread of a block up to which a warp takes a row */
    MOST_WARP_COLUMNS = 1 << 20,
    MOST_SCANNED = 32 /* elements of a scan that a thread has, at most */
};

/* Vectors of a thread that registers may keep. */
static int most_items(const LoopFacts *f, const Tile *t) {
    const bool fits = f->live * t->vector * NARROW_ITEMS <= MOST_KEPT;
    if (row_is_narrow(f, t) && fits) return NARROW_ITEMS;
    return t->row_threads <= WARP ? THREAD_ITEMS : MOST_ITEMS;
}

/* Rows are kept in dynamic shared memory; reductions have static memory besides. */
static int64_t kept_shared(const LoopFacts *f) {
    return f->kept * f->cols + ACCESS_BYTES * f->values;
}

/* Of open length: the launcher chooses a warp or a block for each, and a block for one alone. */
static void share_open_row(const TileSpace *s, Tile *t) {
    const LoopFacts *f = &s->loop;
    if (f->is_one_row)
        t->row_threads = t->threads = LOOP_THREADS;
    else if (s->b->group_axes)
        t->row_threads = t->threads;
    else
        t->warp_columns = OPEN_ITEMS * t->threads;
}

/* Threads of a row of scans: of up to a warp, each has half of SCANNED elements, or SINGLE
 * where these are accessed one by one; of more, each has SCANNED. On an H200 rows of 50 f32 take 32
 * us with 8 threads and 46 with 4, rows of 31, in single elements, 37 with 8, 40 with 4 and 105
 * with two. */
static int scanned_row_threads(const LoopFacts *f) {
    enum { SINGLE = 6 };
    const int each = f->vector > 1 ? SCANNED / 2 : SINGLE;
    const int threads = loop_power_of_two(ceil_div(f->cols, each));
    if (threads <= WARP) return threads;
    const int fewer = loop_power_of_two(ceil_div(f->cols, SCANNED));
    return fewer > WARP ? fewer : WARP;
}

/* Rows that are too long for the registers of a block go in steps, and so do those of single
 * elements that are too many to be transposed in shared memory. Where the length is open, the
 * launcher decides, as for other rows. */
static Tile scanned_row_first(const TileSpace *s, Tile t) {
    const LoopFacts *f = &s->loop;
    const int64_t most = (int64_t)(f->vector > 1 ? MAX_THREADS : LOOP_THREADS) * SCANNED;
    t.unroll = f->vector < SCANNED ? SCANNED / f->vector : 1;
    if (f->cols > most && f->vector > 1) t.unroll = MOST_SCANNED / f->vector;
    if (!f->cols) {
        share_open_row(s, &t);
        return t;
    }
    t.row_threads = f->cols > most ? LOOP_THREADS : scanned_row_threads(f);
    t.threads = t.row_threads > WARP ? t.row_threads : BLOCK / 2;
    const int64_t items = ceil_div(f->cols, (int64_t)t.row_threads * t.vector);
    if (f->cols <= most && f->live * t.vector * items <= loop_register_bytes(t.threads))
        t.keep = KEEP_REGISTERS;
    return t;
}

/* Aligned accesses would be of 4 bytes or less, and a row has several whole packs. */
static bool is_shifted_faster(const LoopFacts *f) {
    return f->vector * f->least <= NARROW && f->cols >= FEW_PACKS * f->shifted &&
           f->shifted > f->vector;
}

/* An online softmax of elements of 2 bytes or less, of which a thread computes many. */
bool tile_has_narrow_online(const TileSpace *s) {
    return body_has_online(s->b) && s->loop.least < NARROW;
}

static bool has_argmax(const Body *b) {
    for (int i = 0; i < b->accs.count; i++)
        if (b->accs.at[i].op == OP_ARGMAX) return true;
    return false;
}

/* Of rows of few vectors, a thread has several, and a warp many rows: it then merges maxima and
 * sums in few steps. On an H200 (64 MB, bf16) a logsumexp of rows of 13 takes 27 us in registers of
 * one thread each, 36 of two, 393 with a warp; of 24 24.5 and 266, of 128 23 with four threads and
 * 54, of 512 19.8 with eight that keep nothing and 23 with a warp. */
static bool read_once_short(const LoopFacts *f, Tile *t, int64_t vectors) {
    enum { KEPT = 32, FEW = 4, SINGLE = 512, MOST_THREADS = WARP / 2 };
    const bool is_single = row_is_narrow(f, t);
    if (row_is_shifted(f, t) || vectors > (is_single ? SINGLE : 2 * FEW * WARP - 1)) return false;
    const int threads = is_single ? loop_power_of_two(ceil_div(vectors, MOST_ITEMS))
                                  : loop_power_below(vectors / (vectors < KEPT ? FEW : 2 * FEW));
    t->row_threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    t->threads = BLOCK / 2;
    if (is_single || vectors < KEPT) t->keep = KEEP_REGISTERS;
    return true;
}

/* Rows of narrow elements that are read once, for an online softmax: with more loads in flight, and
 * as few threads as have them. On an H200 (128 MB, bf16) a logsumexp of rows of 4096 takes 34.9 us
 * with a warp for each instead of 44.8 in registers of 128 threads, of 50304 35.2 instead of 42.2
 * with 256 threads. Where a thread has few packs that a row may start anywhere in, fewer are in
 * flight: rows of 19547 f16 take 22 us with four and 24.7 with eight, rows of 531 bf16 15.0 with 16
 * threads and 18.1 with 32. */
static void read_once(const LoopFacts *f, Tile *t, int64_t vectors) {
    enum { WARP_VECTORS = 640, BLOCK_VECTORS = 1024, MANY_VECTORS = 8192, FEW_STEPS = 8 };
    if (read_once_short(f, t, vectors)) return;
    const int shifted = row_is_shifted(f, t) ? IN_FLIGHT * WARP : 0;
    t->row_threads = vectors <= shifted         ? row_shifted_threads(t, WARP / 2)
                     : vectors <= WARP_VECTORS  ? WARP
                     : vectors <= BLOCK_VECTORS ? 2 * WARP
                     : vectors < MANY_VECTORS   ? BLOCK / 2
                                                : BLOCK;
    t->threads = t->row_threads > WARP ? t->row_threads : BLOCK / 2;
    const int64_t step = (int64_t)t->row_threads * IN_FLIGHT;
    const bool has_few_steps = shifted && vectors < FEW_STEPS * step;
    const bool is_deep = !has_few_steps && (vectors % step || vectors % (2 * step) == 0);
    t->unroll = is_deep ? 2 * IN_FLIGHT : IN_FLIGHT;
}

/* The same for sums, maxima and the like: as many threads as have IN_FLIGHT vectors or more. Sums
 * of rows of 12000 take 33.1 us with 256 threads instead of 36.7 with 512. Of rows of 257 bf16, a
 * warp that keeps them takes 17.7 us, and 64 threads that do not, 59.6. */
static bool sums_once(const TileSpace *s, Tile *t, int64_t vectors) {
    const LoopFacts *f = &s->loop;
    const bool is_plain = !f->live && !body_has_online(s->b) && !has_argmax(s->b);
    if (!is_plain || f->least >= NARROW || row_is_shifted(f, t) || f->is_few_rows) return false;
    if (vectors < (row_is_narrow(f, t) ? 2 : 1) * IN_FLIGHT * 2 * WARP) return false;
    t->row_threads = loop_power_below(vectors / IN_FLIGHT);
    t->threads = t->row_threads;
    return true;
}

/* An argmax of long rows whose last items not all threads have: 50000 bf16 take 34.9 us instead of
 * 40.5 with 1024 threads. */
static bool is_long_argmax(const TileSpace *s, const Tile *t, int64_t vectors) {
    return has_argmax(s->b) && t->row_threads > BLOCK && vectors % t->row_threads;
}

/* Of narrow elements, 512 threads have registers for one block of a multiprocessor or for two. On
 * an H200 rows of 20000 bf16 take 71 us for a softmax in registers, 80 if they are read again, rows
 * of 22000 107 and 81; a layer norm of rows of 18000 takes 107 and 90 us, of 28000 89 and 94. A
 * cluster reads a softmax's once: on an H100 rows of 28672 take 100 us instead of 126, of 24576 98
 * instead of 95 in registers. */
static bool is_crowded(const TileSpace *s, const Tile *t, int64_t vectors) {
    enum { FEW = 5, MANY = 7 };
    const int64_t items = ceil_div(vectors, t->row_threads);
    if (s->loop.least >= NARROW || t->row_threads != LOOP_THREADS || row_is_narrow(&s->loop, t))
        return false;
    if (!body_has_online(s->b)) return items < MANY;
    return items > (vectors % t->row_threads ? FEW : FEW + 1);
}

static bool fits_registers(const LoopFacts *f, const Tile *t) {
    const int64_t items = ceil_div(ceil_div(f->cols, t->vector), t->row_threads);
    return items <= most_items(f, t) &&
           f->live * t->vector * items <= loop_register_bytes(t->threads);
}

/* Long rows of narrow elements that are all a kernel reads in packs: two blocks of 256 threads keep
 * a row each, and one waits while the other computes. On an H200 a norm of rows of 20480 bf16 takes
 * 68.6 us instead of 73.3 with 512 threads, of 28672 73.1 instead of 76.3, of 32768 95.4 instead of
 * 74.2; a group norm of rows of 25088 30.9 instead of 36.8. */
static bool keep_two(const LoopFacts *f, Tile *chosen, int64_t vectors) {
    enum { MOST = 14 };
    Tile t = *chosen;
    const int64_t items = ceil_div(vectors, BLOCK);
    t.keep = KEEP_REGISTERS, t.threads = t.row_threads = BLOCK;
    if (f->packs != 1 || f->is_few_rows || f->least >= NARROW || row_is_part(f, &t)) return false;
    if (items <= THREAD_ITEMS || items > MOST || !fits_registers(f, &t)) return false;
    *chosen = t;
    return true;
}

/* Rows that a cluster would share, of which a block alone on its multiprocessor keeps one: on an
 * H100 a layer norm of rows of 40960 bf16 takes 188 us, by clusters 211, a group norm of as many
 * 116 and 179. */
static bool keep_long(const TileSpace *s, Tile *chosen) {
    enum { MOST = 40 << 10 }; /* ptxas spills more */
    Tile t = *chosen;
    t.keep = KEEP_REGISTERS, t.threads = t.row_threads = LOOP_THREADS;
    if (s->loop.cols > MOST || s->loop.least >= NARROW || body_has_online(s->b)) return false;
    if (!fits_registers(&s->loop, &t)) return false;
    *chosen = t;
    return true;
}

/* In registers or shared memory, where it fits; else the row is looped over. */
static void keep_row(const TileSpace *s, Tile *t) {
    const LoopFacts *f = &s->loop;
    const bool is_read_again =
        t->row_threads > LOOP_THREADS && (row_is_shifted(f, t) || tile_has_narrow_online(s));
    const bool is_shared = f->kept && t->row_threads == t->threads &&
                           kept_shared(f) + f->exchanged * WARP <= TILE_SHARED;
    if (!is_read_again && fits_registers(f, t))
        t->keep = KEEP_REGISTERS;
    else if (!is_read_again && is_shared)
        t->keep = KEEP_SHARED;
    else if (t->row_threads > LOOP_THREADS)
        t->row_threads = t->threads = LOOP_THREADS;
}

/* With vectors of so many elements. */
static Tile choose_for(const TileSpace *s, int vector) {
    const LoopFacts *f = &s->loop;
    Tile t = {.kind = TILE_ROW,
              .threads = BLOCK,
              .vector = vector,
              .unroll = IN_FLIGHT,
              .keep = KEEP_NOTHING,
              .split = 1,
              .cluster = 1};
    if (f->has_scan) return scanned_row_first(s, t);
    if (!f->cols) {
        share_open_row(s, &t);
        return t;
    }
    if (row_reads_twice(s, &t)) return t;
    if (row_is_long(s) && (keep_long(s, &t) || row_cluster_choose(s, &t))) return t;
    const int64_t vectors = ceil_div(f->cols, t.vector);
    row_share(s, &t, vectors);
    if (f->summed) row_spread_sums(f, &t, vectors);
    const bool is_once = f->has_online_pass || is_long_argmax(s, &t, vectors);
    if (is_once && f->least < NARROW && !f->is_few_rows) {
        read_once(f, &t, vectors);
        return t;
    }
    if (sums_once(s, &t, vectors)) return t;
    if (f->has_online_pass && t.row_threads > BLOCK && !f->is_few_rows) {
        t.row_threads = t.threads = BLOCK; /* several rows of a block hide each other's latency */
        return t;
    }
    if (!f->summed && !body_has_online(s->b) && keep_two(f, &t, vectors)) return t;
    if (!f->summed && !f->is_few_rows && is_crowded(s, &t, vectors)) {
        if (tile_has_narrow_online(s)) row_cluster_choose(s, &t);
        return t;
    }
    keep_row(s, &t);
    return t;
}

/* Are packs that a row may start anywhere in faster also beside operands of columns alone, which
 * are then loaded one by one? On an H200 a norm with a gain of 16384 rows of 4099 bf16 takes 70 us
 * in packs and 83 in single elements, a layer norm of 2053 with a gain of bf16 and a bias of f32 65
 * and 47; a norm of 1073 rows of 34785 f32, which registers do not keep, 95 and 154. */
static bool is_shifted_with_columns(const LoopFacts *f, const Tile *single) {
    enum { FEW_BYTES = 2 };
    if (!f->of_columns) return true;
    if (f->vector > 1) return false;
    return row_is_narrow(f, single) ? f->of_columns <= FEW_BYTES : single->keep != KEEP_REGISTERS;
}

/* Rows of several tensors in pairs of 2 bytes, kept in registers: halves of packs that a row may
 * start anywhere in, of four warps or of one. On an H200 (32 M elements) a norm of a sum, which is
 * stored, too, takes 68 us instead of 76 for rows of 810, 67 instead of 69 for 1186, 67 instead of
 * 73 for 2054, 68 instead of 73 for 4098; a layer norm of one tensor 36 to 37 in pairs and 39 to 62
 * so. */
static bool in_halves(const TileSpace *s, Tile *chosen) {
    enum { ROW = 4 * WARP };
    const LoopFacts *f = &s->loop;
    const bool are_many = f->reloaded > f->least && f->vector == 2 && f->least == 2;
    if (!are_many || !is_shifted_faster(f) || chosen->keep != KEEP_REGISTERS) return false;
    Tile t = choose_for(s, f->shifted / 2);
    if (t.row_threads > WARP && t.row_threads < ROW) t.row_threads = t.threads = ROW;
    if (t.keep != KEEP_REGISTERS || f->shifted / 2 <= f->vector) return false;
    *chosen = t;
    return true;
}

static Tile row_choose(const TileSpace *s) {
    const LoopFacts *f = &s->loop;
    Tile single = choose_for(s, f->vector);
    if (is_shifted_faster(f) && is_shifted_with_columns(f, &single))
        return choose_for(s, f->shifted);
    in_halves(s, &single);
    return single;
}

static Tile row_first(const TileSpace *s) {
    Tile t = row_choose(s);
    row_cluster_fill(s, &t);
    return t;
}

static int64_t row_items(const LoopFacts *f, const Tile *t) {
    const int64_t each = (int64_t)t->row_threads * t->vector;
    return each > 0 ? ceil_div(ceil_div(f->cols, t->vector), t->row_threads) : 0;
}

static void row_complete(const TileSpace *s, Tile *t) {
    t->items = t->keep == KEEP_REGISTERS ? (int)row_items(&s->loop, t) : 0;
}

static const char *row_threads_refusal(const TileSpace *s, const Tile *t) {
    const LoopFacts *f = &s->loop;
    const char *wrong = loop_number_refusal(s, "threads", t->threads, WARP, MAX_THREADS);
    if (wrong) return wrong;
    if (!t->row_threads && s->b->group_axes)
        return "the threads of a row with groups are not chosen by the launcher";
    if (!t->row_threads && !f->cols && !f->is_one_row) /* the launcher decides */
        return loop_number_refusal(s, "warp_columns", t->warp_columns, 0, MOST_WARP_COLUMNS);
    if (t->warp_columns) return "warp_columns is for row_threads=0, with an open number of columns";
    wrong = loop_number_refusal(s, "row_threads", t->row_threads, 1, t->threads);
    if (wrong || t->row_threads <= WARP || t->row_threads == t->threads) return wrong;
    return tile_refuse(
        s,
        "a row has at most the threads of a warp, or the whole block (threads=%d), not "
        "%d",
        t->threads, t->row_threads);
}

static const char *row_keep_refusal(const TileSpace *s, const Tile *t) {
    const LoopFacts *f = &s->loop;
    const int64_t bytes = kept_shared(f) + f->exchanged * WARP;
    if (t->keep == KEEP_NOTHING) return NULL;
    if (t->keep == KEEP_REGISTERS)
        return loop_items_refusal(s, t, row_items(f, t), loop_register_bytes(t->threads));
    if (t->keep == KEEP_MEMORY) return loop_keep_on_gpu;
    if (row_is_shifted(f, t)) return "packs that a row starts anywhere in are kept in registers";
    if (!f->cols || !f->kept) return "no value of known size can be kept between stages";
    if (t->row_threads != t->threads)
        return "shared memory can keep only one row, of the whole "
               "block";
    if (s->b->group_axes && tile_padded_group(s->b) != body_group(s->b))
        return "columns of padded groups are not those of one thread in all stages";
    if (f->has_scan) return "threads beyond the end of a scan would write its last element";
    if (bytes <= s->machine->shared_block) return NULL;
    return tile_refuse(s, "a row takes %lld bytes of shared memory, and a block has %d",
                       (long long)bytes, s->machine->shared_block);
}

static const char *scanned_refusal(const TileSpace *s, int64_t elements) {
    if (!s->loop.has_scan || elements <= MOST_SCANNED) return NULL;
    return tile_refuse(s, "a thread sums %lld elements of a row at a time, and %d are most",
                       (long long)elements, MOST_SCANNED);
}

static int most_vector(const LoopFacts *f) {
    return f->shifted < f->vector ? f->vector : f->shifted;
}

static const char *row_refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = row_threads_refusal(s, t);
    if (!wrong) wrong = loop_vector_refusal(s, t, most_vector(&s->loop));
    if (!wrong) wrong = loop_number_refusal(s, "unroll", t->unroll, 1, MOST_ITEMS);
    if (!wrong) wrong = row_cluster_refusal(s, t);
    if (!wrong && row_is_shifted(&s->loop, t) && t->row_threads < row_shifted_threads(t, 1))
        wrong = "a row has fewer threads than it may have elements beside its packs";
    if (!wrong && !tile_has_cluster(t)) wrong = row_keep_refusal(s, t);
    if (wrong) return wrong;
    const bool whole = t->keep == KEEP_REGISTERS;
    return scanned_refusal(s, (whole ? row_items(&s->loop, t) : t->unroll) * t->vector);
}

static void row_list(const TileSpace *s, Candidates *out) {
    const Tile first = row_first(s);
    candidate_add(s, first, 0, out);
    for (int vector = most_vector(&s->loop); vector; vector /= 2)
        for (int threads = WARP; threads <= MAX_THREADS; threads *= 2)
            for (int row_threads = 0; row_threads <= threads;
                 row_threads = row_threads ? 2 * row_threads : 1) {
                Tile t = first;
                t.vector = vector, t.threads = threads, t.row_threads = row_threads;
                t.cluster = 1;
                t.warp_columns = row_threads ? 0 : OPEN_ITEMS * threads;
                if (!row_threads_refusal(s, &t)) loop_variants(s, &first, t, out);
            }
    row_cluster_list(s, &first, out);
}

const TileFamily tile_row = {row_list, row_complete, row_refusal};
