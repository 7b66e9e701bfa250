// Flow matching: noise and time are drawn, xt and the target are stored.
fn f[B, N](x: bf16[B, N], seed: i64) -> (xt: bf16[B, N], target: bf16[B, N], t: f32[B]) {
    t = sigmoid(random_normal(seed, B));
    e = random_normal(seed + 1, B, N);
    xt = (1 - t[:, None]) * x + t[:, None] * e;
    target = e - x;
}
