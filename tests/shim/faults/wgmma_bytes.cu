// No fault: products of bytes, 32 along k, and of floats that are rounded to tf32, 8 along k.
// tensors: input x i8[4096], output y i32[1024]
// expect: ok
#include "prelude.cuh"

DEVICE void multiply(int (&sum)[8], unsigned long long a, unsigned long long b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1;"
                 : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3]), "+r"(sum[4]),
                   "+r"(sum[5]), "+r"(sum[6]), "+r"(sum[7])
                 : "l"(a), "l"(b));
}

DEVICE void multiply(float (&sum)[4], unsigned long long a, unsigned long long b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, "
                 "1, 1, 1;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) : "l"(a), "l"(b));
}

/* x has 64 rows; the first 16 are the right operand, too. */
extern "C" __global__ __launch_bounds__(128) void product(const signed char *x, int *y) {
    extern __shared__ __align__(1024) unsigned char slot[];
    const int thread = threadIdx.x, g = thread / 4 % 8, t = thread % 4;
    for (int i = thread; i < 64 * 32; i += 128) {
        const int row = i / 32, col = i % 32;
        slot[swizzled<128>(row, col / 16) + col % 16] = (unsigned char)x[row * 64 + col];
        if (col < 8)
            *((float *)(slot + swizzled<128>(row, 4 + col / 4)) + col % 4) = x[row * 64 + col] + 1e-4f;
    }
    fence_proxy_async();
    __syncthreads();
    int sum[8] = {};
    float real[4] = {};
    wgmma_fence();
    multiply(sum, wgmma_descriptor(slot, 16), wgmma_descriptor(slot, 16));
    multiply(real, wgmma_descriptor(slot + 64, 16), wgmma_descriptor(slot + 64, 16));
    wgmma_commit();
    wgmma_wait<0>();
    for (int i = 0; i < 8; i++) {
        const int m = thread / 32 * 16 + g + i % 4 / 2 * 8, n = i / 4 * 8 + 2 * t + i % 2;
        int want = 0, first = 0;
        for (int k = 0; k < 32; k++) {
            want += x[m * 64 + k] * x[n * 64 + k];
            if (k == 7) first = want;
        }
        if (sum[i] != want) __trap();
        if (i < 4 && (real[i] < first || real[i] > first + 1)) __trap();
        y[m * 16 + n] = sum[i];
    }
}

extern "C" int run(void *x, void *y) {
    product<<<1, 128, 64 * 128, 0>>>((const signed char *)x, (int *)y);
    return 0;
}
