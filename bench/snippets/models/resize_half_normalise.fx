// inputs: x 0..256, s 0.2..0.3
fn f[N, H, W](x: u8[N, 2*H, 2*W, 3], m: f32[3], s: f32[3]) -> (y: bf16[N, 3, H, W]) {
    p = mean(reshape(x as f32, N, H, 2, W, 2, 3), axis = [2, 4]) / 255;
    y = permute((p - m) / s, 0, 3, 1, 2);
}
