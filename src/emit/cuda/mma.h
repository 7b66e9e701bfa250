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
    Text copies;           /* the copies, where they are no part of the fetches */
    Text raw_sizes;        /* where these are in a stage */
    const char *stage_bytes;
    bool in_parts; /* products of a stage take turns with parts of what is computed from copies */
} Mma;

/* ---- mma_operands.c ---- */

typedef struct MmaOperand {
    int value, own; /* own: DOT_M or DOT_N */
    int summed;     /* DOT_K, or the axis of an added product */
    int rows;       /* of the tile along `own` */
    OperandLayout feed;
    const char *start, *slot; /* start of the tile along the axis; its shared memory */
    const RawLoads *raw;
} MmaOperand;

/* Text for tensors of 16-byte accesses, and of others; for all: of operands without packs. */
typedef struct MmaFetches {
    Text wide, single, all;
} MmaFetches;

/* Adds the statements that bring an operand's tile, or, of one that is computed from copies, those
 * that make the copies; then what computes it is added to m->converted. */
void mma_put_operand(Mma *m, const MmaOperand *o, MmaFetches *out);

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
