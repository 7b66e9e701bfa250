// Packs at an address that is no multiple of their size.
// tensors: input x f32[33], output y f32[32]
// expect: misaligned.cu:5: error: undefined: an index beyond
extern "C" __global__ __launch_bounds__(8) void copy(const float *x, float *y) {
    *(float4 *)(y + 4 * threadIdx.x) = *(const float4 *)(x + 1 + 4 * threadIdx.x);
}
extern "C" int run(void *x, void *y) {
    copy<<<1, 8, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
