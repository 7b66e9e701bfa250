/* dot.h: shared by the files that write the operands of a contraction by fused multiply-adds. */
#ifndef FUSEC_EMIT_CUDA_DOT_H
#define FUSEC_EMIT_CUDA_DOT_H

#include "emit/cuda/fma.h"

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

int dot_parts(const CudaWriter *c); /* of a stage, that copies come in */
bool dot_is_sum(const Body *b);     /* of several products */

/* ---- dot_copies.c ---- */

/* Packs of an operand: `most` elements; or, if alignment is tested when the kernel runs, these or
 * one. Operands of one product may differ. */
typedef struct DotPacks {
    int most;
    bool is_tested;
} DotPacks;

const char *dot_each_of(Arena *arena, DotPacks packs); /* their length: "4", "each", "each_2" */
/* The text of copies by packs: before the loop, and of a `part` of a stage. */
bool dot_put_copies(CudaWriter *c, const FmaOperand *o, DotPacks packs, Text *start, Text *fetch);

#endif
