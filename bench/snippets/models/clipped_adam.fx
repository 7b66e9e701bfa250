// inputs: v 0.0..0.1
fn f[N](p: f32[N], g: bf16[N], m: f32[N], v: f32[N]) -> (p2: f32[N], m2: f32[N], v2: f32[N]) {
    h = g * min(1 / (sqrt(sum(g * g)) + 1e-6), 1);
    m2 = 0.9 * m + 0.1 * h;
    v2 = 0.999 * v + 0.001 * h * h;
    p2 = p - 1e-3 * m2 / (sqrt(v2) + 1e-8);
}
