fn at[N, C, P, H, W](
    x: f32[C, N*P],
    ix: i32[N, H, W],
    iy: i32[N, H, W],
    w: f32[N, H, W]
) -> (y: f32[C, N, H, W]) {
    inside = ix >= 0 && ix < W && iy >= 0 && iy < H;
    i = iota(N)[:, None, None] * (H * W) + clamp(iy, 0, H - 1) * W + clamp(ix, 0, W - 1);
    y = take(x, i, axis = 1) * where(inside, w, 0);
}

// inputs: grid -0.99..0.99
fn f[N, C, H, W](x: f32[N, C, H, W], grid: f32[N, H, W, 2]) -> (y: f32[N, C, H, W]) {
    gx = (grid[..., 0] + 1) * ((W - 1) * 0.5);
    gy = (grid[..., 1] + 1) * ((H - 1) * 0.5);
    fx = floor(gx);
    fy = floor(gy);
    u = gx - fx;
    v = gy - fy;
    ix = fx as i32;
    iy = fy as i32;
    flat = reshape(permute(x, 1, 0, 2, 3), C, N * (H * W));
    s = at(flat, ix, iy, (1 - u) * (1 - v)) + at(flat, ix + 1, iy, u * (1 - v))
        + at(flat, ix, iy + 1, (1 - u) * v) + at(flat, ix + 1, iy + 1, u * v);
    y = permute(s, 1, 0, 2, 3);
}
