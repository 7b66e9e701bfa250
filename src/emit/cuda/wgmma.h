/* wgmma.h: shared by the files that write wgmma.cu's text. */
#ifndef FUSEC_EMIT_CUDA_WGMMA_H
#define FUSEC_EMIT_CUDA_WGMMA_H

#include "emit/cuda/cuda.h"

enum { SLOT_ROW = 128 }; /* bytes of a row of a stage */

typedef struct Wgmma {
    CudaKernel *k;
    CudaWriter *c;
    const DotForm *form;
    Tile t;
    Alignments alignments; /* for TMA loads, and packed stores of results */
} Wgmma;

/* ---- wgmma_operands.c ---- */

/* How the producer fills a stage: by TMA, and otherwise. */
typedef struct WgmmaFetch {
    const char *copies, *elements;
} WgmmaFetch;

WgmmaFetch cuda_wgmma_fetch(Wgmma *w);
/* Bytes of a stage that TMA loads, and zeros for the others. */
void cuda_wgmma_add_spared(const Wgmma *w, Fills *fills);

#endif
