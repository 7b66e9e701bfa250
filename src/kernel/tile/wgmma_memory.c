/* wgmma_memory.c: contractions by wgmma and TMA, on sm_90a: what a tile takes of registers and of
 * shared memory, and how its operands and results are there.
 * In: DotForm, Tile. Out: bytes, rows and columns. */
#include "kernel/tile/tile_private.h"

enum {
    GROUPS = 2,      /* consumer warpgroups, besides one producer; */
    MORE_GROUPS = 3, /* of tiles of as many blocks of 64 rows */
    GROUP_ROWS = 64, /* rows of one wgmma */
    GROUP_WARPS = 4,
    WARP = 32,
    SLOT_ROW = 128,          /* bytes of a row in shared memory: one swizzle width */
    BYTE_STEP = 16,          /* columns of products of bytes, beyond 32, are multiples of it */
    PRODUCER_REGISTERS = 40, /* registers of a producer thread, after setmaxnreg */
    CONSUMER_REGISTERS = 232,
    FEWER_PRODUCER_REGISTERS = 32, /* and with three consumers */
    FEWER_CONSUMER_REGISTERS = 160,
    FACTOR_REGISTERS = 8,  /* more for the producer of a product of scaled blocks */
    FINISH_REGISTERS = 80, /* registers of the epilogue, besides accumulators */
    MOST_AHEAD = 128,      /* columns, with three sets of accumulators */
    STRIP_ROWS = 16,
    PACK = 16,          /* bytes */
    STRIP_COLUMNS = 32, /* columns of the epilogue's strip, of all products together */
    LEAST_STRIP = 16,
    STRIP_SKEW = 8, /* floats between rows of the strip, for free banks */
    /* Of segments of rows, which four threads read in packs of four. Where they are only reduced,
     * in ping-pong, a sixth stage is worth more: 1127 us for 1157 (linear_cross_entropy on an
     * H200). */
    ROW_SKEW = 16,
    WHOLE_ROWS = 8,       /* of the strip, where rows of the result are reduced */
    BARRIERS = 16,        /* bytes for each stage */
    COMPUTING_GROUPS = 2, /* producer warpgroups, if they compute operands, */
    COMPUTING_REGISTERS = 104,
    FED_REGISTERS = 152 /* and those of the consumers then */
};

/* ---- registers ------------------------------------------------------------------------------- */

_Static_assert(GROUP_WARPS *WARP *(PRODUCER_REGISTERS + GROUPS * CONSUMER_REGISTERS) <=
                   MACHINE_REGISTERS,
               "a multiprocessor has the registers");
_Static_assert(WGMMA_COLUMNS / 2 + FINISH_REGISTERS <= CONSUMER_REGISTERS, "and a thread");
_Static_assert(GROUP_WARPS *WARP *(COMPUTING_GROUPS *COMPUTING_REGISTERS +
                                   GROUPS * FED_REGISTERS) <= MACHINE_REGISTERS,
               "also where operands are computed");
_Static_assert(WGMMA_FED / 2 + FINISH_REGISTERS <= FED_REGISTERS, "and a thread then");
_Static_assert(GROUP_WARPS *WARP *(FEWER_PRODUCER_REGISTERS +
                                   MORE_GROUPS * FEWER_CONSUMER_REGISTERS) <= MACHINE_REGISTERS,
               "also for three consumers");

/* Producers that load factors, too, have more registers than those that only copy. */
WarpgroupRegisters tile_wgmma_registers(const DotForm *f, const Tile *t) {
    const int launched = MACHINE_REGISTERS / t->threads / 8 * 8;
    if (wgmma_computes(f))
        return (WarpgroupRegisters){launched, COMPUTING_REGISTERS, FED_REGISTERS};
    if (wgmma_groups(t) > GROUPS)
        return (WarpgroupRegisters){launched, FEWER_PRODUCER_REGISTERS, FEWER_CONSUMER_REGISTERS};
    const int more = f->blocks ? FACTOR_REGISTERS : 0;
    return (WarpgroupRegisters){launched, PRODUCER_REGISTERS + more, CONSUMER_REGISTERS - more};
}

bool wgmma_is_ahead(const DotForm *f, const Tile *t) { return t->n * f->count <= MOST_AHEAD; }

/* ---- operands -------------------------------------------------------------------------------- */

