fn f[N, C](x: bf16[N, N, C], g: bf16[C], b: bf16[C], w: bf16[4*C, C]) -> (y: bf16[N, N, C]) {
    p, q, u, v = split(((layer_norm(x, g, b) as bf16) @ w.T) as bf16, 4);
    l = (sigmoid(u) * p) as bf16;
    r = (sigmoid(v) * q) as bf16;
    y = einsum("ikc,jkc->ijc", l, r);
}
