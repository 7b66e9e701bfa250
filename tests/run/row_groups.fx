// Groups of any length, before and after reductions of their rows.
// run: fusec run %s --fn after --device=cpu --check -D N=5 -D G=3 -D K=7
// run: fusec run %s --fn before --device=cpu --check -D N=4 -D G=2 -D K=96
// run: fusec run %s --fn first --device=cpu --check -D N=4 -D G=7 -D K=16
@one_kernel
fn after[N, G, K](x: bf16[N, G*K], gain: f32[G*K], bias: f32[G*K]) -> (q: u8[N, G*K], s: f32[N, G], z: f32[N, G]) {
    h = reshape(layer_norm(x, gain, bias), N, G, K);
    z = min(h);
    s = (max(h) - z) / 15 + 1e-6;
    q = reshape((h - z[:, :, None]) / s[:, :, None] + 0.5, N, G*K) as u8;
}
@one_kernel
fn before[N, G, K](x: f16[N, G*K], w: f32[K]) -> (y: f16[N, G*K]) {
    h = reshape(x as f32, N, G, K);
    n = reshape(h * rsqrt(mean(h * h, keep = true) + 1e-5) * w, N, G*K);
    y = (n / (1 + sum(abs(n), keep = true))) as f16;
}
@one_kernel
fn first[N, G, K](x: f32[N, G*K]) -> (y: f32[N, G, K], at: i32[N, G]) {
    p = reshape(softmax(x), N, G, K);
    at = argmax(p);
    y = p / sum(p, keep = true);
}
// ---- expect
// q: u8[5, 21]  mean 6.619  max 15  checksum df7a0d52b8154ea3
// s: f32[5, 3]  mean 0.1399  max 0.2273  checksum 5827ff2b880fc533
// z: f32[5, 3]  mean -0.7091  max -0.3939  checksum 31d148c74e81808e
// q: ok
// s: ok, largest error 1.49e-08 of 1.53e-07 allowed, at [0, 0]: got 0.156619936, want 0.156619951
// z: ok, largest error 5.96e-08 of 8.62e-07 allowed, at [0, 0]: got -0.987912059, want -0.987912118
// fusec: remark: random inputs, seed 0: x, gain, bias
// y: f16[4, 192]  mean -0.0001274  max 0.02275  checksum b44848f0d6aac163
// y: ok, largest error 0 of 3.83e-06 allowed, mean 0 of 4.99e-07, at [0, 0]: got 0.00397491455, want 0.00397491455
// fusec: remark: random inputs, seed 0: x, w
// y: f32[4, 7, 16]  mean 0.0625  max 0.172  checksum 3709765e4a67bb0c
// at: i32[4, 7]  mean 7.286  max 15  checksum 6a7e67a30d8bd21c
// y: ok, largest error 1.49e-08 of 1.27e-07 allowed, mean 4.76e-09 of 4.52e-08, at [0, 2, 4]: got 0.151445299, want 0.151445314
// at: ok
// fusec: remark: random inputs, seed 0: x
