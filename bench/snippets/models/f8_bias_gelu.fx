// inputs: s 0.1..0.2, t 0.1..0.2
@precision(f8)
fn f[M, N, K](
    x: f8e4m3[M, K],
    w: f8e4m3[N, K],
    s: f32[M],
    t: f32[N],
    b: bf16[N]
) -> (y: bf16[M, N]) {
    y = gelu((x @ w.T) * s[:, None] * t + b);
}
