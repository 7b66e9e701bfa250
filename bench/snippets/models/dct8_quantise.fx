// inputs: q 0.2..1
fn f[N, H, W](x: f32[N, H, W], t: f32[8, 8], q: f32[8, 8]) -> (y: i8[N, H/8, W/8, 8, 8]) {
    b = permute(reshape(x, N, H / 8, 8, W / 8, 8), 0, 1, 3, 2, 4);
    y = round((t @ b @ t.T) / q) as i8;
}
