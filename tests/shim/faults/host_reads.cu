// The host reads device memory.
// tensors: input x f32[32], output y f32[32]
// expect: host_reads.cu:8: error: the host reads x
extern "C" __global__ __launch_bounds__(32) void fill(float value, float *y) {
    y[threadIdx.x] = value;
}
extern "C" int run(void *x, void *y) {
    fill<<<1, 32, 0, 0>>>(*(const float *)x, (float *)y);
    return 0;
}
