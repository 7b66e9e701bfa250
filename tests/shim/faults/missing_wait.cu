// The last group is read while it is on its way.
// tensors: input x f32[64], output y f32[64]
// expect: error: not waited for: reads 4 bytes at tile[32], where an asynchronous copy of thread 0 is on its way
static __device__ void fetch(float *to, const float *from) {
    __pipeline_memcpy_async(to, from, 4);
    __pipeline_commit();
}
extern "C" __global__ __launch_bounds__(32) void stages(const float *x, float *y) {
    __shared__ float tile[2][32];
    const int t = threadIdx.x;
    for (int i = 0; i < 2; i++) fetch(&tile[i][t], x + i * 32 + t);
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = 0; i < 2; i++) y[i * 32 + t] = tile[i][t];
}
extern "C" int run(void *x, void *y) {
    stages<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
