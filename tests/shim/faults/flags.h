/* flags.h: the first block passes values to the second, with a flag. What a fault changes is a macro: */
#ifndef STORED
#define STORED __syncwarp()
#endif
#ifndef SET
#define SET flag_set(flag)
#endif
#ifndef WAITED
#define WAITED __syncwarp()
#endif
#ifndef CLEAR
#define CLEAR cudaMemsetAsync(workspace, 0, 4, 0)
#endif
#ifndef FIRST
#define FIRST 0
#endif

extern "C" __global__ __launch_bounds__(32) void pass(const float *x, unsigned *flag, float *between,
                                                      float *y) {
    if (blockIdx.x == FIRST) {
        between[threadIdx.x] = x[threadIdx.x];
        STORED;
        if (threadIdx.x == 0) SET;
    } else {
        if (threadIdx.x == 0) flag_wait(flag);
        WAITED;
        y[threadIdx.x] = between[threadIdx.x];
    }
}

extern "C" int run(void *x, void *y, void *workspace) {
    CLEAR;
    pass<<<2, 32, 0, 0>>>((const float *)x, (unsigned *)workspace, (float *)workspace + 64, (float *)y);
    return 0;
}
