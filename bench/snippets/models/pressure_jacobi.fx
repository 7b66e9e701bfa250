fn f[H, W](p: f32[H, W], u: f32[H, W], v: f32[H, W]) -> (p1: f32[H, W], res: f32) {
    q = concat(p[:, -1:], p, p[:, :1]);
    r = concat(p[-1:], p, p[:1], axis = 0);
    uu = concat(u[:, -1:], u, u[:, :1]);
    vv = concat(v[-1:], v, v[:1], axis = 0);
    div = (uu[:, 2:] - uu[:, :W] + vv[2:] - vv[:H]) / 2;
    p1 = (q[:, :W] + q[:, 2:] + r[:H] + r[2:] - div) / 4;
    res = max(abs(p1 - p), axis = [0, 1]);
}
