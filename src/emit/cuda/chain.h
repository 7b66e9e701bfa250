/* chain.h: text of the pieces that both forms of a chain of contractions share. */
#ifndef FUSEC_EMIT_CUDA_CHAIN_H
#define FUSEC_EMIT_CUDA_CHAIN_H

#include "emit/cuda/attention.h"

/* Statements, the expression of each result's weight, and the axes whose positions they read. */
typedef struct ChainWeights {
    const char *lines, *value[CHAIN_SCORES];
    uint32_t axes;
} ChainWeights;

/* Of the scores score[0]AT, score[1]AT .. */
ChainWeights chain_weights(CudaWriter *c, const char *at);
/* Of the results out[0]AT ..: into the piece that was started. */
void chain_stores(CudaWriter *c, const char *at);

/* ---- chain_mma.c ---- */

void cuda_chain_mma(CudaKernel *k, CudaWriter *c, const ChainForm *form);

#endif
