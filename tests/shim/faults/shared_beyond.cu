// An index beyond a row of a shared array, but not beyond the array.
// tensors: input x f32[32], output y f32[32]
// expect: shared_beyond.cu:7: error: undefined: an index beyond
extern "C" __global__ __launch_bounds__(32) void rows(const float *x, float *y) {
    __shared__ float tile[4][8];
    const int t = threadIdx.x;
    tile[t / 9][t % 9] = x[t];
    __syncthreads();
    y[t] = tile[t / 8][t % 8];
}
extern "C" int run(void *x, void *y) {
    rows<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
