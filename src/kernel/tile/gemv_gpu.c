/* gemv_gpu.c: tiles of a contraction with few rows on a GPU. It is bound by the bytes of its right
 * operands, which go from memory to the registers of mma.sync without shared memory; warps share
 * out k, so that a few columns are enough for a block.
 * In: a TileSpace. Out: legal tiles, and an estimate of the time. */
#include "kernel/tile/tile_private.h"

#include <math.h>

enum {
    WARP = 32,
    ROWS = 16, /* of a product that is bound by the bytes of what it multiplies */
    MOST_ROWS = 32,
    HALF_ROWS = 8,   /* of an instruction */
    PIECE_N = 8,     /* columns of an instruction */
    SHARERS = 4,     /* threads that have the same row or column */
    PART_BYTES = 8,  /* of a thread in one instruction */
    PACK_BYTES = 16, /* of a load */
    MOST_BYTES = 64, /* that it has at a time */
    MOST_COLUMNS = 128,
    MOST_THREADS = 512,
    OTHER_REGISTERS = 40,
    COLUMNS = 16, /* of a block, unless they leave multiprocessors idle */
    THREADS = 256,
    LOADED = 64,      /* bytes of each column that a thread has at a time, as products take them */
    LONG = 1024,      /* sums of a product that a block of many threads shares out */
    GROUP = 8,        /* rows of tiles that are traversed together */
    LEAST_UNROLL = 2, /* packs of a column that are under way */
    MOST_UNROLL = 8
};

/* ---- what is legal --------------------------------------------------------------------------- */

static int size_of(const DotForm *f) { return (int)dtype_size(f->product->type); }

/* Elements along k that 16 bytes of a right operand hold. */
static int widest(const TileSpace *s) {
    const Body *b = s->b;
    int most = MOST_BYTES / size_of(&s->dot);
    for (int i = 0; i < b->dots; i++) {
        int root = value_unrounded(b, b->accs.at[i].index, s->dot.product->type);
        const Piece piece = {
            .role = PIECE_OPERAND, .operand = b->accs.at[i].index, .roots = &root, .count = 1};
        most = tile_piece_vector(s->k, schedule_piece(b, &piece, DOT_K, s->arena), most, false);
    }
    const int least = PART_BYTES / size_of(&s->dot);
    return most > least ? most : least;
}

/* Of numbers of few bits, more rows share what unpacks them: on an H100 32 rows times weights of 4
 * bits, 14336 x 4096, take 27.9 us, and 61.5 by stages in shared memory; 64 rows 46 and 52,
 * and with 4096 x 4096 19 and 17. */
static bool is_few(const TileSpace *s) {
    int64_t rows;
    if (!dim_is_const(s->b->indices->dims, s->b->indices->extent[DOT_M], &rows)) return false;
    return rows <= ROWS || (rows <= MOST_ROWS && widest(s) * size_of(&s->dot) > PACK_BYTES);
}

const char *gemv_obstacle(const TileSpace *s) {
    const Body *b = s->b;
    if (body_has_rows(b)) return "rows of the result are reduced";
    if (b->added.count || b->blocks.term) return "products are added up, or scaled in blocks of k";
    if (s->dot.product->terms != 1) return "f32 operands are split into terms";
    for (int i = 0; i < b->dots; i++)
        if (operand_is_across(b, b->accs.at[i].index, DOT_N) || s->dot.is_scattered)
            return "a right operand is not contiguous along k";
    if (!is_few(s))
        return "more than 16 rows (32 of weights of few bits), or their number is not known";
    return NULL;
}

/* Elements of a row that a thread has at a time. */
static int each_of(const Tile *t) { return t->k / SHARERS; }

int tile_gemv_registers(const Body *b, const DotForm *f, const Tile *t) {
    const int pieces = t->n / PIECE_N * f->count, halves = tile_gemv_rows(b) / HALF_ROWS;
    const int pack = each_of(t) * size_of(f) / 4;
    return 2 * pieces * halves + (pieces + halves) * pack * t->operand_unroll + OTHER_REGISTERS;
}

int tile_gemv_rows(const Body *b) {
    int64_t rows = ROWS;
    dim_is_const(b->indices->dims, b->indices->extent[DOT_M], &rows);
    return (int)ceil_div(rows, HALF_ROWS) * HALF_ROWS;
}

