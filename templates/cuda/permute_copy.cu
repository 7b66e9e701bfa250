/* permute_copy.cu: what permute.cu copies of one tensor: rows of TILE, in aligned pieces of N
 * elements. COPY: a name for a copy. INSIDE: none reaches beyond the tensor. PLACE, FIRST: of a row,
 * in TILE and in FROM; END: elements of the tensor. */
#include "prelude.cuh"
#define N 2
#define PIECES 9
#define ROWS 12
#define THREADS 256
#define COPY copy
#define INSIDE true
#define TILE x_tile
#define PLACE 20 * row
#define FROM x
#define FIRST 100 * row
#define END 1200
extern "C" __global__ void alone(const bf16 *x) {
    __shared__ bf16 x_tile[ROWS * 20];
    const int row = 0;
//@BEGIN
const auto COPY = [&](unsigned at, bool inside) {
    unsigned rest = at;
    const int piece = next_digit<PIECES>(rest) * N;
    //@HOLE positions
    cp_async_piece<N>(inside, TILE, PLACE + piece, FROM, FIRST + piece, END);
};
if (INSIDE)
    for (unsigned at = threadIdx.x; at < ROWS * PIECES; at += THREADS) COPY(at, true);
else
    for (unsigned at = threadIdx.x; at < ROWS * PIECES; at += THREADS) COPY(at, false);
//@FINISH
}
