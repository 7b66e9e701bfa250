fn f[N, H, W](x: f16[N, 12, H, W]) -> (y: u8[N, 3, 2*H, 2*W]) {
    p = reshape(permute(reshape(x, N, 3, 2, 2, H, W), 0, 1, 4, 2, 5, 3), N, 3, 2 * H, 2 * W);
    y = round(clamp(p * 255, 0, 255)) as u8;
}
