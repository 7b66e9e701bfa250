// Whole packs where the size is no multiple of them.
// tensors: input x f32[30], output y f32[30]
// expect: pack_beyond.cu:6: error: out of bounds: writes 16 bytes at y[28], which has 30 elements
extern "C" __global__ __launch_bounds__(32) void copy(const float *x, float *y) {
    const int i = 4 * threadIdx.x;
    if (i < 30) *(float4 *)(y + i) = *(const float4 *)(x + i);
}
extern "C" int run(void *x, void *y) {
    copy<<<1, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
