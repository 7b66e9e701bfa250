// inputs: at 0..V, old -12..-11
fn f[N, V](x: bf16[N, V], at: i32[N], old: f32[N], adv: f32[N]) -> (loss: f32[N], lp: f32[N]) {
    lp = -cross_entropy(x, at);
    r = exp(lp - old);
    loss = -min(r * adv, clamp(r, 0.8, 1.2) * adv);
}
