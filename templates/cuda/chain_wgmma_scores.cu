/* chain_wgmma_scores.cu: one product of chain_wgmma.cu's scores. */
#define NUMBER 0
#define LEFT left
#define RIGHT stage
#define MULTIPLY multiply
__device__ void multiply(float (&sum)[32], unsigned long long a, unsigned long long b);
__device__ unsigned long long wgmma_descriptor(const void *at, int next);
__device__ void alone(const unsigned char *left, const unsigned char *stage, int group,
                      float (*score)[32]) {
//@BEGIN
{
    const auto a = wgmma_descriptor(LEFT + group * (64 * 128), 1024);
    const auto b = wgmma_descriptor(RIGHT, 1024);
    MULTIPLY(score[NUMBER], a, b);
}
//@FINISH
}
