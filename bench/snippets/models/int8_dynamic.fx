fn f[M, N, K](x: bf16[M, K], w: i8[N, K], sw: f32[N]) -> (y: bf16[M, N]) {
    s = (max(abs(x)) as f32) / 127;
    q = round(x as f32 / s[:, None]) as i8;
    y = (q @ w.T) as f32 * s[:, None] * sw;
}
