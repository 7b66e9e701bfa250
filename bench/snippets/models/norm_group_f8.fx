fn f[N, D](x: bf16[N, D], gain: f32[D]) -> (q: f8e4m3[N, D], s: f32[N, D/128]) {
    h = reshape(rms_norm(x, gain), N, D / 128, 128);
    s = max(max(abs(h)), 1e-10) / 448;
    q = reshape(h / s[:, :, None], N, D) as f8e4m3;
}
