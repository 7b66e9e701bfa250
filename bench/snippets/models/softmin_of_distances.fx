// Soft k-means: each point as a mean of the centres, weighted by softmax(-distance^2).
fn f[N, M, D](x: f32[N, D], c: f32[M, D]) -> (y: f32[N, D]) {
    d = sum(x * x, keep = true) + sum(c * c) - 2 * (x @ c.T);
    y = softmax(-d) @ c;
}
