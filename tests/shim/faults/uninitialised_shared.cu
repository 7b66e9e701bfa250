// One element of shared memory is read that nobody wrote, in the second block.
// tensors: input x f32[66], output y f32[66]
// expect: error: uninitialised: reads 4 bytes at tile[63], which nothing has written
// expect: in kernel reverse, block 1, thread 0
extern "C" __global__ __launch_bounds__(64) void reverse(const float *x, float *y) {
    __shared__ float tile[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (i < 66) tile[t] = x[i];
    __syncthreads();
    float mirrored = tile[63 - t];
    if (i < 66) y[i] = mirrored;
}
extern "C" int run(void *x, void *y) {
    reverse<<<2, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
