fn f[N](p: f32[N, 3]) -> (force: f32[N, 3], energy: f32[N]) {
    dx = p[:, None, 0] - p[:, 0];
    dy = p[:, None, 1] - p[:, 1];
    dz = p[:, None, 2] - p[:, 2];
    r2 = dx * dx + dy * dy + dz * dz;
    i2 = where(r2 < 0.25 && r2 > 0, 0.01 / max(r2, 0.008), 0);
    i6 = i2 * i2 * i2;
    s = (48 * i6 * i6 - 24 * i6) / max(r2, 0.008);
    force = concat(sum(s * dx)[:, None], sum(s * dy)[:, None], sum(s * dz)[:, None]);
    energy = sum(2 * (i6 * i6 - i6));
}
