// Weights of 4 bits, two in a byte, with a scale for each 128, times activations of bf16.
fn linear[M, N, K](x: bf16[M, K], w: u8[N, K/2], scale: f32[N, K/128]) -> (y: bf16[M, N]) {
    low = (w % 16) as f32 - 8;
    high = (w / 16) as f32 - 8;
    pairs = concat(low[:, :, None], high[:, :, None]);
    groups = reshape(pairs, N, K / 128, 128) * scale[:, :, None];
    y = x @ (reshape(groups, N, K) as bf16).T;
}
