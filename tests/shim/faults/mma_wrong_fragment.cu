// The columns of d are taken for those of a register order that it does not have.
// tensors: output y f32[128]
// expect: error: trap
#include "prelude.cuh"
DEVICE unsigned short left(int m, int k) { return to_bf16((float)(m * 3 + k % 5 - 7)).bits; }
DEVICE unsigned short right(int n, int k) { return to_bf16((float)(n - k * 2 % 9)).bits; }
extern "C" __global__ __launch_bounds__(32) void product(float *y) {
    __shared__ __align__(16) unsigned short a[16 * 16], b[8 * 16];
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    for (int i = lane; i < 16 * 16; i += 32) a[i] = left(i / 16, i % 16);
    for (int i = lane; i < 8 * 16; i += 32) b[i] = right(i / 16, i % 16);
    __syncwarp();
    unsigned p[4], q[2];
    float d[4] = {};
    ldmatrix_x4(p[0], p[1], p[2], p[3], a + lane % 16 * 16 + lane / 16 * 8);
    ldmatrix_x2(q[0], q[1], b + lane % 8 * 16 + lane / 8 % 2 * 8);
    mma_bf16(d, p, q);
    for (int i = 0; i < 4; i++) {
        const int m = g + i / 2 * 8, n = t + i % 2 * 4;
        float sum = 0;
        for (int k = 0; k < 16; k++) sum += from_bf16({left(m, k)}) * from_bf16({right(n, k)});
        if (d[i] != sum) __trap();
        y[m * 8 + 2 * t + i % 2] = d[i];
    }
}
extern "C" int run(void *y) {
    product<<<1, 32, 0, 0>>>((float *)y);
    return 0;
}
