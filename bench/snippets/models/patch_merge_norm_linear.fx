fn f[N, H, W, C](
    x: bf16[N, H, W, C],
    g: bf16[4*C],
    b: bf16[4*C],
    w: bf16[2*C, 4*C]
) -> (y: bf16[N, H/2, W/2, 2*C]) {
    p = reshape(permute(reshape(x, N, H / 2, 2, W / 2, 2, C), 0, 1, 3, 4, 2, 5), N, H / 2, W / 2,
        4 * C);
    y = (layer_norm(p, g, b) as bf16) @ w.T;
}
