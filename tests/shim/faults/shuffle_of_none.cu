// A shuffle from a lane that is not in the mask.
// tensors: input x f32[32], output y f32[32]
// expect: error: shuffle reads lane 16, which does not take part
extern "C" __global__ __launch_bounds__(32) void sum(const float *x, float *y) {
    const int t = threadIdx.x;
    float value = x[t];
    if (t < 16) value += __shfl_down_sync(0x0000ffffu, value, 1);
    y[t] = value;
}
extern "C" int run(void *x, void *y) {
    sum<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
