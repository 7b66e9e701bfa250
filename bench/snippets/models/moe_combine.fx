fn f[N, K, D](x: bf16[N, D], rows: bf16[N*K, D], at: i32[N, K], w: f32[N, K]) -> (y: bf16[N, D]) {
    y = x + sum(take(rows, at, axis = 0) * w[..., None], axis = 1);
}
