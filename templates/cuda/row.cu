/* row.cu: reductions along rows. The threads of a row are a whole block, or LANES of the threads of a
 * block (a part of a warp, or one warp), which then takes several rows. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define ROWS 10
#define LAST 9
#define LANE threadIdx.x % 32
#define GROUP threadIdx.x / 32
#define GROUPS 4
//@BEGIN
HEAD {
    //@IF block
    const int lane = threadIdx.x;
    //@IF many
    const IDX row = blockIdx.x;
    //@END
    //@END
    //@IF groups
    const int lane = LANE;
    //@IF ragged
    const IDX first = (IDX)blockIdx.x * GROUPS + GROUP;
    const bool valid = first < ROWS;
    const IDX row = valid ? first : LAST; /* beyond the end: read the last row, store nothing */
    //@END
    //@IF whole
    const IDX row = (IDX)blockIdx.x * GROUPS + GROUP;
    //@END
    //@END
    //@HOLE shared
    //@HOLE positions
    //@HOLE body
}
