// The second round overwrites what slow threads of the first still read.
// tensors: input x f32[128], output y f32[128]
// expect: barrier_after_use.cu:10: error: race: reads 4 bytes at tile[31], which thread 31 wrote at barrier_after_use.cu:8 with no barrier in between
extern "C" __global__ __launch_bounds__(64) void rounds(const float *x, float *y) {
    __shared__ float tile[64];
    const int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        tile[t] = x[i * 64 + t];
        __syncthreads();
        y[i * 64 + t] = tile[63 - t];
    }
}
extern "C" int run(void *x, void *y) {
    rounds<<<1, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
