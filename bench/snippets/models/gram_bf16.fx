fn f[N, D](x: bf16[N, D]) -> (y: f32[D, D]) {
    y = (x.T @ x) / N;
}
