fn f[N, M, D](x: f32[N, D], c: f32[M, D]) -> (at: i32[N], q: f32[N, D], loss: f32) {
    at = argmax(2 * (x @ c.T) - sum(c * c));
    q = take(c, at, axis = 0);
    loss = mean((q - x) ** 2, axis = [0, 1]);
}
