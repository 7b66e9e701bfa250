// A thread overwrites what others have read, with no barrier in between: the other order of a race.
// tensors: input x f32[64], output y f32[64]
// expect: late_write.cu:10: error: race: writes 4 bytes at first, which thread 31 read at late_write.cu:9 with no barrier in between
extern "C" __global__ __launch_bounds__(64) void late(const float *x, float *y) {
    __shared__ float first;
    const int t = threadIdx.x;
    if (t == 0) first = x[0];
    __syncthreads();
    y[t] = x[t] + first;
    if (t == 63) first = 0;
}
extern "C" int run(void *x, void *y) {
    late<<<1, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
