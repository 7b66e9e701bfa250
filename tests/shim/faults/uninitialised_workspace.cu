// The second kernel reads more than the first one left.
// tensors: input x f32[64], output y f32[64]
// workspace: 256
// expect: error: uninitialised: reads 4 bytes at workspace[63], which nothing has written
// expect: in kernel second, block 0, thread 0
extern "C" __global__ void first(const float *x, float *between) {
    if (threadIdx.x < 63) between[threadIdx.x] = x[threadIdx.x];
}
extern "C" __global__ void second(const float *between, float *y) {
    y[threadIdx.x] = between[63 - threadIdx.x];
}
extern "C" int run(void *x, void *y, void *workspace) {
    first<<<1, 64, 0, 0>>>((const float *)x, (float *)workspace);
    second<<<1, 64, 0, 0>>>((const float *)workspace, (float *)y);
    return 0;
}
