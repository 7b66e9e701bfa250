/* row_launch.c: the blocks and threads of a kernel of the row family, and which row a thread has.
 * In: a Row with its Tile. Out: launch, and text. */
#include "emit/cuda/row.h"

enum { WARP = 32 };

static const char *number(const Row *r, int64_t n) { return cuda_number(r->c.w.arena, n); }

bool row_is_alone(const Row *r) { return !r->b->chunks && dim_is(r->d, r->b->rows, 1); }

/* What the threads of a row take: a row, or all rows of a chunk. */
static Dim workers(const Row *r) {
    return r->b->chunks ? dim_const(r->d, r->b->chunks) : r->b->rows;
}

/* One row per block: every thread has a row. */
static bool is_block(const Row *r) {
    const Tile *t = &r->c.tile;
    return !r->c.w.s->lane_is_row &&
           (row_is_alone(r) || (!r->open && t->row_threads == t->threads));
}

/* Rows of a block; 0: known only at launch. */
static int block_rows(const Row *r) {
    const Tile *t = &r->c.tile;
    if (is_block(r)) return 1;
    return r->c.w.s->lane_is_row ? r->lanes * t->vector : r->open ? 0 : t->threads / t->row_threads;
}

/* Every thread has a row. */
bool row_has_whole_blocks(const Row *r) {
    return block_rows(r) && !r->b->chunks &&
           dim_divides(r->d, dim_const(r->d, block_rows(r)), r->b->rows);
}

/* If the number of columns is open: short rows get a warp each, longer ones the block. */
static void launch_open(Row *r) {
    CudaKernel *k = r->k;
    Arena *arena = r->c.w.arena;
    const int threads = r->c.tile.threads, warps = threads / WARP, columns = r->c.tile.warp_columns;
    const char *rows = names_size(k->names, workers(r));
    const char *is_short =
        arena_printf(arena, "%s <= %d", names_size(k->names, r->b->cols), columns);
    k->threads = threads;
    k->block_x = arena_printf(arena, "%s ? %d : %d", is_short, WARP, threads);
    k->block_y = arena_printf(arena, "%s ? %d : 1", is_short, warps);
    k->grid = arena_printf(arena, "%s ? ceil_div(%s, %d) : %s", is_short, rows, warps, rows);
    k->how = arena_printf(arena, "A warp for each %s of up to %d columns, else %d threads",
                          r->b->chunks ? "chunk of rows" : "row", columns, threads);
}

/* A single row gets all threads of the block. A thread has 128 registers for its sums of columns.
 */
static void choose_launch(Row *r) {
    enum { THREADS = 512 }; /* of a multiprocessor, at least */
    CudaKernel *k = r->k;
    const Tile *t = &r->c.tile;
    Arena *arena = r->c.w.arena;
    k->threads = is_block(r) ? t->row_threads : t->threads;
    k->blocks = r->b->chunks && k->threads < THREADS ? THREADS / k->threads : 0;
    k->block_x = number(r, k->threads);
    k->block_y = "1";
    const int rows = block_rows(r);
    k->grid = cuda_blocks(k->names, workers(r), rows);
    if (tile_has_cluster(t)) {
        k->cluster = t->cluster;
        k->grid = arena_printf(arena, "%s * %d", cuda_size(k, workers(r)), t->cluster);
        k->how = arena_printf(arena, "A cluster of %d blocks of %d threads for each row",
                              t->cluster, t->threads);
        return;
    }
    const char *each = r->c.wide ? arena_printf(arena, "for each %d", t->vector) : "each";
    if (r->c.w.s->lane_is_row)
        k->how = arena_printf(arena, "%d neighbouring rows to a block, %d thread%s %s", rows,
                              t->split, t->split > 1 ? "s" : "", each);
    else
        k->how = arena_printf(arena, "%d thread%s for each %s, %d %s%s to a block", t->row_threads,
                              t->row_threads > 1 ? "s" : "", r->b->chunks ? "chunk of rows" : "row",
                              rows, r->b->chunks ? "chunk" : "row", rows > 1 ? "s" : "");
}

/* The row of a thread, if there are enough of them. */
const char *row_of_thread(const Row *r) {
    const char *index = r->c.index;
    Arena *arena = r->c.w.arena;
    int rows = block_rows(r), threads = r->c.tile.row_threads;
    if (tile_has_cluster(&r->c.tile))
        return arena_printf(arena, "blockIdx.x / %d", r->c.tile.cluster);
    if (is_block(r)) return "blockIdx.x";
    if (r->open) return arena_printf(arena, "(%s)blockIdx.x * blockDim.y + threadIdx.y", index);
    const char *format = "(%s)blockIdx.x * %d + threadIdx.x";
    const char *inner = arena_printf(arena, format, index, rows);
    if (r->c.w.s->lane_is_row && r->c.wide)
        return r->lanes == 1 ? "block * VEC"
                             : arena_printf(arena, "(block * %d + threadIdx.x %% %d) * VEC",
                                            r->lanes, r->lanes);
    if (r->c.w.s->lane_is_row)
        return r->c.tile.split > 1 ? arena_printf(arena, "%s %% %d", inner, rows) : inner;
    return threads > 1 ? arena_printf(arena, "%s / %d", inner, threads) : inner;
}

const char *row_thread_number(const Row *r) {
    int threads = r->c.tile.row_threads;
    if (is_block(r) || r->open) return "threadIdx.x";
    return threads == 1 ? "0" : arena_printf(r->c.w.arena, "threadIdx.x %% %d", threads);
}

void row_launch(Row *r) {
    if (r->open)
        launch_open(r);
    else
        choose_launch(r);
}
