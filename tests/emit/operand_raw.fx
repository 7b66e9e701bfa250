// Operands of mma.sync that are computed: cp.async brings what they load to a place of the thread, stages
// ahead, and it computes the next tile from there while the last one is multiplied. What all of k shares
// is loaded when it is needed.
// run: fusec %s -D M=64 --target=cuda --arch=sm_80 -o %t.cu
// run: grep -E "raw_|_copy|ready|convert|scale\[" %t.cu
fn linear[M, N](x: bf16[M, 4096], w: i8[N, 4096], scale: f32[N]) -> (y: bf16[M, N]) {
    y = x @ ((w as f32 * scale[:, None]) as bf16).T;
}
// ---- expect
//     constexpr int copied_bytes = a_bytes, raw_w = copied_bytes;
//     constexpr int stage_bytes = raw_w + 8192, ready_bytes = products * b_bytes;
//                 cp_async_part<8>((signed char *)(slot + raw_w + (item * 128 + thread) * 8),
//     const auto convert = [&](int tile, int part_of_tile, int parts) {
//         unsigned char *const ready = shared + stages * stage_bytes + tile % 2 * ready_bytes;
//                     const auto *const w_copy =
//                         (const signed char *)(slot + raw_w + (item * 128 + thread) * 8);
//                     const Pack<signed char, VEC> w_pack = load_pack<VEC>(w_copy);
//                         const float scale_1 = scale[at_n];
//                 store_pack((bf16 *)(ready + swizzled<64>(row, chunk)), elements);
//                             const float scale_1 = scale[at_n];
//                 store_pack((bf16 *)(ready + swizzled<64>(row, chunk)), elements);
//         const unsigned char *const ready = shared + stages * stage_bytes + tile % 2 * ready_bytes;
//         const auto *const b_from = ready + swizzled<k_bytes>(
//     convert(0, 0, 1);
//             if (step < steps - 1 && tile + 1 < tiles_k) convert(tile + 1, step, steps - 1);
