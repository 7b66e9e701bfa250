/* row_cluster.c: rows that the blocks of a cluster share (sm_90 and later): each has a part of the
 * columns, and keeps in shared memory what several stages load of it.
 * In: LoopFacts. Out: whether a Tile may have a cluster, and the clusters that long rows get. */
#include "kernel/tile/tile_private.h"

enum {
    CLUSTER_SM = 90,
    WARP = 32,
    MOST_CLUSTER = 8,       /* blocks of a cluster on every GPU that has clusters */
    LONG_ROW = 1 << 15,     /* columns that threads keep in registers, */
    LONG_NARROW = 36 << 10, /* of narrow elements */
    WIDE_ROW = 1 << 16,     /* of wide ones, from which on blocks are small */
    PART_BYTES = 36 << 10,  /* of a block, so that a multiprocessor has six */
    PART_THREADS = 128,     /* for so many bytes; more of them wait for each other */
    MOST_THREADS = 512,
    NARROW_BYTES = 4,    /* of an element */
    MORE_UNROLL = 8,     /* of an online softmax of narrow elements: more loads in flight */
    FULL_THREADS = 768,  /* of a multiprocessor that waits for memory with enough loads in flight */
    LEAST_SHIFTED = 128, /* columns of a block, of rows that start anywhere in packs */
    ALIGNED = 16
};

int64_t tile_cluster_part(const Tile *t, int64_t cols) {
    return ceil_div(ceil_div(cols, t->cluster), t->vector) * t->vector;
}

static int64_t kept_bytes(const LoopFacts *f, const Tile *t) {
    return f->reloaded * tile_cluster_part(t, f->cols) + ALIGNED * f->values;
}

const char *row_cluster_refusal(const TileSpace *s, const Tile *t) {
    const LoopFacts *f = &s->loop;
    if (t->cluster == 1) return NULL;
    if (!is_power_of_two(t->cluster) || t->cluster > MOST_CLUSTER)
        return tile_refuse(s, "cluster must be a power of 2 from 1 to %d, not %d", MOST_CLUSTER,
                           t->cluster);
    if (s->machine->sm < CLUSTER_SM)
        return tile_refuse(s, "sm_%d has no clusters; sm_%d has", s->machine->sm, CLUSTER_SM);
    if (!f->cols) return "a cluster shares rows of known length";
    if (s->b->group_axes) return "the groups of a row are of one block";
    if (f->has_scan || f->summed || s->b->chunks)
        return "scans, and sums over the rows of a chunk, are of one block";
    if (t->row_threads != t->threads) return "a cluster shares one row, of whole blocks";
    if (t->keep == KEEP_NOTHING) return NULL;
    if (t->keep != KEEP_SHARED) return "a cluster keeps rows in shared memory, or not";
    if (!f->reloaded) return "no stage loads again what a cluster could keep";
    if (t->vector > f->vector && f->cols < LEAST_SHIFTED * t->cluster)
        return "packs that a row starts anywhere in leave a block of the cluster without any";
    const int64_t bytes =
        kept_bytes(f, t) + f->exchanged * (WARP + t->cluster * (t->threads / WARP));
    if (bytes <= s->machine->shared_block) return NULL;
    return tile_refuse(s,
                       "a block's part of a row takes %lld bytes of shared memory, and a "
                       "block has %d",
                       (long long)bytes, s->machine->shared_block);
}

/* Of narrow elements, a block of 1024 threads would have longer rows alone on its multiprocessor:
 * on an H100 an RMS norm of rows of 51200 bf16 takes 102 us instead of 110. */
bool row_is_long(const TileSpace *s) {
    const LoopFacts *f = &s->loop;
    if (tile_has_narrow_online(s)) return f->cols >= LONG_ROW;
    return f->least < NARROW_BYTES ? f->cols >= LONG_NARROW : f->cols > LONG_ROW;
}

/* More blocks, then more threads, for few rows: on an H200 a softmax of 51 rows of 64597 bf16 takes
 * 10.2 us with clusters of 8 x 256 threads, and 12.6 with 4 x 128. */
static void share_out(const LoopFacts *f, const Machine *gpu, Tile *t) {
    const int64_t wanted = (int64_t)gpu->processors * FULL_THREADS;
    while (f->rows && t->cluster < MOST_CLUSTER && f->rows * t->cluster * t->threads < wanted)
        t->cluster *= 2;
    while (f->rows && t->threads < 2 * PART_THREADS && f->rows * t->cluster * t->threads < wanted)
        t->threads *= 2;
    t->row_threads = t->threads;
}

/* Norms of rows of narrow elements get parts twice as large, of the most threads: on an H200 a
 * layer norm of rows of 65536 bf16 takes 92 us instead of 101, an RMS norm 80 instead of 94. Few
 * blocks share rows of f32 that one cannot keep: those of 50000 take 108 us, and 191 read twice. */
