fn f[N](w: f32[N], mid: f32[15]) -> (packed: u8[N/2], absmax: f32[N/64]) {
    b = reshape(w, N / 64, 64);
    absmax = max(abs(b));
    z = b / max(absmax, 1e-12)[:, None];
    code = sum((z[:, :, None] > mid) as i32);
    pair = reshape(code, N / 2, 2);
    packed = (pair[:, 0] * 16 + pair[:, 1]) as u8;
}
