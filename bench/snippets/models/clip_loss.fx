// inputs: scale 10..20
fn f[N, D](a: bf16[N, D], b: bf16[N, D], scale: f32) -> (loss: f32) {
    p = (a * rsqrt(sum(a * a, keep = true))) as bf16;
    q = (b * rsqrt(sum(b * b, keep = true))) as bf16;
    s = (p @ q.T) * scale;
    same = sum((p as f32) * q) * scale;
    loss = 0.5 * (mean(logsumexp(s) - same) + mean(logsumexp(s, axis = 0) - same));
}
