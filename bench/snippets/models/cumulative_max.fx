// There is no running maximum: ten steps of doubling shifts.
fn step[B, T, K](x: f32[B, T]) -> (y: f32[B, T]) {
    y = concat(x[:, :K], max(x[:, K:], x[:, :T-K]));
}

fn f[B, T](x: f32[B, T]) -> (top: f32[B, T], drop: f32[B, T]) {
    a = step(step(step(step(step(x, K = 1), K = 2), K = 4), K = 8), K = 16);
    top = step(step(step(step(step(a, K = 32), K = 64), K = 128), K = 256), K = 512);
    drop = top - x;
}