bool row_cluster_choose(const TileSpace *s, Tile *chosen) {
    const LoopFacts *f = &s->loop;
    Tile t = *chosen;
    if (s->machine->sm < CLUSTER_SM || !f->reloaded) return false;
    const bool has_many_threads = f->least < NARROW_BYTES && !tile_has_narrow_online(s);
    const bool has_few = f->least >= NARROW_BYTES && f->cols < WIDE_ROW;
    const int64_t part = has_few            ? s->machine->shared_block
                         : has_many_threads ? 2 * PART_BYTES
                                            : PART_BYTES;
    t.keep = KEEP_SHARED;
    for (t.cluster = 2; t.cluster < MOST_CLUSTER; t.cluster *= 2)
        if (kept_bytes(f, &t) <= part) break;
    t.threads = has_many_threads ? MOST_THREADS : PART_THREADS;
    while (t.threads < MOST_THREADS && kept_bytes(f, &t) * PART_THREADS > PART_BYTES * t.threads)
        t.threads *= 2;
    t.row_threads = t.threads;
    const bool loads_columns = t.vector > f->vector && f->of_columns;
    if (tile_has_narrow_online(s) || loads_columns) t.unroll = MORE_UNROLL;
    share_out(f, s->machine, &t);
    if (row_cluster_refusal(s, &t)) return false;
    *chosen = t;
    return true;
}

/* Rows that are all in flight at once: one multiprocessor or two have each, and read it again from
 * L2, with more threads than shared memory would leave them. On an H200 the backward pass of a
 * batch norm in NCHW (x and dy of bf16) takes 15.6 us for 128 rows of 50176 instead of 23.4, 17.1
 * for 64 of 100352 instead of 24.0, 16.8 for 256 of 25088 instead of 19.6, 10.4 for 264 of 12544
 * instead of 11.7, 35.1 for 128 of 100352 instead of 39.3; a layer norm of 128 rows of 50176 13.7
 * instead of 14.5, of 64 10.8 instead of 11.8. An online softmax has no use for it. */
bool row_reads_twice(const TileSpace *s, Tile *chosen) {
    enum { MOST_ROWS = 2, MOST_L2 = 2, LEAST = 12 << 10, THREADS = 2 * MOST_THREADS };
    const LoopFacts *f = &s->loop;
    const Machine *gpu = s->machine;
    Tile t = *chosen;
    const bool are_long = row_is_long(s) || (f->reloaded > f->least && f->cols >= LEAST);
    const double bytes = (double)f->rows * (double)f->cols * (double)f->reloaded;
    if (!f->rows || f->rows > MOST_ROWS * gpu->processors || !are_long) return false;
    if (!f->reloaded || f->least >= NARROW_BYTES || body_has_online(s->b)) return false;
    if (bytes > MOST_L2 * 1048576.0 * gpu->l2_size) return false;
    t.threads = t.row_threads = THREADS;
    while (t.cluster < MOST_CLUSTER && 2 * t.cluster * f->rows <= gpu->processors &&
           f->cols >= (int64_t)2 * t.cluster * THREADS * t.vector * t.unroll)
        t.cluster *= 2;
    if (row_cluster_refusal(s, &t)) return false;
    *chosen = t;
    return true;
}

void row_cluster_fill(const TileSpace *s, Tile *chosen) {
    const LoopFacts *f = &s->loop;
    const int64_t wanted = (int64_t)s->machine->processors * FULL_THREADS;
    Tile t = *chosen;
    if (s->machine->sm < CLUSTER_SM || !f->rows || t.keep != KEEP_NOTHING) return;
    while (t.cluster < MOST_CLUSTER && f->rows * t.cluster * t.threads < wanted &&
           f->cols >= (int64_t)2 * t.cluster * t.threads * t.vector * t.unroll)
        t.cluster *= 2;
    if (!row_cluster_refusal(s, &t)) *chosen = t;
}

void row_cluster_list(const TileSpace *s, const Tile *first, Candidates *out) {
    if (s->machine->sm < CLUSTER_SM || !s->loop.cols) return;
    for (int cluster = 2; cluster <= MOST_CLUSTER; cluster *= 2)
        for (int threads = PART_THREADS / 2; threads <= 2 * MOST_THREADS; threads *= 2)
            for (int keep = KEEP_SHARED; keep <= KEEP_NOTHING; keep++) {
                Tile t = *first;
                t.cluster = cluster, t.threads = t.row_threads = threads, t.keep = (Keep)keep;
                t.warp_columns = 0;
                const int distance = tile_distance(first, &t);
                if (distance) candidate_add(s, t, distance, out);
            }
}
