fn f[N, K, H](
    x: bf16[N, K],
    h: bf16[N, H],
    w: bf16[3*H, K],
    u: bf16[3*H, H],
    b: bf16[3*H],
    c: bf16[3*H]
) -> (y: bf16[N, H]) {
    xr, xz, xn = split(x @ w.T + b, 3);
    hr, hz, hn = split(h @ u.T + c, 3);
    z = sigmoid(xz + hz);
    y = (1 - z) * tanh(xn + sigmoid(xr + hr) * hn) + z * h;
}
