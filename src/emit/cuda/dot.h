/* dot.h: shared by the files that write the operands of a contraction by fused multiply-adds. */
#ifndef FUSEC_EMIT_CUDA_DOT_H
#define FUSEC_EMIT_CUDA_DOT_H

#include "emit/cuda/cuda.h"

typedef struct DotOperand {
    int value, own;          /* own: DOT_M or DOT_N */
    int side;                /* of the tile along it */
    int summed;              /* DOT_K, or the axis of an added product */
    const char *part, *tile; /* registers, and shared memory */
} DotOperand;

/* ---- dot_operands.c ---- */

/* How the operands get into shared memory. */
typedef struct DotMovement {
    bool copies, evaluates; /* operands */
    bool by_position;       /* copies whose addresses are computed from the start of a stage */
    bool has_packs;         /* that are evaluated */
    Alignments alignments;  /* that `wide` stands for */
} DotMovement;

/* Adds what templates/cuda/dot.cu asks for of its operands. */
DotMovement dot_add_movement(CudaKernel *k, CudaWriter *c, Fills *fills);

int dot_parts(const CudaWriter *c);                      /* of a stage, that copies come in */
bool dot_is_along_k(const Body *b, const DotOperand *o); /* it is not contiguous across k */
bool dot_is_sum(const Body *b);                          /* of several products */
/* Where `own` and `kk` of the tile are, of axes among these; beyond the end of its own axis the
 * last pack of `each`, and of the summed axis any element. */
void dot_put_position(const CudaWriter *c, uint32_t axes, const DotOperand *o, const char *each,
                      Text *out);

/* ---- dot_copies.c ---- */

/* Packs of an operand: `most` elements; or, if alignment is tested when the kernel runs, these or
 * one. Operands of one product may differ. */
typedef struct DotPacks {
    int most;
    bool is_tested;
} DotPacks;

const char *dot_each_of(Arena *arena, DotPacks packs); /* their length: "4", "each", "each_2" */
/* The text of copies by packs: before the loop, and of a `part` of a stage. */
bool dot_put_copies(CudaWriter *c, const DotOperand *o, DotPacks packs, Text *start, Text *fetch);

#endif
