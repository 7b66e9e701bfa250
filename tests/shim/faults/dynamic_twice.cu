// No fault: dynamic shared memory after a launch without.
// tensors: input x f32[32], output y f32[32]
// expect: ok
extern "C" __global__ __launch_bounds__(32) void turned(const float *x, float *y, bool turns) {
    extern __shared__ float row[];
    const int t = threadIdx.x;
    if (!turns) return;
    row[t] = x[t];
    __syncthreads();
    y[t] = row[31 - t];
}
extern "C" int run(void *x, void *y) {
    turned<<<1, 32, 0, 0>>>((const float *)x, (float *)y, false);
    turned<<<1, 32, 128, 0>>>((const float *)x, (float *)y, true);
    return 0;
}
