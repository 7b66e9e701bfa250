// No fault: atomic additions need no barrier.
// tensors: input x i32[64], output y i32[32]
// workspace: 256
// expect: ok
extern "C" __global__ void clear(int *sum) { sum[threadIdx.x] = 0; }
extern "C" __global__ __launch_bounds__(32) void add(const int *x, int *sum) {
    atomicAdd(&sum[threadIdx.x % 4], x[blockIdx.x * 32 + threadIdx.x]);
}
extern "C" __global__ __launch_bounds__(32) void copy(const int *sum, int *y) {
    y[threadIdx.x] = sum[threadIdx.x % 4];
}
extern "C" int run(void *x, void *y, void *workspace) {
    clear<<<1, 4, 0, 0>>>((int *)workspace);
    add<<<2, 32, 0, 0>>>((const int *)x, (int *)workspace);
    copy<<<1, 32, 0, 0>>>((const int *)workspace, (int *)y);
    return 0;
}
