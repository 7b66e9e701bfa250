/* row.h: what the files that write kernels of the row family share among themselves. */
#ifndef FUSEC_EMIT_CUDA_ROW_H
#define FUSEC_EMIT_CUDA_ROW_H

#include "emit/cuda/cuda.h"

typedef struct Row {
    CudaWriter c; /* first: see row_of */
    CudaKernel *k;
    const Body *b;
    Dims *d;
    bool open;          /* threads per row are decided at launch */
    int lanes;          /* column.cu: rows of a block; row.cu: threads of a row, 0: at launch */
    const char **carry; /* value -> what its running sum has reached */
    Text body;
} Row;

static inline Row *row_of(Writer *w) { return (Row *)w; }

/* ---- row.c ---- */

/* The text after the positions along the columns that it reads. */
const char *row_with_positions(Row *r, const char *text);
const char *row_item_position(const Row *r); /* of an item in what is unrolled */
bool row_is_whole(const Row *r);             /* no thread is ever beyond the end of a row */

/* ---- scan.c: stages with running sums ---- */

const char *row_carries(Row *r, int stage); /* declares what is carried from step to step */
const char *row_scan(Row *r, int stage);    /* all that a stage does in a step */

#endif
