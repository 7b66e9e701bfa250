// Threads wait at barriers of the same function, called at two places.
// tensors: input x f32[64], output y f32[64]
// expect: error: divergent barrier: thread 0 waits at the barrier of two_barriers.cu:5, but thread 33 waits at the barrier of two_barriers.cu:5
// expect: called from either, two_barriers.cu:9
static __device__ void meet() { __syncthreads(); }
extern "C" __global__ __launch_bounds__(64) void either(const float *x, float *y) {
    const int t = threadIdx.x;
    y[t] = x[t];
    if (t <= 32) meet();
    else meet();
}
extern "C" int run(void *x, void *y) {
    either<<<1, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
