/* prefetch.h: a block brings a box to L2 and copies its elements. What a fault leaves out is a
 * macro: */
#ifndef MADE
#define MADE tensor_map(&map, MAP_BF16, x, {64, 16, 1}, {128, 128}, 64, 16)
#endif

extern "C" __global__ __launch_bounds__(64)
void copies(const __grid_constant__ TensorMap map, const bf16 *x, bf16 *y) {
    if (threadIdx.x == 0) tma_prefetch(&map, 0, 0, 0);
    for (int i = threadIdx.x; i < 1024; i += 64) y[i] = x[i];
}

extern "C" int run(void *x, void *y) {
    TensorMap map = {};
    if (MADE) return 1;
    copies<<<1, 64, 0, 0>>>(map, (const bf16 *)x, (bf16 *)y);
    return 0;
}
