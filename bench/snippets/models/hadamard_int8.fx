fn f[N](x: bf16[N, 16]) -> (q: i8[N, 16], scale: f32[N]) {
    a0 = reshape(x as f32, N, 2, 8);
    a1 = concat(a0[:, 0] + a0[:, 1], a0[:, 0] - a0[:, 1]);
    b0 = reshape(a1, N, 2, 2, 4);
    b1 = concat(b0[:, :, 0] + b0[:, :, 1], b0[:, :, 0] - b0[:, :, 1]);
    c0 = reshape(b1, N, 4, 2, 2);
    c1 = concat(c0[:, :, 0] + c0[:, :, 1], c0[:, :, 0] - c0[:, :, 1]);
    d0 = reshape(c1, N, 8, 2, 1);
    d1 = concat(d0[:, :, 0] + d0[:, :, 1], d0[:, :, 0] - d0[:, :, 1]);
    h = reshape(d1, N, 16) * 0.25;
    scale = max(abs(h)) / 127;
    q = round(h / max(scale[:, None], 1e-12)) as i8;
}
