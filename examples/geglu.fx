// Linear + GEGLU: one matrix product makes values and gates, GELU of the gate scales the value.
// The feed-forward block of T5 and Gemma.
//
//     [v g] = x wᵀ + b,  y = v * gelu(g)
//
// try: -D N=32 -D D=768
// small: -D N=3 -D D=5
// small: -D N=1 -D D=1
// small: -D N=33 -D D=8
fn geglu[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    h = x @ w.T + b;
    v, g = split(h, 2, axis = -1);
    y = v * gelu(g);
}
