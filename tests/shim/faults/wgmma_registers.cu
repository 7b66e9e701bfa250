// No fault: the left operand in registers, the right one with rows across; sums that start at 0.
// tensors: input x bf16[4096], output y f32[512]
// expect: ok
#include "prelude.cuh"

template <int ADDS>
DEVICE void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned long long b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, %8, %9, 1, 1, 1;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(ADDS));
}

extern "C" __global__ __launch_bounds__(128) void product(const bf16 *x, float *y) {
    extern __shared__ __align__(1024) unsigned char slot[];
    const int thread = threadIdx.x, g = thread / 4 % 8, t = thread % 4;
    for (int i = thread; i < 16 * 64; i += 128) { /* k, n */
        const int k = i / 64, n = i % 64;
        *((bf16 *)(slot + swizzled<128>(k, n / 8)) + n % 8) = x[k * 64 + n];
    }
    fence_proxy_async();
    __syncthreads();
    float sum[4] = {5, 5, 5, 5};
    unsigned a[4]; /* row m is 1 at k = m % 16 */
    for (int i = 0; i < 4; i++) {
        const int row = g + i % 2 * 8, k = 2 * t + i / 2 * 8;
        a[i] = to_bf16x2(row == k ? 1.0f : 0.0f, row == k + 1 ? 1.0f : 0.0f);
    }
    wgmma_fence();
    multiply<0>(sum, a, wgmma_descriptor(slot, 16 * 128));
    multiply<1>(sum, a, wgmma_descriptor(slot, 16 * 128));
    wgmma_commit();
    wgmma_wait<0>();
    for (int i = 0; i < 4; i++) {
        const int row = g + i / 2 * 8, n = 2 * t + i % 2, m = thread / 32 * 16 + row;
        if (sum[i] != 2 * from_bf16(x[row * 64 + n])) __trap();
        y[m * 8 + n] = sum[i];
    }
}

extern "C" int run(void *x, void *y) {
    product<<<1, 128, 16 * 128, 0>>>((const bf16 *)x, (float *)y);
    return 0;
}
