// Dynamic shared memory that the launch did not open.
// tensors: input x f32[32], output y f32[32]
// expect: dynamic_beyond.cu:7: error: out of bounds: writes 4 bytes at buffer[31], which has 31 elements
extern "C" __global__ __launch_bounds__(32) void reverse(const float *x, float *y) {
    extern __shared__ float buffer[];
    const int t = threadIdx.x;
    buffer[t] = x[t];
    __syncthreads();
    y[t] = buffer[31 - t];
}
extern "C" int run(void *x, void *y) {
    reverse<<<1, 32, 31 * sizeof(float), 0>>>((const float *)x, (float *)y);
    return 0;
}
