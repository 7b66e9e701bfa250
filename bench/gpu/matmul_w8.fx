// Weights of 8 bits with a scale for each row, times activations of bf16.
fn linear[M, N, K](x: bf16[M, K], w: i8[N, K], scale: f32[N]) -> (y: bf16[M, N]) {
    y = x @ ((w as f32 * scale[:, None]) as bf16).T;
}
