fn f[N, K, H](
    x: bf16[N, K],
    h: bf16[N, H],
    c: f32[N, H],
    w: bf16[4*H, K],
    u: bf16[4*H, H],
    b: bf16[4*H]
) -> (y: bf16[N, H], c2: f32[N, H]) {
    i, g, m, o = split(x @ w.T + h @ u.T + b, 4);
    c2 = sigmoid(g) * c + sigmoid(i) * tanh(m);
    y = sigmoid(o) * tanh(c2);
}
