/* chain_wgmma_weights.cu: chain_wgmma.cu's weights, of its scores. */
#include "prelude.cuh"
#define OUTS 1
__device__ void alone(const float (*score)[32], unsigned (*weight)[16]) {
    constexpr int tile_n = 64;
//@BEGIN
#pragma unroll
for (int j = 0; j < tile_n / 8; j++)
#pragma unroll
    for (int half = 0; half < 2; half++) {
        float two[OUTS][2];
#pragma unroll
        for (int part = 0; part < 2; part++) {
            //@HOLE WEIGHT_AT
            //@HOLE WEIGHTS
        }
        //@HOLE PACK_WEIGHTS
    }
//@FINISH
}
