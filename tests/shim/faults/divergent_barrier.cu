// A barrier that half of the block never comes to.
// tensors: input x f32[64], output y f32[64]
// expect: divergent_barrier.cu:7: error: divergent barrier: thread 0 waits at the barrier of divergent_barrier.cu:7, but thread 32 has ended
extern "C" __global__ __launch_bounds__(64) void half(const float *x, float *y) {
    const int t = threadIdx.x;
    y[t] = x[t];
    if (t < 32) __syncthreads();
}
extern "C" int run(void *x, void *y) {
    half<<<1, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
