// inputs: x 0..256
fn f[N, H, W](x: u8[N, H, W, 3]) -> (y: u8[N, H, W], u: u8[N, H/2, W/2], v: u8[N, H/2, W/2]) {
    p = x as f32;
    l = 0.299 * p[..., 0] + 0.587 * p[..., 1] + 0.114 * p[..., 2];
    cb = mean(reshape((p[..., 2] - l) * 0.564 + 128, N, H / 2, 2, W / 2, 2), axis = [2, 4]);
    cr = mean(reshape((p[..., 0] - l) * 0.713 + 128, N, H / 2, 2, W / 2, 2), axis = [2, 4]);
    y = round(l) as u8;
    u = round(cb) as u8;
    v = round(cr) as u8;
}
