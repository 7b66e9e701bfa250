// A block reads what another block of the same launch writes.
// tensors: input x f32[64], output y f32[64]
// workspace: 256
// expect: blocks_race.cu:7: error: race: reads 4 bytes at workspace[0], which thread 0 of block 0 wrote at blocks_race.cu:6 with no barrier in between
extern "C" __global__ __launch_bounds__(32) void chain(const float *x, float *between, float *y) {
    if (blockIdx.x == 0) between[threadIdx.x] = x[threadIdx.x];
    y[blockIdx.x * 32 + threadIdx.x] = between[threadIdx.x];
}
extern "C" int run(void *x, void *y, void *workspace) {
    chain<<<2, 32, 0, 0>>>((const float *)x, (float *)workspace, (float *)y);
    return 0;
}
