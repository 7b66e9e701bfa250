/* tile_load.cu: 256 threads copy 16 steps in k of an operand, WIDTH wide, to shared memory. */
#define WIDTH 64
#define OWN l / 16
#define KK l % 16
#define K_SIZE 16
#define TILE tile
#define VALUE 0
__device__ void alone(float (*tile)[68], int thread, int k_start) {
//@BEGIN
#pragma unroll
for (int i = 0; i < WIDTH / 16; i++) {
    const int l = i * 256 + thread, own = OWN, kk = KK;
    //@HOLE at
    //@HOLE lines
    TILE[kk][own] = k_start + kk < K_SIZE ? VALUE : 0;
}
//@FINISH
}
