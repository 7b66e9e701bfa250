fn f[N, H, W, C](
    x: bf16[N, H, W, C],
    g: f32[C],
    b: f32[C],
    rm: f32[C],
    rv: f32[C]
) -> (y: bf16[N, H, W, C], rm2: f32[C], rv2: f32[C]) {
    m = mean(x, axis = [0, 1, 2]);
    v = var(x, axis = [0, 1, 2]);
    y = relu((x - m) * (rsqrt(v + 1e-5) * g) + b);
    rm2 = 0.9 * rm + 0.1 * m;
    rv2 = 0.9 * rv + 0.1 * v * (N * H * W / (N * H * W - 1.0));
}
