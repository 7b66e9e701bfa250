// Operands that producers compute for wgmma: packs of what they are computed from are read before any of
// them is stored, and an operand that is read as it is comes by TMA.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: grep -E "mbarrier_init.full|expect_tx|cp_async.*copies|_read.item. =|store_pack..bf16|pack_part<|raw_bytes =" %t.cu
fn scaled[M](x: bf16[M, 4096], s: f32[M], w: bf16[128, 4096]) -> (y: f32[M, 128]) {
    y = ((x as f32 * s[:, None]) as bf16) @ w.T;
}

fn weights(x: bf16[100, 4096], w: u8[8192, 2048], s: f32[8192, 32]) -> (y: bf16[100, 8192]) {
    pairs = concat((w % 16)[:, :, None], (w / 16)[:, :, None]);
    q = reshape(pairs, 8192, 32, 128) as f32 - 8;
    y = x @ (reshape(q * s[:, :, None], 8192, 4096) as bf16).T;
}
// ---- expect
// DEVICE void mbarrier_arrive_expect_tx(Mbarrier *barrier, int bytes) {
//     asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
//             mbarrier_init(full + i, wide ? 5 : 4); /* of producers */
//         constexpr int raw_bytes = raw_x + 16384;
//                         cp_async(copies + raw_x + (item * 128 + thread) * 16,
//                     mbarrier_arrive_expect_tx(arrival, b_bytes);
//                         x_read[item] = load_pack<8>((const bf16 *)(copies + raw_x +
//                         store_pack((bf16 *)(slot + swizzled<128>(row, chunk)), elements);
//                         store_pack((bf16 *)(slot + swizzled<128>(row, chunk)), elements);
//             mbarrier_init(full + i, wide ? 5 : 4); /* of producers */
//         constexpr int raw_bytes = raw_w + 2048;
//                         cp_async(copies + raw_w + (item * 128 + thread) * 16,
//                     mbarrier_arrive_expect_tx(arrival, a_bytes);
//                         w_read[item] = load_pack<16>((const unsigned char *)(copies + raw_w +
//                             store_pack((bf16 *)(slot + a_bytes +
//                                        pack_part<8>(elements, part));
//                             store_pack((bf16 *)(slot + a_bytes +
//                                        pack_part<8>(elements, part));
//                         store_pack((bf16 *)to, y_pack);
