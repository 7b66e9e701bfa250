// A thread writes its element twice.
// tensors: input x f32[32], output y f32[32]
// expect: second_write_by_itself.cu:6: error: written twice: writes 4 bytes at y[0], which thread 0 wrote at second_write_by_itself.cu:5
extern "C" __global__ __launch_bounds__(32) void copy(const float *x, float *y) {
    y[threadIdx.x] = 0;
    y[threadIdx.x] = x[threadIdx.x];
}
extern "C" int run(void *x, void *y) {
    copy<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
