// inputs: r 0.5..2
fn f[N, C, H, W](
    x: bf16[N, C, H, W],
    g: f32[C],
    m: f32[C],
    r: f32[C],
    dy: bf16[N, C, H, W]
) -> (dx: bf16[N, C, H, W], dg: f32[C], db: f32[C]) {
    z = (x - m[:, None, None]) * r[:, None, None];
    db = sum(dy, axis = [0, 2, 3]);
    dg = sum(dy * z, axis = [0, 2, 3]);
    dx = (g * r)[:, None, None] * (dy - (db[:, None, None] + z * dg[:, None, None]) / (N * H * W));
}
