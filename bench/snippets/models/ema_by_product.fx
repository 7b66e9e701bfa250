// y[t] = 0.1 x[t] + 0.9 y[t-1], as a product with the matrix of weights.
fn f[B, T](x: f32[B, T]) -> (y: f32[B, T]) {
    back = iota(T) - iota(T)[:, None];
    w = where(back >= 0, 0.1 * 0.9 ** (max(back, 0) as f32), 0);
    y = x @ w;
}
