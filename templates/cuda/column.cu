/* column.cu: reductions along an axis where memory is not contiguous: neighbouring threads have
 * neighbouring rows, or packs of them, and threads LANES apart split the length of one. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define LANES 32
#define FIRST (int)blockIdx.x * 32 + threadIdx.x % 32
#define ROWS 10
#define ROW valid ? first : 9
//@BEGIN
HEAD {
    //@IF split
    const int part = threadIdx.x / LANES;
    //@END
    //@IF ragged
    const IDX first = FIRST;
    const bool valid = first < ROWS; /* beyond the end: read the last row, store nothing */
    //@END
    const IDX row = ROW;
    //@HOLE positions
    //@HOLE body
}
