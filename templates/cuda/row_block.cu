/* row_block.cu: the rows of a block in shared memory, ROWS of them: what comes before the first
 * stage of a row kernel. A thread's row is number `own` of these. */
#define IDX int
#define ROWS 32
extern "C" __global__ void alone() {
    const int row = blockIdx.x;
//@BEGIN
//@HOLE arrays
const IDX block_row = (IDX)blockIdx.x * ROWS;
const int own = (int)(row - block_row);
//@IF loads
//@HOLE loads
__syncthreads();
//@END
//@FINISH
}
