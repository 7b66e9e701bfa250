/* chain_wgmma_results.cu: adds chain_wgmma.cu's products of weights with values. */
#define NUMBER 0
#define RIGHT stage
#define MULTIPLY multiply
__device__ void multiply(float (&sum)[32], const unsigned (&a)[16], unsigned long long b);
__device__ unsigned long long wgmma_descriptor(const void *at, int next);
__device__ void alone(const unsigned char *stage, unsigned (*weight)[16], float (*out)[32]) {
    constexpr int tile_n = 64;
//@BEGIN
{
    const auto b = wgmma_descriptor(RIGHT, tile_n * 128);
    MULTIPLY(out[NUMBER], weight[NUMBER], b);
}
//@FINISH
}
