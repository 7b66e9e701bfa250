/* cluster_loads.h: each block of a cluster of two puts numbers into its shared memory, where the other
 * reads them. What a fault leaves out, or has too much, is a macro: */
#ifndef PUT
#define PUT cluster_sync()
#endif
#ifndef FIRST
#define FIRST 0
#endif

extern "C" __global__ __cluster_dims__(2, 1, 1) __launch_bounds__(32)
void reads(const float *x, float *y) {
    __shared__ __align__(16) float own[8];
    if (threadIdx.x < 8) own[threadIdx.x] = x[8 * blockIdx.x + threadIdx.x];
    PUT;
    if (threadIdx.x == 0) store_pack(y + 4 * blockIdx.x, load_pack_at(own + FIRST, 1 - blockIdx.x % 2));
    cluster_sync(); /* until here the other block reads */
}

extern "C" int run(const void *x, void *y) {
    reads<<<2, 32, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
