fn f[M, N, K](x: f32[M, K], w: f32[N, K]) -> (y: f32[M, N]) {
    y = x @ w.T;
}
