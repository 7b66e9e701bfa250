// inputs: at 0..4
fn f[M, N, K](x: bf16[M, K], v: bf16[N, K/4, 2], at: u8[N, K/4, 2]) -> (y: bf16[M, N]) {
    a = where((at[:, :, 0] as i32)[:, :, None] == iota(4), v[:, :, 0][:, :, None], 0);
    b = where((at[:, :, 1] as i32)[:, :, None] == iota(4), v[:, :, 1][:, :, None], 0);
    y = x @ (reshape(a + b, N, K) as bf16).T;
}
