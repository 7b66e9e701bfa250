// RWKV: five mixtures of each token with the one before.
fn f[B, S, C](
    x: bf16[B, S, C],
    mu: bf16[5, C]
) -> (r: bf16[B, S, C], k: bf16[B, S, C], v: bf16[B, S, C], w: bf16[B, S, C], g: bf16[B, S, C]) {
    d = pad(x, 1, 1, 0)[:, :S] - x;
    r = x + d * mu[0];
    k = x + d * mu[1];
    v = x + d * mu[2];
    w = x + d * mu[3];
    g = x + d * mu[4];
}
