fn f[N, M, D](x: f32[N, D], c: f32[M, D]) -> (c2: f32[M, D], at: i32[N]) {
    at = argmax(2 * (x @ c.T) - sum(c * c));
    n = scatter(full(0.0, M), at, 1.0);
    s = scatter(full(0.0, M, D), at, x);
    c2 = where(n[:, None] > 0, s / max(n, 1)[:, None], c);
}
