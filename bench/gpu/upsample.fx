// Images twice as large, by bilinear interpolation; the outermost elements continue beyond the edges.
fn upsample[N, C, H, W](x: f32[N, C, H, W]) -> (y: f32[N, C, 2*H, 2*W]) {
    up = concat(x[:, :, :1], x, x[:, :, -1:], axis = 2);
    even = 0.25 * up[:, :, :H] + 0.75 * x;
    odd = 0.75 * x + 0.25 * up[:, :, 2:];
    rows = reshape(concat(even[:, :, :, None], odd[:, :, :, None], axis = 3), N, C, 2 * H, W);
    side = concat(rows[:, :, :, :1], rows, rows[:, :, :, -1:]);
    left = 0.25 * side[:, :, :, :W] + 0.75 * rows;
    right = 0.75 * rows + 0.25 * side[:, :, :, 2:];
    y = reshape(concat(left[..., None], right[..., None]), N, C, 2 * H, 2 * W);
}
