/* wgmma.c: contractions by wgmma and TMA, on sm_90a: which are possible, and with which tiles.
 * In: Body, DotForm. Out: the obstacle, or Tiles. */
#include "kernel/tile/tile_private.h"

enum {
    GROUPS = 2,      /* consumer warpgroups, besides one producer */
    GROUP_ROWS = 64, /* rows of one wgmma */
    GROUP_WARPS = 4,
    WARP = 32,
    SLOT_ROW = 128,          /* bytes of a row in shared memory: one swizzle width */
    PRODUCER_REGISTERS = 40, /* registers of a producer thread, after setmaxnreg */
    CONSUMER_REGISTERS = 232,
    FINISH_REGISTERS = 80, /* registers of the epilogue, besides accumulators */
    MOST_COLUMNS = 256,
    MOST_STAGES = 6,
    LEAST_STAGES = 3,
    STRIP_ROWS = 16,
    STRIP_COLUMNS = 32, /* columns of the epilogue's strip, of all products together */
    STRIP_PITCH = 40,   /* floats from one row of the strip to the next */
    STRIP = STRIP_ROWS * STRIP_PITCH * 4, /* bytes for each warp */
    BARRIERS = 16,                        /* bytes for each stage */
    CHUNK = 16,                           /* bytes: the alignment that TMA needs */
    WALKED = 16,                          /* rows of tiles that are traversed together */
    LEAST_LEGAL_STAGES = 2,
    MOST_LEGAL_STAGES = 8,
    MOST_GROUP = 1 << 16
};

_Static_assert(GROUP_WARPS *WARP *(PRODUCER_REGISTERS + GROUPS * CONSUMER_REGISTERS) <=
                   MACHINE_REGISTERS,
               "a multiprocessor has the registers");
_Static_assert(MOST_COLUMNS / 2 + FINISH_REGISTERS <= CONSUMER_REGISTERS, "and a thread");

/* ---- which contractions ---------------------------------------------------------------------- */

/* Rows start at multiples of 16 bytes, evenly spaced, one batch after the other. The OperandLayout
 * says that the operand is contiguous and copied without change. */
static bool is_mapped(const Body *b, int value, int own, int summed, OperandLayout feed) {
    const Value *v = &b->values.at[value];
    const int across = feed == OPERAND_K_MAJOR ? own : summed,
              along = feed == OPERAND_K_MAJOR ? summed : own;
    const int each = CHUNK / (int)dtype_size(v->type);
    Dims *d = b->indices->dims;
    int64_t least, most, length;
    for (int i = 0; i < 2; i++) {
        Dim step = 0;
        int how = index_along(b, v->ix, i ? across : DOT_BATCH, &step);
        if (how == 2 || how < i) return false;
        if (!how) continue;
        dim_range(d, step, &least, &most);
        /* too long for TMA */
        if (least < 1 || !dim_mul(d, dim_const(d, CHUNK), step)) return false;
    }
    return !v->guard &&
           (!dim_is_const(d, b->indices->extent[along], &length) || length % each == 0);
}

/* Of product i of a sum. */
static const char *left_obstacle(const Body *b, const DotForm *f, int i) {
    const Summand s = body_summand(b, i);
    const OperandLayout layout = i ? f->added[i - 1][0] : f->left;
    if (layout == OPERAND_COMPUTED) return "the left operand is computed";
    return is_mapped(b, s.left, DOT_M, s.axis, layout)
               ? NULL
               : "rows of the left operand are not evenly spaced";
}

static const char *right_obstacle(const Body *b, const DotForm *f, int i, int j) {
    const Summand s = body_summand(b, i);
    const OperandLayout layout = i ? f->added[i - 1][1] : f->right[j];
    if (layout == OPERAND_COMPUTED) return "a right operand is computed";
    return is_mapped(b, i ? s.right : b->accs.at[j].index, DOT_N, s.axis, layout)
               ? NULL
               : "rows of a right operand are not evenly spaced";
}

