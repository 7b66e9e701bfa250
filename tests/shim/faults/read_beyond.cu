// Off by one: the last thread reads behind the input.
// tensors: input x f32[100], output y f32[100]
// expect: read_beyond.cu:7: error: out of bounds: reads 4 bytes at x[100], which has 100 elements
// expect: in kernel next, block 1, thread 35
extern "C" __global__ __launch_bounds__(64) void next(const float *x, float *y) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 100) y[i] = x[i + 1];
}
extern "C" int run(void *x, void *y) {
    next<<<2, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
