// A store through an intrinsic, in an inlined function: the message names where it is called.
// tensors: input x f32[30], output y f32[30]
// expect: streamed_beyond.cu:5: error: out of bounds: writes 16 bytes at y[28], which has 30 elements
// expect: called from fill, streamed_beyond.cu:8
static __device__ __forceinline__ void put(float *y, float4 x) { __stcs((float4 *)y, x); }
extern "C" __global__ __launch_bounds__(8) void fill(float *y) {
    const float4 zero = make_float4(0, 0, 0, 0);
    put(y + 4 * threadIdx.x, zero);
}
extern "C" int run(void *x, void *y) {
    (void)x;
    fill<<<1, 8, 0, 0>>>((float *)y);
    return 0;
}
