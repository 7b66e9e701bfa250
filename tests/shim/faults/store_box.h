/* store_box.h: a warp fills two boxes of 8 rows of 128 bytes in turn, and TMA stores each, four in
 * all. What a fault leaves out is a macro: */
#ifndef FENCED
#define FENCED fence_proxy_async()
#endif
#ifndef FILLED
#define FILLED __syncwarp()
#endif
#ifndef READ
#define READ if (lane == 0) tma_store_wait<1>()
#endif
#ifndef FREE
#define FREE __syncwarp()
#endif
#ifndef ENDED
#define ENDED if (lane == 0) tma_store_wait<0>()
#endif
#ifndef BOX
#define BOX slots + box * 1024
#endif

extern "C" __global__ __launch_bounds__(32)
void stores(const __grid_constant__ TensorMap map, const bf16 *x) {
    extern __shared__ __align__(1024) unsigned char slots[];
    const int lane = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        const int box = i % 2;
        READ;
        FREE;
        for (int item = lane; item < 64; item += 32)
            store_pack((bf16 *)(slots + box * 1024 + swizzled<128>(item / 8, item % 8)),
                       load_pack<8>(x + 512 * i + 8 * item));
        FENCED;
        FILLED;
        if (lane == 0) tma_store(&map, BOX, 0, 8 * i, 0);
    }
    ENDED;
}

extern "C" int run(void *x, void *y) {
    TensorMap map = {};
    if (tensor_map(&map, MAP_BF16, y, {64, ROWS, 1}, {128, 128}, 64, 8)) return 1;
    stores<<<1, 32, 2048, 0>>>(map, (const bf16 *)x);
    return 0;
}