int64_t tile_gemv_shared(const Body *b, const DotForm *f, const Tile *t) {
    const int64_t sums = (int64_t)tile_gemv_rows(b) * (t->n * f->count + GEMV_PAD);
    return t->threads / WARP * sums * (int64_t)sizeof(float);
}

const char *gemv_block_refusal(const TileSpace *s, const Tile *t) {
    if (t->threads < WARP || t->threads > MOST_THREADS || t->threads % WARP)
        return tile_refuse(s, "threads must be a multiple of %d, up to %d, not %d", WARP,
                           MOST_THREADS, t->threads);
    const char *wrong = tile_operand_refusal(s, t);
    return wrong ? wrong : epilogue_refusal(s, t);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const int bytes = each_of(t) * size_of(&s->dot);
    const char *obstacle = gemv_obstacle(s);
    if (obstacle) return obstacle;
    if (t->n < PIECE_N || t->n > MOST_COLUMNS || t->n % PIECE_N)
        return tile_refuse(s, "n must be a multiple of %d, up to %d, not %d", PIECE_N, MOST_COLUMNS,
                           t->n);
    if (t->k % SHARERS || !is_power_of_two(t->k) || bytes < PART_BYTES || bytes > MOST_BYTES)
        return tile_refuse(s, "k must be a power of 2 from %d to %d, not %d",
                           SHARERS * PART_BYTES / size_of(&s->dot),
                           SHARERS * MOST_BYTES / size_of(&s->dot), t->k);
    const char *wrong = gemv_block_refusal(s, t);
    if (wrong) return wrong;
    return tile_memory_refusal(s, t, t->threads, (int)tile_gemv_shared(s->b, &s->dot, t),
                               tile_gemv_registers(s->b, &s->dot, t));
}

static void complete(const TileSpace *s, Tile *t) {
    const int rows = tile_gemv_rows(s->b);
    t->m = rows > ROWS ? rows : ROWS;
    t->blocks = 1;
}

/* ---- what is best ---------------------------------------------------------------------------- */

/* Numbers of few bits: a pack has more elements than 16 bytes of them as they are multiplied. */
static bool are_unpacked(const TileSpace *s, const Tile *t) {
    return each_of(t) * size_of(&s->dot) > PACK_BYTES;
}

/* Blocks that a multiprocessor has at a time. ptxas uses about 20 registers less than what legal
 * tiles are limited by; packs of few bits that wait are not unpacked yet. */
static int resident_of(const TileSpace *s, const Tile *t) {
    enum { SPARED = 20, WAITING = 12, TOGETHER = 8 /* that are allocated */ };
    const int spared = SPARED + (are_unpacked(s, t) && t->operand_unroll > 1 ? WAITING : 0);
    const int registers = tile_gemv_registers(s->b, &s->dot, t) - spared;
    const int64_t allocated = ceil_div(registers, TOGETHER) * TOGETHER;
    const int resident = (int)(MACHINE_REGISTERS / (allocated * t->threads));
    return resident ? resident : 1;
}

/* Weights of 4 bits are bound by the instructions that unpack them, and one pack of each column has
 * enough of them. Blocks of 128 threads that are all resident are done together: on an H200 14 rows
 * of bf16 times 10160 x 3816 take 25.5 us with them, 29.4 with 256 threads; one row times 14336 x
 * 4096 31.2 and 33.1; 16 rows times 5432 x 11232, where there are 2.6 blocks for each
 * multiprocessor, 37.1 and 42.0, 8 rows times 5128 x 3248, 2.4, 14.0 and 13.6. */
static void have_threads(const TileSpace *s, double blocks, Tile *t) {
    const double several = tile_gemv_rows(s->b) > HALF_ROWS ? 2.5 : 3; /* of a multiprocessor */
    if (s->dot.count > 1) return;
    if (each_of(t) * size_of(&s->dot) == PACK_BYTES && blocks >= several * s->machine->processors)
        t->threads = THREADS / 2;
    if (each_of(t) * size_of(&s->dot) >= MOST_BYTES) t->operand_unroll = 1;
}

/* Time in which a multiprocessor unpacks and multiplies the columns of so many blocks. Columns of a
 * block share the loads of its rows; few packs under way leave it waiting. */
