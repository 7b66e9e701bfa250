fn f[B, M, N, K](x: f32[B, M, K], w: f32[B, N, K]) -> (y: f32[B, M, N]) {
    y = x @ w.T;
}
