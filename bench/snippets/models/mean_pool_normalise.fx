// inputs: length 1..S
fn f[B, S, D](x: bf16[B, S, D], length: i32[B]) -> (y: f32[B, D]) {
    live = (iota(S) < length[:, None])[:, :, None];
    m = sum(where(live, x as f32, 0), axis = 1) / (length as f32)[:, None];
    y = m * rsqrt(sum(m * m, keep = true));
}
