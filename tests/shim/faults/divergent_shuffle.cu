// A shuffle of the whole warp, in a branch that some of it does not take.
// tensors: input x f32[32], output y f32[32]
// expect: divergent_shuffle.cu:7: error: divergent warp operation: thread 0 waits for its warp at divergent_shuffle.cu:7, but thread 20 has ended
extern "C" __global__ __launch_bounds__(32) void sum(const float *x, float *y) {
    const int t = threadIdx.x;
    float value = x[t];
    if (t < 20) value += __shfl_xor_sync(0xffffffffu, value, 1);
    y[t] = value;
}
extern "C" int run(void *x, void *y) {
    sum<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
