// A binomial filter of 5 x 5 elements; zeros are beyond the edges.
fn blur[N, H, W](x: f32[N, H, W]) -> (y: f32[N, H, W]) {
    p = pad(pad(x, 1, 2, 2), 2, 2, 2);
    v = (p[:, :H] + p[:, 4:] + 4 * (p[:, 1:H+1] + p[:, 3:H+3]) + 6 * p[:, 2:H+2]) / 16;
    y = (v[:, :, :W] + v[:, :, 4:] + 4 * (v[:, :, 1:W+1] + v[:, :, 3:W+3]) + 6 * v[:, :, 2:W+2]) / 16;
}
