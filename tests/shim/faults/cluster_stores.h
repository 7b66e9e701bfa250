/* cluster_stores.h: each block of a cluster of four gives a number to all of them, which add up what
 * they were given. What a fault leaves out is a macro: */
#ifndef STARTED
#define STARTED cluster_sync()
#endif
#ifndef GIVEN
#define GIVEN cluster_sync()
#endif

extern "C" __global__ __cluster_dims__(4, 1, 1) __launch_bounds__(32)
void gives(const float *x, float *y) {
    __shared__ float part[4];
    STARTED;
    if (threadIdx.x < 4) store_at(part + blockIdx.x % 4, threadIdx.x, x[blockIdx.x]);
    GIVEN;
    if (threadIdx.x == 0) y[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

extern "C" int run(const void *x, void *y) {
    gives<<<8, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
