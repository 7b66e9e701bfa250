// A thread reads what another one writes, with no barrier between the two.
// tensors: input x f32[64], output y f32[64]
// expect: missing_barrier.cu:10: error: race: reads 4 bytes at tile[0], which thread 0 wrote at missing_barrier.cu:9 with no barrier in between
// expect: in kernel shift, block 0, thread 1
extern "C" __global__ __launch_bounds__(64) void shift(const float *x, float *y) {
    __shared__ float tile[65];
    const int t = threadIdx.x;
    if (t == 63) tile[64] = x[0];
    tile[t] = x[t];
    if (t > 0) y[t] = tile[t - 1];
    __syncthreads();
    if (t == 0) y[0] = tile[64];
}
extern "C" int run(void *x, void *y) {
    shift<<<1, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
