// The end of an attention block: the output projection, the residual added to it, and the layer norm
// that the next block starts with. What goes on along the residual is stored before it is normalised.
//
//     h = r + x wᵀ,  y = layer_norm(h) * gain + bias
//
// try: -D N=512 -D D=768
// small: -D N=3 -D D=5
// small: -D N=1 -D D=1
// small: -D N=33 -D D=72
fn projection_norm[N, D](
    x: bf16[N, D],
    w: bf16[D, D],
    r: bf16[N, D],
    gain: f32[D],
    bias: f32[D]
) -> (y: bf16[N, D], h: bf16[N, D]) {
    h = r + x @ w.T;
    y = layer_norm(h, gain, bias, eps = 1e-5);
}
