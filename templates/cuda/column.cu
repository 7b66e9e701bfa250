/* column.cu: reductions along an axis where memory is not contiguous: neighbouring threads have
 * neighbouring rows, SPLIT threads share the length of one. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define ROWS 10
#define LAST 9
#define LANES 32
#define LANE threadIdx.x % 32
//@BEGIN
HEAD {
    //@IF split
    const int part = threadIdx.x / LANES;
    //@END
    //@IF ragged
    const IDX first = (IDX)blockIdx.x * LANES + LANE;
    const bool valid = first < ROWS;
    const IDX row = valid ? first : LAST; /* beyond the end: read the last row, store nothing */
    //@END
    //@IF whole
    const IDX row = (IDX)blockIdx.x * LANES + LANE;
    //@END
    //@HOLE positions
    //@HOLE body
}
