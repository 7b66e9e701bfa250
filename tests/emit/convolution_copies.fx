// Rows of a padded image are copied asynchronously for mma.sync, and are zeros where it has none.
// run: fusec %s --target=cuda --arch=sm_90a -D H=56 -D W=56 -D C=64 -D D=64 --no-test --tile kind=mma -o %t.cu
// run: grep -A 2 "cp_async_part<8>" %t.cu
fn conv[N, H, W, C, D](x: bf16[N, H, W, C], w: bf16[2, C, D]) -> (y: bf16[N, H, W, D]) {
    p = pad(x, 1, 1, 0);
    y = p[:, :H] @ w[0] + p[:, 1:] @ w[1];
}
// ---- expect
//                         cp_async_part<8>((bf16 *)(slot + swizzled<128>(row, chunk)) + part,
//                                          x + at_m * 64 + at_k - 3584,
//                                          row < m_left && (((at_m / 56) % 56) >= 1));
