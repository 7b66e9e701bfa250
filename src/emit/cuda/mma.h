/* mma.h: shared by the files that write mma.cu's text. */
#ifndef FUSEC_EMIT_CUDA_MMA_H
#define FUSEC_EMIT_CUDA_MMA_H

#include "emit/cuda/cuda.h"

typedef struct Mma {
    CudaKernel *k;
    CudaWriter *c;
    const DotForm *form;
    Tile t;
    Alignments alignments; /* for 16-byte copies */
    Text pointers;         /* to the first chunks of a thread */
    Text converted;        /* of operands that are computed from copies: see raw.c */
    Text raw_sizes;        /* where these are in a stage */
    const char *stage_bytes;
} Mma;

/* ---- mma_operands.c ---- */

/* The name of what is left of an axis from the start of the tile; NULL: whole tiles. */
const char *mma_left_of(const Mma *m, int axis);
/* Its declaration, or nothing. */
const char *mma_left_text(const Mma *m, int axis, const char *start, const char *tile);
/* The statements that copy the operands of a k tile into its stage; adds those that compute from
 * copies to m->converted. */
const char *mma_fetch_text(Mma *m);
/* Where right operand i of a tile is in shared memory. */
const char *mma_right_slot(const Mma *m, int i);

#endif
