// The feed-forward block of GPT-2: widen four times, GELU (the tanh form), and back.
//
//     y = gelu(x upᵀ + b) downᵀ + c
//
// try: -D N=64 -D D=768
// small: -D N=3 -D D=7
// small: -D N=1 -D D=1
// small: -D N=17 -D D=16
fn gelu_mlp[N, D](
    x: bf16[N, D],
    up: bf16[4*D, D],
    b: bf16[4*D],
    down: bf16[D, 4*D],
    c: bf16[D]
) -> (y: bf16[N, D]) {
    h = gelu_tanh(x @ up.T + b) as bf16;  // rounded, so that both products are of bf16
    y = h @ down.T + c;
}