static double unpack_time(const TileSpace *s, const Tile *t, double blocks) {
    enum { PART_ELEMENTS = 16, FULL_PARTS = 24 /* of the threads of all warps */ };
    static const double row_columns = 0.75, start_columns = 4; /* that take as long */
    if (blocks <= 0) return 0;
    const double parts = blocks * t->threads / WARP * t->operand_unroll * each_of(t);
    const double busy = fmin(1, parts / (PART_ELEMENTS * FULL_PARTS));
    const double columns = blocks * (t->n + row_columns * tile_gemv_rows(s->b));
    return columns / sqrt(busy) + start_columns;
}

/* Of all blocks, as many at a time as are resident. */
static double unpack_times(const TileSpace *s, const Tile *t) {
    const Indices *x = s->b->indices;
    const double blocks =
        cost_tiles(x->dims, x->extent[DOT_BATCH], 1) * cost_tiles(x->dims, x->extent[DOT_N], t->n);
    const double most = ceil(blocks / s->machine->processors); /* of a multiprocessor */
    const double resident = resident_of(s, t), rounds = floor(most / resident);
    return rounds * unpack_time(s, t, resident) + unpack_time(s, t, most - rounds * resident);
}

/* The tile of weights of few bits with more than 8 rows for which that is shortest. Fitted to 23
 * shapes of 12 to 32 rows on an H200, of which it is the tile with the least time of up to six, or
 * within 7 % of it, but for one: 24 rows times 5104 x 11136 (8 bits) take 29.5 us, with other
 * tiles 31.8 to 48.2; 30 rows times 8192 x 4096 (4 bits) 17.9, and 19.8 to 27.8. */
static void unpack_best(const TileSpace *s, Tile *t) {
    static const struct {
        int n, threads, unroll;
    } shape[] = {{2 * COLUMNS, THREADS, 1},
                 {2 * COLUMNS, THREADS / 2, 1},
                 {COLUMNS, THREADS, 2},
                 {COLUMNS, THREADS, 1},
                 {COLUMNS, THREADS / 2, 2}};
    const Tile first = *t;
    const bool is_long = each_of(t) * size_of(&s->dot) >= MOST_BYTES; /* has half of it, too */
    double least = INFINITY;
    for (int half = is_long; half >= 0; half--)
        for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
            Tile other = first;
            other.k = half ? first.k / 2 : first.k;
            other.n = shape[i].n, other.threads = shape[i].threads;
            other.operand_unroll = shape[i].unroll;
            if (is_long && other.operand_unroll > 1) continue;
            const double time = unpack_times(s, &other);
            if (time < least) least = time, *t = other;
        }
}

/* Waves of the blocks. */
static double waves_of(const TileSpace *s, const Tile *t, double blocks) {
    return blocks / ((double)resident_of(s, t) * s->machine->processors);
}

/* With 9 to 16 rows, blocks that load half as far ahead may all be resident where the others leave
 * a second wave: on an H200 16 rows times 12776 x 10216 take 75 us so, and 86; times 5128 x 3248
 * 14.9 and 17.8. Where all are resident anyway they are slower (1320 x 8480: 12.9 and 12.5), and so
 * are two waves of them (19488 x 7864: 104 and 85). */
static void load_less(const TileSpace *s, double blocks, Tile *t) {
    Tile less = *t;
    if (t->operand_unroll <= LEAST_UNROLL || tile_gemv_rows(s->b) <= HALF_ROWS) return;
    less.operand_unroll /= 2;
    if (waves_of(s, t, blocks) > 1 && waves_of(s, &less, blocks) <= 1) *t = less;
}

/* A product whose rows are columns of the result: any number of these is one of whole vectors.
 * More than 8 rows are loaded element by element for more columns at once: 36280 x 10 x 4016 takes
 * 86 us on an H200 with 32 of them, 98 with 16, 16776 x 14 x 2080 24 and 29. */
static void turn(const TileSpace *s, double blocks, Tile *t) {
    t->vector = 1;
    if (tile_gemv_rows(s->b) > HALF_ROWS && blocks >= 2 * s->machine->processors)
        t->n = 2 * COLUMNS;
}

/* Measured on an H200: one row of bf16 times 4096 x 4096 takes 12.1 us with 16 columns, 13.6 with
 * 32, and 14.3 by stages in shared memory with k split; 16 rows times weights of 8 bits 11.1, 13.1
 * and 22.0. Where columns are few, blocks of half of them load more than 8 rows twice: 14 rows
 * times 1232 x 14344 take 22.2 us so, and 18.4 with 16 columns and 512 threads. */
