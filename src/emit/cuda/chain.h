/* chain.h: text of the pieces that both forms of a chain of contractions share. */
#ifndef FUSEC_EMIT_CUDA_CHAIN_H
#define FUSEC_EMIT_CUDA_CHAIN_H

#include "emit/cuda/attention.h"

/* Statements, the expression of each result's weight, and the axes whose positions they read. */
typedef struct ChainWeights {
    const char *lines, *value[CHAIN_SCORES];
    uint32_t axes;
} ChainWeights;

/* PIECE_WEIGHTS, or of one result; given: the names of scores, then of ChainColumns, then of the
 * first weight. */
ChainWeights chain_weights(CudaWriter *c, PieceRole role, const char *const *given);
/* The same where chain_mask, `mask`, changes none. */
ChainWeights chain_clear_weights(CudaWriter *c, PieceRole role, const char *const *given, int mask);
/* Of the results out[0]AT ..: into the piece that was started. */
void chain_stores(CudaWriter *c, const char *at);

/* ---- chain_tiles.c: what the two ways on tensor cores share ---- */

typedef struct ChainTiles {
    AttentionTiles tiles;
    CudaWriter *c;
    const ChainForm *form;
} ChainTiles;

/* The template's names of a score, its row, its column, and that in the tile, of two weights, and
 * of a result. */
typedef struct ChainNames {
    const char *score, *row, *column, *in_tile, *weight, *out;
} ChainNames;

/* What comes before the position in a tile of the i-th of ChainColumns: "2 * tile_n + ". */
const char *chain_column_tile(const CudaWriter *c, int i);
const char *chain_slot(const ChainTiles *m, const char *base, int bytes);
/* Adds what both templates have. After the operands, since it adds to the condition. */
void chain_fills(ChainTiles *m, const ChainNames *names, Fills *fills);
/* The statement that adds x and y to columns at_c and at_c + 1 of row at_n. */
const char *chain_add_across(ChainTiles *m);
void chain_launch(ChainTiles *m, const char *how);

/* ---- chain_mma.c, chain_wgmma.c: on tensor cores, by warps or warpgroups ---- */

void cuda_chain_mma(CudaKernel *k, CudaWriter *c, const ChainForm *form);
void cuda_chain_wgmma(CudaKernel *k, CudaWriter *c, const ChainForm *form);

#endif
