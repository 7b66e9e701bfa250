// No fault: two stages of asynchronous copies, waited for before they are read.
// tensors: input x f32[128], output y f32[128]
// expect: ok
static __device__ void fetch(float *to, const float *from) {
    __pipeline_memcpy_async(to, from, 4);
    __pipeline_commit();
}
extern "C" __global__ __launch_bounds__(32) void stages(const float *x, float *y) {
    __shared__ float tile[2][32];
    const int t = threadIdx.x;
    fetch(&tile[0][t], x + t);
    for (int i = 0; i < 4; i++) {
        if (i < 3) fetch(&tile[(i + 1) % 2][t], x + (i + 1) * 32 + t);
        __pipeline_wait_prior(i < 3 ? 1 : 0);
        __syncthreads();
        y[i * 32 + t] = tile[i % 2][31 - t];
        __syncthreads();
    }
}
extern "C" int run(void *x, void *y) {
    stages<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
