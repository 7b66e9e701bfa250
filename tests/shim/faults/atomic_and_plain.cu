// An atomic addition and a plain write of the same element.
// tensors: input x i32[32], output y i32[31]
// workspace: 4
// expect: atomic_and_plain.cu:7: error: race: writes 4 bytes at workspace, which thread 30 wrote at atomic_and_plain.cu:8 with no barrier in between
extern "C" __global__ void clear(int *sum) { *sum = 0; }
extern "C" __global__ __launch_bounds__(32) void add(const int *x, int *sum, int *y) {
    if (threadIdx.x == 31) *sum = 0;
    else y[threadIdx.x] = atomicAdd(sum, x[threadIdx.x]);
}
extern "C" int run(void *x, void *y, void *workspace) {
    clear<<<1, 1, 0, 0>>>((int *)workspace);
    add<<<1, 32, 0, 0>>>((const int *)x, (int *)workspace, (int *)y);
    return 0;
}
