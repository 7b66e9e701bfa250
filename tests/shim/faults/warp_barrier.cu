// No fault: __syncwarp orders what the threads of a warp do; the shuffle has all of them.
// tensors: input x f32[64], output y f32[64]
// expect: ok
extern "C" __global__ __launch_bounds__(64) void rotate(const float *x, float *y) {
    __shared__ float tile[2][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    tile[warp][lane] = x[threadIdx.x];
    __syncwarp();
    float next = tile[warp][(lane + 1) % 32];
    __syncwarp();
    tile[warp][lane] = __shfl_xor_sync(0xffffffffu, next, 1);
    y[threadIdx.x] = tile[warp][lane];
}
extern "C" int run(void *x, void *y) {
    rotate<<<1, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
