// A barrier of half a warp orders nothing for the other half.
// tensors: input x f32[32], output y f32[32]
// expect: warp_barrier_of_half.cu:10: error: race: reads 4 bytes at tile[15], which thread 15 wrote at warp_barrier_of_half.cu:7 with no barrier in between
extern "C" __global__ __launch_bounds__(32) void halves(const float *x, float *y) {
    __shared__ float tile[32];
    const int t = threadIdx.x;
    tile[t] = x[t];
    if (t < 16) __syncwarp(0x0000ffffu);
    if (t >= 16) __syncwarp(0xffff0000u);
    y[t] = tile[t % 16];
}
extern "C" int run(void *x, void *y) {
    halves<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
