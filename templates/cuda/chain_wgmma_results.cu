/* chain_wgmma_results.cu: adds chain_wgmma.cu's products of weights with values. */
#define NUMBER 0
#define RIGHT stage
#define MULTIPLY multiply
__device__ void multiply(float (&sum)[32], unsigned a0, unsigned a1, unsigned a2, unsigned a3,
                         unsigned long long b);
__device__ unsigned long long wgmma_descriptor(const void *at, int next);
__device__ void alone(const unsigned char *stage, unsigned (*weight)[16], float (*out)[32]) {
    constexpr int tile_n = 64;
//@BEGIN
{
    const auto b = wgmma_descriptor(RIGHT, tile_n * 128);
#pragma unroll
    for (int step = 0; step < tile_n / 16; step++)
        MULTIPLY(out[NUMBER], weight[NUMBER][4 * step], weight[NUMBER][4 * step + 1],
                 weight[NUMBER][4 * step + 2], weight[NUMBER][4 * step + 3],
                 b + step * (16 * 128) / 16);
}
//@FINISH
}
