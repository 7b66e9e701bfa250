// Weights of 4 bits, two in a byte, with a scale and a zero point for each 128, times activations of bf16.
fn linear[M, N, K](
    x: bf16[M, K], w: u8[N, K/2], scale: bf16[N, K/128], zero: u8[N, K/128]
) -> (y: bf16[M, N]) {
    q = reshape(concat((w % 16)[:, :, None], (w / 16)[:, :, None]), N, K / 128, 128);
    groups = (q as f32 - zero[:, :, None] as f32) * scale[:, :, None] as f32;
    y = x @ (reshape(groups, N, K) as bf16).T;
}