static Tile best(const TileSpace *s) {
    const Body *b = s->b;
    const int vector = widest(s);
    const double blocks = cost_tiles(b->indices->dims, b->indices->extent[DOT_BATCH], 1) *
                          cost_tiles(b->indices->dims, b->indices->extent[DOT_N], COLUMNS) *
                          s->dot.count;
    const bool has_idle = blocks < s->machine->processors;
    int64_t k = 0;
    const bool is_long = has_idle && s->dot.count == 1 && tile_gemv_rows(b) > HALF_ROWS &&
                         dim_is_const(b->indices->dims, b->indices->extent[DOT_K], &k) && k >= LONG;
    const int n = (has_idle && !is_long) || s->dot.count > 1 ? COLUMNS / 2 : COLUMNS;
    const int loaded = LOADED * COLUMNS / (n * s->dot.count * vector * size_of(&s->dot));
    const int least = s->dot.count > 1 ? 1 : LEAST_UNROLL;
    const int unroll = loaded < least ? least : loaded;
    Tile t = {.kind = TILE_GEMV,
              .n = n,
              .k = SHARERS * vector,
              .threads = is_long ? MOST_THREADS : THREADS,
              .operand_unroll = unroll < MOST_UNROLL ? unroll : MOST_UNROLL};
    have_threads(s, blocks, &t);
    if (are_unpacked(s, &t) && s->dot.count == 1 && tile_gemv_rows(b) > HALF_ROWS)
        unpack_best(s, &t);
    else
        load_less(s, blocks, &t);
    epilogue_choose(s, &t);
    if (!epilogue_stores_neighbours(s)) turn(s, blocks, &t);
    return t;
}

/* By stages in shared memory, where every multiprocessor has several narrow tiles: more bytes are
 * under way. On an H200 8 and 16 rows times 14336 x 4096 take 31.5 and 32.0 us, and by gemv 33.1
 * and 37.0; times 4096 x 14336, of which there are 128 such tiles, 37.5, and 32.7 to 36. Not where
 * rows start within sectors: 10 rows times 19488 x 7864 take 100 us, and by gemv 85. */
static void add_stages(const TileSpace *s, double cost, Candidates *out) {
    enum { NARROW = 32, ROW_BYTES = 256, STAGES = 4, BLOCKS = 3, TILES = 3, UNROLL = 4 };
    const Body *b = s->b;
    const DotForm *f = &s->dot;
    Tile t = {.kind = TILE_MMA,
              .m = ROWS,
              .n = NARROW,
              .k = ROW_BYTES / size_of(f),
              .warps_m = 1,
              .warps_n = NARROW / (2 * PIECE_N),
              .stages = STAGES,
              .group = GROUP,
              .operand_unroll = UNROLL,
              .blocks = BLOCKS};
    int64_t rows;
    if (!s->machine->wgmma || size_of(f) != 2 || f->count > 1 || !tile_is_counted(b)) return;
    if (f->left != OPERAND_K_MAJOR || f->right[0] != OPERAND_K_MAJOR) return;
    if (!dim_is_const(b->indices->dims, b->indices->extent[DOT_M], &rows) || rows < HALF_ROWS)
        return;
    if (rows > ROWS || tile_count(b, &t) < TILES * s->machine->processors) return;
    if (wgmma_loads_cross(b, f)) return;
    epilogue_choose(s, &t);
    candidate_add(s, t, cost, out);
}

/* The estimates of tiles by stages in shared memory leave out the time of memory, by which these
 * are bound: these come first. */
static void list(const TileSpace *s, Candidates *out) {
    static const double first = 0.8, slower = 0.02, /* for each doubling or halving */
        faster = 0.75;
    double least = INFINITY;
    if (gemv_obstacle(s)) return;
    for (int i = 0; i < out->count; i++) least = fmin(least, out->at[i].cost);
    const Tile t = best(s);
    for (int n = PIECE_N; n <= 4 * COLUMNS; n *= 2)
        for (int threads = THREADS / 2; threads <= 2 * THREADS; threads *= 2)
            for (int unroll = 1; unroll <= MOST_UNROLL; unroll *= 2) {
                Tile other = t;
                other.n = n, other.threads = threads, other.operand_unroll = unroll;
                candidate_add(s, other, first * least * (1 + slower * tile_distance(&t, &other)),
                              out);
            }
    add_stages(s, faster * least, out);
}

const TileFamily tile_gemv = {list, complete, refusal};
