// Group normalisation: channels are seen as G groups, whose elements are contiguous.
fn group_norm[N, C, H, W, G](
    x: bf16[N, C, H, W],
    gain: bf16[C],
    bias: bf16[C]
) -> (y: bf16[N, C, H, W]) {
    g = reshape(x as f32, N, G, C / G * H * W);
    c = g - mean(g, axis = -1, keep = true);
    n = c * rsqrt(mean(c * c, axis = -1, keep = true) + 0.00001);
    y = (reshape(n, N, C, H, W) * gain[:, None, None] + bias[:, None, None]) as bf16;
}
