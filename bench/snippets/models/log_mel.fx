fn f[B, T, K, M](re: f32[B, K, T], im: f32[B, K, T], mel: f32[M, K]) -> (y: f32[B, M, T]) {
    p = re * re + im * im;
    y = log10(max(mel @ p, 1e-10));
}
