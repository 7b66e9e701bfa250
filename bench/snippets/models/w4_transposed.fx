// Rows of the weight go with k; groups of 128.
// inputs: w 0..256, s 0.01..0.02
fn f[M, N, K](x: f16[M, K], w: u8[K/2, N], s: f16[K/128, N]) -> (y: f16[M, N]) {
    p = reshape(concat((w % 16)[:, None], (w / 16)[:, None], axis = 1), K / 128, 128, N);
    y = x @ (reshape(((p - 8) as f32) * s[:, None], K, N) as f16);
}
