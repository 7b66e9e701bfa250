/* cluster.h: two blocks of a cluster, each of which loads half of a box into both, twice, and adds
 * up what it has. What a fault leaves out is a macro: */
#ifndef STARTED
#define STARTED cluster_sync()
#endif
#ifndef RELEASED
#define RELEASED if (threadIdx.x < 2) mbarrier_arrive_at(empty, threadIdx.x)
#endif
#ifndef ENDED
#define ENDED cluster_sync()
#endif

extern "C" __global__ __cluster_dims__(2, 1, 1) __launch_bounds__(64)
void shares(const __grid_constant__ TensorMap map, float *y) {
    enum { HALF = 8 * 128 };
    extern __shared__ __align__(1024) unsigned char slots[];
    Mbarrier *const full = (Mbarrier *)(slots + 2 * HALF), *const empty = full + 1;
    const int rank = blockIdx.x % 2, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        mbarrier_init(full, 1);
        mbarrier_init(empty, 2);
        fence_mbarrier_init();
    }
    STARTED;
    if (threadIdx.x < 32) {
        float sum = 0;
        for (int round = 0; round < 2; round++) {
            mbarrier_wait(full, round);
            for (int row = 0; row < 16; row++)
                for (int i = 0; i < 2; i++) {
                    const int k = 2 * lane + i;
                    sum += from_bf16(((bf16 *)(slots + swizzled<128>(row, k / 8)))[k % 8]);
                }
            __syncwarp();
            RELEASED;
        }
        y[32 * blockIdx.x + lane] = sum;
    } else if (lane == 0) {
        for (int round = 0; round < 2; round++) {
            mbarrier_wait(empty, round ^ 1);
            mbarrier_arrive_expect_tx(full, 2 * HALF);
            tma_load_multicast(slots + rank * HALF, &map, full, 0, 8 * rank, 0, 3);
        }
    }
    ENDED;
}

extern "C" int run(void *x, void *y) {
    TensorMap map = {};
    if (tensor_map(&map, MAP_BF16, x, {64, 16, 1}, {128, 128}, 64, 8)) return 1;
    shares<<<BLOCKS, 64, 2 * 8 * 128 + 16, 0>>>(map, (float *)y);
    return 0;
}
