/* fma.h: operands of products by fused multiply-adds, which pass through registers into shared
 * memory; of contractions, attentions and chains. */
#ifndef FUSEC_EMIT_CUDA_FMA_H
#define FUSEC_EMIT_CUDA_FMA_H

#include "emit/cuda/cuda.h"

enum { FMA_PACK = 4 }; /* elements that a thread loads at once, if memory holds them so: VEC */

/* A tile of an operand in shared memory, [k][own]: `side` elements of its own axis from `start` on,
 * and a step of the summed one from `k_start` on. */
typedef struct FmaOperand {
    int value, own, summed; /* value and axes */
    int side;
    const char *start;  /* "m_start" */
    const char *inside; /* where `kk` is inside the summed axis, beyond which it is 0; "": all */
    const char *thread;
    const char *part, *tile; /* registers, and shared memory */
} FmaOperand;

/* Statements that evaluate a thread's share into `part`, and that store it to `tile`. */
typedef struct FmaMove {
    const char *fetch, *keep;
    bool has_packs; /* they read VEC */
} FmaMove;

int fma_items(const Tile *t, int side); /* of `part` */
/* Adds to the condition under which packs are aligned; if it is tested, as `wide`. */
FmaMove fma_move(CudaKernel *k, CudaWriter *c, const FmaOperand *o, Alignments *needed);

/* Writes the kernel's function, from a template that has VEC and `wide` of such operands. */
void fma_function(CudaKernel *k, CudaWriter *c, const char *name, const Alignments *needed,
                  const Fills *fills);

bool fma_is_along_k(const Body *b, const FmaOperand *o); /* it is not contiguous across k */
/* Where `own` and `kk` of the tile are, of axes among these; beyond the end of its own axis the
 * last pack of `each`, and of the summed axis any element. */
void fma_put_position(const CudaWriter *c, uint32_t axes, const FmaOperand *o, const char *each,
                      Text *out);
/* Starts the text of packs of an operand; false: it has none. */
bool fma_begin_packs(CudaWriter *c, const FmaOperand *o, Alignments *needed);
void fma_begin_elements(CudaWriter *c, int value);

#endif
