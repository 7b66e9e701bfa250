// DiT: a norm without gain, shifted and scaled for each sample; the branch's result gated into the residual.
fn f[B, S, D](
    x: bf16[B, S, D],
    branch: bf16[B, S, D],
    gate: bf16[B, D],
    shift: bf16[B, D],
    scale: bf16[B, D]
) -> (h: bf16[B, S, D], y: bf16[B, S, D]) {
    h = x + gate[:, None] * branch;
    m = mean(h, keep = true);
    n = (h - m) * rsqrt(var(h, keep = true) + 1e-6);
    y = n * (1 + scale[:, None]) + shift[:, None];
}
