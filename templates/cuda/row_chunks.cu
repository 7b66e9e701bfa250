/* row_chunks.cu: reductions along rows, and sums of columns over chunks of rows: the threads of
 * a row (see row.cu) go through all rows of a chunk. IF leaves: rows are written in place, which
 * excludes reductions of rows: no barrier or shuffle follows the threads that leave. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define THREAD_OF_ROW threadIdx.x % 32
#define FIRST (int)blockIdx.x * 4 + threadIdx.x / 32
#define CHUNKS 2
#define ROWS 10
#define ROW valid ? first : ROWS - 1
//@BEGIN
HEAD {
    //@IF IF_LANE
    const int lane = THREAD_OF_ROW;
    //@END
    //@IF IF_THREAD
    const int thread = THREAD_OF_ROW;
    //@END
    const IDX chunk = FIRST;
    const IDX chunk_rows = ceil_div(ROWS, CHUNKS);
    //@IF KEPT
    unsigned char *const shared = dynamic_shared;
    //@END
    //@HOLE sums

#pragma unroll 1
    for (IDX step = 0; step < chunk_rows; step++) {
        const IDX first = chunk * chunk_rows + step;
        //@IF leaves
        if (first >= ROWS) break; /* rows are written in place: read none of another chunk */
        //@END
        //@IF clamps
        const bool valid = first < ROWS; /* beyond the end: read the last row, store nothing */
        //@END
        const IDX row = ROW;
        //@IF again
        __syncthreads(); /* block_reduce's memory may still be read for the row before */
        //@END
        //@HOLE positions
        //@HOLE body
    }

    //@HOLE after
}
