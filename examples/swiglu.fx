// SwiGLU: two matrix products of the same input, SiLU of the one scales the other. The
// feed-forward block of Llama.
//
//     y = silu(x gateᵀ) * (x upᵀ)
//
// try: -D N=64 -D D=768 -D F=2048
// small: -D N=3 -D D=7 -D F=11
// small: -D N=1 -D D=1 -D F=1
// small: -D N=17 -D D=64 -D F=33
fn swiglu[N, D, F](x: bf16[N, D], gate: bf16[F, D], up: bf16[F, D]) -> (y: bf16[N, F]) {
    y = silu(x @ gate.T) * (x @ up.T);
}
