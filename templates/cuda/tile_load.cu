/* tile_load.cu: THREADS threads copy a step in k of an operand, WIDTH wide, to shared memory,
 * AT_ONCE at a time. */
#define WIDTH 64
#define THREADS 256
#define AT_ONCE 16
#define OWN l / 16
#define KK l % 16
#define K_SIZE 16
#define TILE tile
#define VALUE 0
__device__ void alone(float (*tile)[68], int thread, int k_start) {
//@BEGIN
#pragma unroll
for (int i = 0; i < WIDTH / AT_ONCE; i++) {
    const int l = i * THREADS + thread, own = OWN, kk = KK;
    //@HOLE at
    //@HOLE lines
    TILE[kk][own] = k_start + kk < K_SIZE ? VALUE : 0;
}
//@FINISH
}