const char *wgmma_obstacle(const Body *b, const DotForm *f) {
    if (!f->gpu->wgmma) return "the architecture has none";
    if (f->multiply != MULTIPLY_BF16 && f->multiply != MULTIPLY_F16)
        return "operands are neither bf16 nor f16";
    if (f->columns) return "rows of the result are reduced";
    for (int i = 0; i < body_summand_count(b); i++) {
        const char *wrong = left_obstacle(b, f, i);
        for (int j = 0; j < f->count && !wrong; j++) wrong = right_obstacle(b, f, i, j);
        if (wrong) return wrong;
    }
    return NULL;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

WgmmaStrip wgmma_strip(int count) {
    return (WgmmaStrip){.columns = count < 3 ? STRIP_COLUMNS / count : 8, .pitch = STRIP_PITCH};
}

WarpgroupRegisters tile_wgmma_registers(const Tile *t) {
    return (WarpgroupRegisters){MACHINE_REGISTERS / t->threads / 8 * 8, PRODUCER_REGISTERS,
                                CONSUMER_REGISTERS};
}

static int stage_bytes(const DotForm *f, const Tile *t) {
    return (t->m + t->n * f->count) * SLOT_ROW;
}

/* Columns of a product are multiples of the epilogue's strip, or of a box in shared memory. */
static int piece_of(const DotForm *f) {
    return f->right[0] == OPERAND_MN_MAJOR ? SLOT_ROW / 2 : wgmma_strip(f->count).columns;
}

int64_t tile_wgmma_shared(const DotForm *f, const Tile *t) {
    return (int64_t)t->stages * (stage_bytes(f, t) + BARRIERS) + GROUPS * GROUP_WARPS * STRIP;
}

/* The most columns of each product, and as many stages as fit. */
static Tile shaped(const DotForm *f, int columns) {
    const int piece = piece_of(f);
    Tile t = {.kind = TILE_WGMMA,
              .m = GROUPS * GROUP_ROWS,
              .n = columns / f->count / piece * piece,
              .k = SLOT_ROW / 2,
              .group = WALKED};
    for (t.stages = MOST_STAGES; t.stages > LEAST_STAGES; t.stages--)
        if (tile_wgmma_shared(f, &t) <= f->gpu->shared_block) break;
    return t;
}

static void complete(const TileSpace *s, Tile *t) {
    (void)s;
    t->k = SLOT_ROW / 2;
    t->blocks = 1;
    t->warpgroups = GROUPS;
    t->threads = (GROUPS + 1) * GROUP_WARPS * WARP;
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const DotForm *f = &s->dot;
    const int piece = piece_of(f);
    if (f->no_wgmma) return f->no_wgmma;
    if (t->m != GROUPS * GROUP_ROWS)
        return arena_printf(s->arena,
                            "%d warpgroups multiply %d rows each, and m=%d is not "
                            "possible",
                            GROUPS, GROUP_ROWS, t->m);
    if (t->n < 1 || t->n % piece || t->n > MOST_COLUMNS / f->count)
        return arena_printf(s->arena, "n must be a multiple of %d up to %d, not %d", piece,
                            MOST_COLUMNS / f->count, t->n);
    if (t->stages < LEAST_LEGAL_STAGES || t->stages > MOST_LEGAL_STAGES)
        return arena_printf(s->arena, "stages must be %d to %d, not %d", LEAST_LEGAL_STAGES,
                            MOST_LEGAL_STAGES, t->stages);
    if (t->group < 1 || t->group > MOST_GROUP)
        return arena_printf(s->arena, "group must be a number from 1 to %d, not %d", MOST_GROUP,
                            t->group);
    const char *wrong = epilogue_refusal(s, t);
    if (wrong) return wrong;
    const int64_t shared = tile_wgmma_shared(f, t);
    if (shared <= f->gpu->shared_block) return NULL;
    return arena_printf(s->arena, "%d stages take %lld bytes of shared memory, and a block has %d",
                        t->stages, (long long)shared, f->gpu->shared_block);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Most rows of a tile are padding, and one block of a multiprocessor waits for memory: times as
 * long as estimated. */
static double padding(const Body *b, const Tile *t) {
    int64_t rows;
    return dim_is_const(b->indices->dims, b->indices->extent[DOT_M], &rows) && 4 * rows <= t->m
               ? 1.5
               : 1;
}

/* Blocks are persistent. The time of a tile is that of the tensor cores or of L2, whichever is
 * slower, plus the epilogue. Fitted to measurements on an H200. */
static double tile_clocks(const Body *b, const DotForm *f, const Tile *t) {
    const double columns = (double)t->n * f->count;
    double multiply = t->m * columns * t->k / f->gpu->wgmma;
    double bring = (double)stage_bytes(f, t) / f->gpu->l2_tma;
    double steps = 0;
    for (int i = 0; i < body_summand_count(b); i++)
        steps += cost_tiles(b->indices->dims, b->indices->extent[body_summand(b, i).axis], t->k);
    double tile =
        steps * (multiply > bring ? multiply : bring) + t->m * columns / f->gpu->finish_wgmma;
    return padding(b, t) * (f->gpu->start + tile_waves(b, f->gpu, t) * tile);
}

static void list(const TileSpace *s, Candidates *out) {
    static const int columns[] = {MOST_COLUMNS, 192, 160, 128, 96, 64};
    int last = 0;
    if (s->dot.no_wgmma) return;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        Tile t = shaped(&s->dot, columns[i]);
        epilogue_choose(s, &t);
        const double clocks = tile_clocks(s->b, &s->dot, &t);
        if (t.n && t.n != last) candidate_add(s, t, clocks, out);
        if (t.n && t.n != last) epilogue_variants(s, &t, clocks, out);
        last = t.n;
    }
}

const TileFamily tile_wgmma = {list, complete, refusal};
