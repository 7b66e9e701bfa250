// Rows of operands are no multiple of 16 bytes: their elements are copied as they are stored.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: grep -E "Not wgmma|elements.at|cp_async_part<" %t.cu
@precision(f8)
fn bytes[M, N](x: f8e4m3[M, 4100], w: f8e4m3[N, 4100]) -> (y: bf16[M, N]) {
    y = x @ w.T;
}

fn halves[M, N](x: bf16[M, 4101], w: bf16[N, 4101], s: f32[N]) -> (y: bf16[M, N]) {
    y = x @ w.T * s;
}

fn attend[N](q: bf16[4, 300, 66], k: bf16[4, N, 66], v: bf16[4, N, 66]) -> (o: bf16[4, 300, 66]) {
    o = softmax(q @ k.T) as bf16 @ v;
}
// ---- expect
//  * registers for each 128 x 64 tile, 128 of k in each of 4 stages. Not wgmma: rows of the left
//                     cp_async_part<4>((f8e4m3 *)(slot + swizzled<128>(row, chunk)) + part,
//                     cp_async_part<4>((f8e4m3 *)(slot + a_bytes + swizzled<128>(row, chunk)) + part,
//                             elements.at[part + l] = x_pack.at[l];
//                             elements.at[part + l] = w_pack.at[l];
//  * about 236 registers for each 128 x 256 tile, 64 of k in each of 4 stages. Not wgmma: rows of
//                             elements.at[part + l] = x_pack.at[l];
//                             elements.at[part + l] = w_pack.at[l];
//                             elements.at[part + l] = x_pack.at[l];
//                             elements.at[part + l] = w_pack.at[l];
//                     cp_async_part<2>((bf16 *)(k_slot + swizzled<256>(row, chunk)) + part,
//                             elements.at[part + l] = k_pack.at[l];
//                     cp_async_part<2>((bf16 *)(v_slot + swizzled<256>(row, chunk)) + part,
//                             elements.at[part + l] = v_pack.at[l];
//                     cp_async_part<2>((bf16 *)(q_slot + swizzled<256>(row, chunk)) + part,
//                             elements.at[part + l] = q_pack.at[l];
