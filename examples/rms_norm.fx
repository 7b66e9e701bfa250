// Root-mean-square normalisation: a layer norm without the mean and the bias. Llama's.
//
//     y = x / sqrt(mean(x²) + eps) * gain
//
// try: -D N=1024 -D D=768
// small: -D N=3 -D D=31
// small: -D N=1 -D D=1
// small: -D N=2 -D D=1537
// kernels: 1
fn rms_norm_rows[N, D](x: bf16[N, D], gain: bf16[D]) -> (y: bf16[N, D]) {
    y = rms_norm(x, gain, eps = 1e-6);
}
