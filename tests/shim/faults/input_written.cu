// An input is changed.
// tensors: input x f32[32], output y f32[32]
// expect: error: writes 4 bytes at x[0], an input
extern "C" __global__ __launch_bounds__(32) void copy(float *x, float *y) {
    y[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = 0;
}
extern "C" int run(void *x, void *y) {
    copy<<<1, 32, 0, 0>>>((float *)x, (float *)y);
    return 0;
}
