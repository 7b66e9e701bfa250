// A feed-forward block (SwiGLU) for few rows at a time, as in generating text, with weights of 8
// bits and a scale for each row of them. They never change: what the products need of them is
// prepared once. Scales are applied to sums, so that what is prepared has 8 bits, too.
//
//     y = (silu(x gateᵀ) * (x upᵀ)) downᵀ
//
// try: -D N=4 -D D=512 -D H=1408
// small: -D N=1 -D D=16 -D H=40
// small: -D N=17 -D D=9 -D H=33
// small: -D N=2 -D D=1 -D H=1
@constant(gate, gate_scale, up, up_scale, down, down_scale)
fn constant_weights[N, D, H](
    x: f32[N, D],
    gate: i8[H, D],
    gate_scale: f32[H],
    up: i8[H, D],
    up_scale: f32[H],
    down: i8[D, H],
    down_scale: f32[D]
) -> (y: f32[N, D]) {
    g = x @ (gate as f32).T * gate_scale;
    u = x @ (up as f32).T * up_scale;
    y = (silu(g) * u) @ (down as f32).T * down_scale;
}
