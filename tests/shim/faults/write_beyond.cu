// Off by one: <= where < is meant.
// tensors: input x f32[100], output y f32[100]
// expect: error: out of bounds: writes 4 bytes at y[100], which has 100 elements
extern "C" __global__ __launch_bounds__(64) void copy(const float *x, float *y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i <= 100) y[i] = x[i % 100];
}
extern "C" int run(void *x, void *y) {
    copy<<<2, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
