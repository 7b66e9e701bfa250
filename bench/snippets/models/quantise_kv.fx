fn f[B, S, G, D](x: bf16[B, S, G, D]) -> (q: i8[B, G, S, D], s: f32[B, G, S]) {
    t = (max(abs(x)) as f32) / 127;
    q = permute(round(x as f32 / t[..., None]) as i8, 0, 2, 1, 3);
    s = permute(t, 0, 2, 1);
}
