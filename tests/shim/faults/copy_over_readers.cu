// A stage is filled again while others may still read it.
// tensors: input x f32[64], output y f32[64]
// expect: copy_over_readers.cu:12: error: race: reads 4 bytes at tile[15], which thread 15 wrote at copy_over_readers.cu:8 with no barrier in between
extern "C" __global__ __launch_bounds__(32) void stages(const float *x, float *y) {
    __shared__ float tile[32];
    const int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&tile[t], x + i * 32 + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        y[i * 32 + t] = tile[31 - t];
    }
}
extern "C" int run(void *x, void *y) {
    stages<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
