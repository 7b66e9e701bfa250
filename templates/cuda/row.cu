/* row.cu: reductions along rows. The threads of a row are a whole block, or some of the threads of
 * a block (a part of a warp, or one warp), which then takes several rows. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define LANE threadIdx.x % 32
#define FIRST (int)blockIdx.x * 4 + threadIdx.x / 32
#define ROWS 10
#define ROW valid ? first : 9
//@BEGIN
HEAD {
    const int lane = LANE;
    //@IF ragged
    const IDX first = FIRST;
    const bool valid = first < ROWS; /* beyond the end: read the last row, store nothing */
    //@END
    //@IF many
    const IDX row = ROW;
    //@END
    //@IF KEPT
    extern __shared__ __align__(128) unsigned char shared[];
    //@END
    //@HOLE positions
    //@HOLE body
}