bool wgmma_brings(const DotForm *f) {
    bool any = wgmma_left(f, 0) != OPERAND_COMPUTED;
    for (int i = 0; i < f->count; i++) any = any || f->right[i] != OPERAND_COMPUTED;
    return any;
}

int wgmma_producers(const DotForm *f) { return wgmma_computes(f) ? COMPUTING_GROUPS : 1; }

/* Copies are many bytes where they are as many as those of the operand. */
static bool is_as_wide(const DotForm *f, const RawLoads *loads) {
    return loads->bytes >= loads->elements * (int)dtype_size(f->product->type);
}

int wgmma_ahead(const DotForm *f) {
    enum { FEW = 2, MANY = 4 };
    bool is_wide = f->fed_left.count && is_as_wide(f, &f->fed_left);
    for (int i = 0; i < f->count; i++)
        is_wide = is_wide || (f->fed_right[i].count && is_as_wide(f, &f->fed_right[i]));
    return is_wide ? FEW : MANY;
}

int wgmma_depth(const DotForm *f) { return SLOT_ROW / (int)dtype_size(f->product->type); }

bool wgmma_halves(const DotForm *f, const Tile *t) {
    return t->kind == TILE_WGMMA_ROWS && t->n * f->count > WGMMA_COLUMNS;
}

/* Threads have pairs of neighbours of a row, as they come from the products. On an H200 the sums of
 * exponentials of rows of 8192 x 8192 x 512 take 129 us so, and 140 through shared memory. */
bool wgmma_holds_rows(const DotForm *f, const Tile *t) {
    return t->kind == TILE_WGMMA_ROWS && f->only_reduces && !wgmma_halves(f, t) && t->items > 0 &&
           t->row_threads == WGMMA_ROW_THREADS && t->vector == WGMMA_ROW_PAIR;
}

/* Where all rows there are are fewer, no others: zeros beyond them take as long as elements do. On
 * an H200 80 x 7056 x 3568 takes 20.7 us in tiles of 128 x 64, and 28.4 if all rows of a tile are
 * loaded, 51 x 5440 x 5680 25.4 and 48.4. */
int wgmma_loaded_rows(const Body *b, const DotForm *f, const Tile *t, int own,
                      OperandLayout layout) {
    enum { PATTERN = 8 }; /* rows that a swizzle permutes */
    const int tile = own == DOT_M ? t->m : t->n;
    const int step = layout == OPERAND_MN_MAJOR ? WGMMA_ACROSS_BOX : PATTERN;
    const bool is_whole = wgmma_computes(f) || t->cluster > 1 || f->columns;
    int64_t rows;
    if (is_whole || body_summand_count(b) > 1) return tile;
    if (!dim_is_const(b->indices->dims, own == DOT_N ? f->n_end : b->indices->extent[own], &rows))
        return tile;
    return rows < tile ? (int)ceil_div(rows, step) * step : tile;
}

int wgmma_groups(const Tile *t) {
    return t->m == MORE_GROUPS * GROUP_ROWS && !t->ping_pong ? MORE_GROUPS : GROUPS;
}

int wgmma_blocks(const Tile *t) {
    const int blocks = t->m / GROUP_ROWS / (t->ping_pong ? 1 : wgmma_groups(t));
    return blocks ? blocks : 1; /* both groups have the same rows */
}

/* ---- results --------------------------------------------------------------------------------- */

/* Of two products that are unrolled, a lane has two vectors of 8 elements; of one whose results
 * have several loads, up to four, and over a short k with one load: on an H200 8192 x 2048 x 512
 * with a residual takes 38 us so, and 46 with two. */
static int strip_columns(const DotForm *f, const Tile *t) {
    const bool waits = f->result_loads > 1 || (f->result_loads && f->is_short);
    int columns = waits && t->unroll > 2 ? 2 * STRIP_COLUMNS : STRIP_COLUMNS;
    while (f->count == 1 && t->n % columns) columns /= 2;
    if (f->count == 1) return columns;
    if (f->count == 2 && t->unroll > 1) return STRIP_COLUMNS;
    return f->count < 3 ? STRIP_COLUMNS / f->count : 8;
}

/* Rows that start anywhere have fewer ends in wide boxes, and room for a pack more; the warp that
 * stores them needs no second set. Sums go through the memory of the boxes where operands are not
 * aligned. Of three consumers a second set takes the place of a stage. */
