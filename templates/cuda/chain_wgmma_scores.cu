/* chain_wgmma_scores.cu: one product of chain_wgmma.cu's scores. */
#define NUMBER 0
#define STEPS 4
#define LEFT left
#define RIGHT stage
#define MULTIPLY multiply
template <int ADDS>
__device__ void multiply(float (&sum)[32], unsigned long long a, unsigned long long b);
__device__ unsigned long long wgmma_descriptor(const void *at, int next);
__device__ void alone(const unsigned char *left, const unsigned char *stage, int group,
                      float (*score)[32]) {
    constexpr int tile_m = 128, tile_n = 64;
//@BEGIN
{
    const auto a = wgmma_descriptor(LEFT + group * (64 * 128), 1024);
    const auto b = wgmma_descriptor(RIGHT, 1024);
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        const auto a_step = a + (step / 4 * (tile_m * 128) + step % 4 * 32) / 16;
        const auto b_step = b + (step / 4 * (tile_n * 128) + step % 4 * 32) / 16;
        if (step == 0)
            MULTIPLY<0>(score[NUMBER], a_step, b_step);
        else
            MULTIPLY<1>(score[NUMBER], a_step, b_step);
    }
}
//@FINISH
}
