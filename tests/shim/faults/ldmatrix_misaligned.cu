// A row that starts in the middle of a chunk.
// tensors: input x f32[1024], output y f32[512]
// expect: error: misaligned: reads 16 bytes at tile
#include "prelude.cuh"
extern "C" __global__ __launch_bounds__(32) void copies(const float *x, float *y) {
    __shared__ __align__(128) unsigned char tile[2][16 * 64];
    const int lane = threadIdx.x;
    for (int stage = 0; stage < 2; stage++) {
        for (int l = lane; l < 64; l += 32)
            cp_async(tile[stage] + swizzled<64>(l / 4, l % 4),
                       x + stage * 256 + l * 4, stage == 0 || l < 48);
        cp_async_commit();
    }
    for (int stage = 0; stage < 2; stage++) {
        if (stage == 0)
            cp_async_wait<1>();
        else
            cp_async_wait<0>();
        __syncwarp();
        unsigned r[4];
        ldmatrix_x4(r[0], r[1], r[2], r[3], tile[stage] + swizzled<64>(lane % 16, lane / 16) + 8);
        for (int i = 0; i < 4; i++) {
            const int row = lane / 4 + i % 2 * 8, col = lane % 4 + i / 2 * 4;
            const int at = (stage * 16 + row) * 16 + col;
            const bool inside = stage == 0 || row < 12;
            if (r[i] != (inside ? float_bits(x[at]) : 0)) __trap();
            y[at] = bits_float(r[i]);
            y[at + 8] = 0;
        }
    }
}
extern "C" int run(void *x, void *y) {
    copies<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
