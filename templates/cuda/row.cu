/* row.cu: reductions along rows. The threads of a row are a whole block, or some of the threads of
 * a block (a part of a warp, or one warp), which then takes several rows. A cluster of blocks takes
 * one row: each block has `part` columns of it, from `start` on. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define THREAD_OF_ROW threadIdx.x % 32
#define FIRST (int)blockIdx.x * 4 + threadIdx.x / 32
#define ROWS 10
#define CLUSTER 4
#define MOST 28
#define PART start + 28 <= 100 ? 28 : (int)(100 - start)
#define ROW valid ? first : 9
//@BEGIN
HEAD {
    //@IF IF_LANE
    const int lane = THREAD_OF_ROW;
    //@END
    //@IF IF_THREAD
    const int thread = THREAD_OF_ROW;
    //@END
    //@IF ragged
    const IDX first = FIRST;
    const bool valid = first < ROWS; /* beyond the end: read the last row, store nothing */
    //@END
    //@IF many
    const IDX row = ROW;
    //@END
    //@IF KEPT
    unsigned char *const shared = dynamic_shared;
    //@END
    //@IF IF_CLUSTER
    const int rank = blockIdx.x % CLUSTER; /* of this block in its cluster */
    //@END
    //@IF has_part
    const IDX start = rank * MOST;
    const int part = PART;
    //@END
    //@HOLE positions
    //@HOLE body
}
