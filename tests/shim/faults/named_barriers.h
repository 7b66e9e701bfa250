/* named_barriers.h: two warps that take turns: the first stores, the second reads what it stored. What
 * a fault changes is a macro: */
#ifndef COUNT
#define COUNT 64
#endif
#ifndef TURN
#define TURN named_wait(1, 64)
#endif

extern "C" __global__ __launch_bounds__(64) void turns(const float *x, float *y) {
    __shared__ float passed[32];
    const int lane = threadIdx.x % 32;
    for (int round = 0; round < 2; round++) {
        if (threadIdx.x < 32) {
            if (round) named_wait(2, 64);
            passed[lane] = x[32 * round + lane];
            named_arrive(1, COUNT);
        } else {
            TURN;
            y[32 * round + lane] = passed[lane];
            if (!round) named_arrive(2, 64);
        }
    }
}

extern "C" int run(void *x, void *y) {
    turns<<<1, 64, 0, 0>>>((const float *)x, (float *)y);
    return 0;
}
