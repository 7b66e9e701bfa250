// An offset that does not fit its type.
// tensors: input x f32[32], output y f32[32]
// expect: overflow.cu:5: error: undefined: an index beyond
extern "C" __global__ __launch_bounds__(32) void copy(const float *x, float *y, int large) {
    y[threadIdx.x] = x[(int)threadIdx.x * large % 32];
}
extern "C" int run(void *x, void *y) {
    copy<<<1, 32, 0, 0>>>((const float *)x, (float *)y, 0x40000000);
    return 0;
}
