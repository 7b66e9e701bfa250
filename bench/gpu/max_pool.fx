// The largest of 3 x 3 elements around every second one, along both axes.
fn max_pool[N, C, H, W](x: bf16[N, C, H, W]) -> (y: bf16[N, C, H/2, W/2]) {
    p = pad(pad(x, 2, 1, 1, value = -inf), 3, 1, 1, value = -inf);
    a = reshape(p[:, :, :H], N, C, H / 2, 2, W + 2);
    b = reshape(p[:, :, 2:], N, C, H / 2, 2, W + 2);
    rows = max(max(a[:, :, :, 0], a[:, :, :, 1]), b[:, :, :, 0]);
    c = reshape(rows[:, :, :, :W], N, C, H / 2, W / 2, 2);
    d = reshape(rows[:, :, :, 2:], N, C, H / 2, W / 2, 2);
    y = max(max(c[..., 0], c[..., 1]), d[..., 0]);
}
