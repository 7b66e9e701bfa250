// Weights kept as 8-bit integers with one scale for each row, made bf16 again before a product.
//
//     y[n, k] = q[n, k] * scale[n]
//
// try: -D N=768 -D K=3072
// small: -D N=3 -D K=19
// small: -D N=1 -D K=1
// small: -D N=5 -D K=257
// kernels: 1
fn int8_dequantise[N, K](q: i8[N, K], scale: f32[N]) -> (y: bf16[N, K]) {
    y = (q as f32) * scale[:, None];
}
