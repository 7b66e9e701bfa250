// Layer normalisation: each row to mean 0 and variance 1, then a learned gain and bias. Stands
// before every block of GPT-2.
//
//     y = (x - mean(x)) / sqrt(var(x) + eps) * gain + bias
//
// try: -D N=1024 -D D=768
// small: -D N=5 -D D=13
// small: -D N=1 -D D=1
// small: -D N=2 -D D=2053
// kernels: 1
fn layer_norm_rows[N, D](x: bf16[N, D], gain: f32[D], bias: f32[D]) -> (y: bf16[N, D]) {
    y = layer_norm(x, gain, bias, eps = 1e-5);
}
