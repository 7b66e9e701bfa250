// Equal products by TMA: each launch makes maps of its own tensors.
// run: fusec %s --arch=sm_90a -o %t.cu
// run: grep -E "__global__|tensor_map\(|^ *(/\* )?layers_[0-9][ <]" %t.cu
fn layers[N](
    x: bf16[N, 4096],
    w_1: bf16[4096, 4096],
    w_2: bf16[4096, 4096],
    w_3: bf16[4096, 4096],
    w_4: bf16[4096, 4096]
) -> (y: bf16[N, 4096]) {
    assert N >= 4096;
    x_1 = tanh(x @ w_1.T) as bf16;
    x_2 = tanh(x_1 @ w_2.T) as bf16;
    x_3 = tanh(x_2 @ w_3.T) as bf16;
    y = tanh(x_3 @ w_4.T);
}
// ---- expect
// [[maybe_unused]] static cudaError_t tensor_map(TensorMap *map, MapType type, const void *at,
// extern "C" __global__ __launch_bounds__(384, 1)
//         status = tensor_map(&x_map, MAP_BF16, x, {4096, N, 1}, {8192, 8192}, 64, 128);
//         status = tensor_map(&w_1_map, MAP_BF16, w_1_, {4096, 4096, 1}, {8192, 8192}, 64, 128);
//         status = tensor_map(&x_1_map, MAP_BF16, x_1_, {4096, N, 1}, {8192, 8192}, 64, 16);
//         layers_0<<<persistent_blocks(ceil_div(N, 128) * 32), 384, layers_0_shared, stream>>>(
//         /* layers_1 */
//         status = tensor_map(&x_map, MAP_BF16, x_1_, {4096, N, 1}, {8192, 8192}, 64, 128);
//         status = tensor_map(&w_1_map, MAP_BF16, w_2_, {4096, 4096, 1}, {8192, 8192}, 64, 128);
//         status = tensor_map(&x_1_map, MAP_BF16, x_2_, {4096, N, 1}, {8192, 8192}, 64, 16);
//         layers_0<<<persistent_blocks(ceil_div(N, 128) * 32), 384, layers_0_shared, stream>>>(
//         /* layers_2 */
//         status = tensor_map(&x_map, MAP_BF16, x_2_, {4096, N, 1}, {8192, 8192}, 64, 128);
//         status = tensor_map(&w_1_map, MAP_BF16, w_3_, {4096, 4096, 1}, {8192, 8192}, 64, 128);
//         status = tensor_map(&x_1_map, MAP_BF16, x_3_, {4096, N, 1}, {8192, 8192}, 64, 16);
//         layers_0<<<persistent_blocks(ceil_div(N, 128) * 32), 384, layers_0_shared, stream>>>(
//         /* layers_3 */
//         status = tensor_map(&x_map, MAP_BF16, x_3_, {4096, N, 1}, {8192, 8192}, 64, 128);
//         status = tensor_map(&w_1_map, MAP_BF16, w_4_, {4096, 4096, 1}, {8192, 8192}, 64, 128);
//         status = tensor_map(&x_1_map, MAP_BF16, y, {4096, N, 1}, {8192, 8192}, 64, 16);
//         layers_0<<<persistent_blocks(ceil_div(N, 128) * 32), 384, layers_0_shared, stream>>>(
