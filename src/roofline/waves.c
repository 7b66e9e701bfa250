/* waves.c: how the blocks of a kernel fill a GPU: tiles, waves, what of them is work, occupancy.
 * In: a Kernel with its Tile. Out: Waves. Registers are those that the choice of tiles reckons
 * with; the compiler's own numbers are known after compiling only. Source: NVIDIA, "Matrix
 * Multiplication Background User's Guide" (tile and wave quantization). */
#include "roofline/roofline.h"

#include <math.h>

enum {
    WARP = 32,
    MOST_BLOCKS = 32,  /* of a multiprocessor */
    RESERVED = 1 << 10 /* bytes of shared memory that each block takes besides */
};

/* Threads of a multiprocessor, from the table of compute capabilities. */
static int most_threads(const Machine *gpu) {
    switch (gpu->sm) {
    case 75: return 1024;
    case 86:
    case 87:
    case 88:
    case 89:
    case 110:
    case 120:
    case 121: return 1536;
    default: return 2048;
    }
}

/* ---- how many tiles ------------------------------------------------------------------------- */

typedef struct Extent {
    double size;
    bool is_open;
} Extent;

static Extent extent_of(const Body *b, int axis) {
    const Dims *d = b->indices->dims;
    const Dim size = b->indices->extent[axis];
    int64_t value;
    if (dim_is_const(d, size, &value)) return (Extent){(double)value, false};
    return (Extent){(double)cost_size(d, size), true};
}

/* Of tiles of m rows; n 0: each has all columns. */
static void count_tiles(const Body *b, int m, int n, Waves *w) {
    const Extent batch = extent_of(b, DOT_BATCH), rows = extent_of(b, DOT_M),
                 cols = extent_of(b, DOT_N);
    const double tiles_m = ceil(rows.size / m), tiles_n = n ? ceil(cols.size / n) : 1;
    w->m = m, w->n = n;
    w->tiles = batch.size * tiles_m * tiles_n;
    w->padded = rows.size / (tiles_m * m) * (n ? cols.size / (tiles_n * n) : 1);
    w->is_open = batch.is_open || rows.is_open || (n && cols.is_open);
}

static void count_rows(const Body *b, const Tile *t, Waves *w) {
    const Dims *d = b->indices->dims;
    const double rows = (double)cost_size(d, b->rows), cols = (double)cost_size(d, b->cols);
    int64_t known;
    const int row = t->row_threads ? t->row_threads : cols > t->warp_columns ? t->threads : WARP;
    const int each = t->kind == TILE_COLUMN ? t->threads / (t->split > 0 ? t->split : 1) * t->vector
                                            : t->threads / row;
    w->tiles = ceil(rows / (each > 0 ? each : 1));
    w->padded = rows / (w->tiles * (each > 0 ? each : 1));
    w->is_open = !dim_is_const(d, b->rows, &known);
}

/* ---- how many at once ------------------------------------------------------------------------ */

/* Registers of a thread and shared memory of a block; 0: not known before compiling. */
typedef struct Needs {
    int registers;
    int64_t shared;
} Needs;

static Needs dot_needs(const Kernel *k, const Body *b, const Tile *t, const Machine *gpu) {
    const DotForm f = dot_form(k, b, gpu);
    if (t->kind == TILE_WGMMA || t->kind == TILE_WGMMA_ROWS)
        return (Needs){tile_wgmma_registers(&f, t).launched, tile_wgmma_shared(&f, t)};
    if (t->kind == TILE_GEMV)
        return (Needs){tile_gemv_registers(b, &f, t), tile_gemv_shared(b, &f, t)};
    if (t->kind == TILE_GEMV_FMA)
        return (Needs){tile_gemv_fma_registers(b, t), tile_gemv_fma_shared(b, t)};
    if (f.multiply == MULTIPLY_FMA) return (Needs){0, tile_fma_shared(b, t)};
    return (Needs){tile_dot_registers(&f, t), tile_dot_shared(&f, t)};
}

static Needs fma_needs(const Body *b, const Tile *t, const Machine *gpu) {
    if (t->kind != TILE_ATTENTION_FMA) return (Needs){0, 0};
    return (Needs){tile_attention_fma_registers(b, gpu, t), tile_attention_fma_shared(b, gpu, t)};
}

static Needs attention_needs(const Kernel *k, const Body *b, const Tile *t, const Machine *gpu) {
    AttentionForm f;
    attention_form(k, b, gpu, &f);
    switch (t->kind) {
    case TILE_ATTENTION_WGMMA:
        return (Needs){tile_attention_wgmma_registers(t).launched,
                       tile_attention_wgmma_shared(&f, t)};
    case TILE_ATTENTION_MMA:
        return (Needs){tile_attention_registers(&f, t), tile_attention_shared(&f, t)};
    default: return fma_needs(b, t, gpu);
    }
}

static Needs chain_needs(const Kernel *k, const Body *b, const Tile *t, const Machine *gpu) {
    ChainForm f;
    if (!chain_form(k, b, gpu, &f)) return fma_needs(b, t, gpu);
    return (Needs){tile_chain_registers(&f, t), tile_chain_shared(&f, t)};
}

static void limit(Waves *w, int blocks, const char *by) {
    if (blocks >= w->blocks) return;
    w->blocks = blocks;
    w->limited = by;
}

static void count_blocks(const Machine *gpu, const Needs *n, Waves *w) {
    const int warps = (w->threads + WARP - 1) / WARP, most = most_threads(gpu) / WARP;
    w->blocks = MOST_BLOCKS;
    w->limited = "the number of blocks";
    limit(w, most / warps, "threads");
    if (n->registers)
        limit(w, MACHINE_REGISTERS / ((n->registers + 7) / 8 * 8 * warps * WARP), "registers");
    if (n->shared) limit(w, (int)(gpu->shared_processor / (n->shared + RESERVED)), "shared memory");
    if (w->blocks < 1) w->blocks = 1; /* registers are an estimate */
    w->occupancy = (double)(w->blocks * warps) / most;
}

Waves occupancy_of(const Machine *gpu, int threads, int registers, int64_t shared) {
    Waves w = {.threads = threads};
    const Needs needs = {registers, shared};
    count_blocks(gpu, &needs, &w);
    return w;
}

/* ---- one body ---- */

Waves waves_of(const Kernel *k, int body, const Tile *t, const Machine *gpu) {
    const Body *b = &k->bodies.at[body];
    Waves w = {.threads = t->threads};
    Needs needs = {0, 0};
    if (!machine_is_gpu(gpu)) return (Waves){0};
    switch (k->family) {
    case F_POINTWISE:
    case F_SEGMENTS: return (Waves){0};
    case F_ROW: count_rows(b, t, &w); break;
    case F_DOT:
        count_tiles(b, t->m, t->n, &w);
        needs = dot_needs(k, b, t, gpu);
        break;
    case F_ATTENTION:
        count_tiles(b, t->m, 0, &w);
        needs = attention_needs(k, b, t, gpu);
        break;
    case F_CHAIN:
        count_tiles(b, t->m, 0, &w);
        needs = chain_needs(k, b, t, gpu);
        break;
    }
    if (!w.threads) return (Waves){0};
    count_blocks(gpu, &needs, &w);
    w.waves = w.tiles / ((double)gpu->processors * w.blocks);
    w.last = w.waves - ceil(w.waves) + 1;
    return w;
}
