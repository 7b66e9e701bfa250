// What is pointwise in a reduction is computed before its axes are merged or split: rounding, gains,
// a residual; in the kernel of the reduction.
// run: fusec run %s --check -D B=3 -D G=5 -D K=7
@one_kernel
fn regrouped[B, G, K](
    x: f32[B, G*K],
    gain: f32[G*K],
    residual: bf16[B, G*K]
) -> (y: bf16[B, G*K], z: f32[B, G*K]) {
    h = reshape(x, B, G, K);
    n = h / (sum(h * h, keep = true) + 1.0);
    y = reshape(n, B, G * K);
    z = (reshape(n, B, G * K) * gain + residual) * 0.5;
}