static WgmmaStrip box_strip(const DotForm *f, const Tile *t) {
    const bool is_wide =
        f->box_is_shifted && f->box_results == 1 && t->n % (2 * f->box_columns) == 0;
    const bool is_one = f->box_results > 1 || f->box_is_shifted || wgmma_groups(t) > GROUPS;
    const int sets = is_one ? 1 : 2, row = (is_wide + 1) * SLOT_ROW;
    const int box = STRIP_ROWS * (row + (f->box_is_shifted ? PACK : 0));
    const int bytes = sets * f->box_results * box;
    int columns = STRIP_COLUMNS;
    while (STRIP_ROWS * columns * f->count * (int)sizeof(float) > bytes) columns /= 2;
    return (WgmmaStrip){.rows = STRIP_ROWS,
                        .columns = columns,
                        .pitch = columns * f->count,
                        .box_slice = STRIP_COLUMNS,
                        .box_columns = (is_wide + 1) * f->box_columns,
                        .box_sets = sets,
                        .box_bytes = box,
                        .bytes = bytes};
}

WgmmaStrip wgmma_strip(const DotForm *f, const Tile *t) {
    if (wgmma_has_boxes(f, t)) return box_strip(f, t);
    const int rows = f->columns ? WHOLE_ROWS : STRIP_ROWS;
    const int columns = f->has_segments ? f->columns : f->columns ? t->n : strip_columns(f, t);
    const bool is_read_in_fours = f->has_segments && !f->only_reduces;
    const int pitch = columns * f->count + (is_read_in_fours ? ROW_SKEW : STRIP_SKEW);
    return (WgmmaStrip){.rows = rows,
                        .columns = columns,
                        .pitch = pitch,
                        .bytes = rows * pitch * (int)sizeof(float)};
}

int wgmma_piece(const DotForm *f, const Tile *t) {
    if (f->right[0] == OPERAND_MN_MAJOR) return (wgmma_halves(f, t) ? GROUPS : 1) * SLOT_ROW / 2;
    if (f->count == 1 && !f->columns) return LEAST_STRIP;
    const int strip = f->columns && f->count < 3 ? STRIP_COLUMNS / f->count : strip_columns(f, t);
    return f->multiply == MULTIPLY_I8 && strip < BYTE_STEP ? BYTE_STEP : strip;
}

WgmmaParts wgmma_parts(const DotForm *f, const Tile *t) {
    enum { ALIGN = 256 };
    const int64_t blocks = f->gpu->processors, warps = blocks * wgmma_groups(t) * GROUP_WARPS;
    return (WgmmaParts){ceil_div(warps * (int64_t)sizeof(int), ALIGN) * ALIGN,
                        blocks * t->m * t->n * f->count * (int64_t)sizeof(float)};
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* Those of the epilogue; where groups have halves, they take the place of a stage. */
static int strip_bytes(const DotForm *f, const Tile *t) {
    return wgmma_halves(f, t) ? 0 : wgmma_groups(t) * GROUP_WARPS * wgmma_strip(f, t).bytes;
}

int wgmma_stage_bytes(const DotForm *f, const Tile *t) {
    return (t->m + t->n * f->count) * SLOT_ROW;
}

/* Factors of the rows and columns of a tile, in each stage. */
static int factor_bytes(const DotForm *f, const Tile *t) {
    if (!f->blocks) return 0;
    const BlockFactors factors = block_factors(f->blocks, t);
    return (factors.of_row.count * t->m + factors.of_column.count * t->n) * (int)sizeof(float);
}

/* Memory for copies of what an operand of so many rows is computed from, in a stage: each thread
 * has as many. */
static int copied_bytes(const DotForm *f, const RawLoads *loads, int rows) {
    const int64_t threads = GROUP_WARPS * WARP;
    if (!loads->count) return 0;
    return (int)(ceil_div((int64_t)rows * wgmma_depth(f) / loads->elements, threads) * threads) *
           loads->bytes;
}

static int all_copied_bytes(const DotForm *f, const Tile *t) {
    int bytes = copied_bytes(f, &f->fed_left, t->m);
    for (int i = 0; i < f->count; i++) bytes += copied_bytes(f, &f->fed_right[i], t->n);
    return wgmma_producers(f) * wgmma_ahead(f) * bytes;
}

int64_t tile_wgmma_shared(const DotForm *f, const Tile *t) {
    const int strips = strip_bytes(f, t) + all_copied_bytes(f, t);
    return (int64_t)t->stages * (wgmma_stage_bytes(f, t) + factor_bytes(f, t) + BARRIERS) + strips;
}
