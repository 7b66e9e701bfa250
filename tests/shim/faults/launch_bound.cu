// More threads than the kernel is bound to.
// tensors: input x f32[64], output y f32[64]
// expect: error: launch of copy with 64 threads, but it is bound to 32
extern "C" __global__ __launch_bounds__(32) void copy(const float *x, float *y) {
    y[threadIdx.x] = x[threadIdx.x];
}
extern "C" int run(void *x, void *y) {
    copy<<<1, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
