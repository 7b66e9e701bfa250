// Attentions whose operands share a batch or not, windows whose masks split it, and their derivatives.
// run: fusec run %s --fn latents --check -D B=2 -D H=3 -D M=5 -D S=17 -D D=8
// run: fusec run %s --fn back --check -D B=2 -D H=3 -D M=5 -D S=17 -D D=8
// run: fusec run %s --fn windows --check -D B=2 -D W=3 -D H=2 -D S=9 -D D=6
// run: fusec run %s --fn windows_back --check -D B=2 -D W=3 -D H=2 -D S=9 -D D=6
fn latents[B, H, M, S, D](
    q: bf16[H, M, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, M, D]) {
    o = softmax((q @ k.T) * rsqrt(D)) as bf16 @ v;
}
fn back = vjp(latents);
fn windows[B, W, H, S, D](
    q: f32[B*W, H, S, D],
    k: f32[B*W, H, S, D],
    v: f32[B*W, H, S, D],
    mask: f32[W, S, S]
) -> (o: f32[B*W, H, S, D]) {
    s = reshape((q @ k.T) * rsqrt(D), B, W, H, S, S) + mask[:, None];
    o = reshape(softmax(s), B * W, H, S, S) @ v;
}
fn windows_back = vjp(windows);
// ---- expect
// o: bf16[2, 3, 5, 8]  mean -0.01254  max 0.2715  checksum a05aaab5fa73af8b
// o: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000133, at [0, 0, 0, 0]: got 0.2421875, want 0.2421875
// fusec: remark: random inputs, seed 0: q, k, v
// dq: bf16[3, 5, 8]  mean -0.00246  max 0.1494  checksum c0b59d0d8707c7ac
// dk: bf16[2, 3, 17, 8]  mean -4.168e-06  max 0.08203  checksum 6336b47fc17a1846
// dv: bf16[2, 3, 17, 8]  mean 0.01055  max 0.2539  checksum 2eb7ca12e27b9b97
// dq: ok, largest error 0 of 0.000244 allowed, mean 0 of 9.51e-05, at [0, 0, 0]: got -0.0324707031, want -0.0324707031
// dk: ok, largest error 0 of 6.11e-05 allowed, mean 0 of 1.26e-05, at [0, 0, 0, 0]: got -0.00823974609, want -0.00823974609
// dv: ok, largest error 0 of 0.000488 allowed, mean 0 of 4.66e-05, at [0, 0, 0, 0]: got -0.099609375, want -0.099609375
// fusec: remark: random inputs, seed 0: q, k, v, do
// o: f32[6, 2, 9, 6]  mean -0.02945  max 0.6141  checksum 3948f152da2fd8b8
// o: ok, largest error 8.94e-08 of 4.72e-07 allowed, mean 2.1e-08 of 1.49e-07, at [2, 1, 7, 4]: got -0.343229324, want -0.343229413
// fusec: remark: random inputs, seed 0: q, k, v, mask
// dq: f32[6, 2, 9, 6]  mean -0.001607  max 0.2073  checksum 50e0e4fd6a5f19e4
// dk: f32[6, 2, 9, 6]  mean 2.573e-10  max 0.2364  checksum e33ad1e2d9929bdd
// dv: f32[6, 2, 9, 6]  mean -0.02864  max 0.6303  checksum 20e37826baa9f7ae
// dmask: f32[3, 9, 9]  mean -1.608e-09  max 0.805  checksum eadf7aec4e7f26a8
// dq: ok, largest error 2.98e-08 of 1.97e-07 allowed, mean 6.98e-09 of 4.7e-08, at [0, 0, 0, 1]: got -0.133201003, want -0.133201033
// dk: ok, largest error 2.98e-08 of 2.02e-07 allowed, mean 7.28e-09 of 5.2e-08, at [5, 1, 6, 2]: got -0.172411859, want -0.172411829
// dv: ok, largest error 5.96e-08 of 5.71e-07 allowed, mean 1.82e-08 of 1.51e-07, at [0, 0, 4, 2]: got 0.567588389, want 0.567588449
// dmask: ok, largest error 1.19e-07 of 5.03e-07 allowed, mean 1.92e-08 of 1.35e-07, at [0, 3, 8]: got 0.804982543, want 0.804982662
// fusec: remark: random inputs, seed 0: q, k, v, mask, do
