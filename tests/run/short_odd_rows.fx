// Rows of a few elements that packs do not divide: on a GPU those of a block go through shared memory in whole packs.
// run: fusec run %s --check -D N=2001
fn f[N](x: bf16[N, 33], r: f32[N, 33]) -> (y: bf16[N, 33], s: f32[N, 33], m: f32[N]) {
    s = x + r;
    m = max(s);
    y = softmax(s);
}
// ---- expect
// y: bf16[2001, 33]  mean 0.0303  max 0.1934  checksum e886cad01fe67a0f
// s: f32[2001, 33]  mean -0.003722  max 1.984  checksum 68cc70320d66e064
// m: f32[2001]  mean 1.572  max 1.984  checksum e5542877e5fbcda2
// y: ok, largest error 0 of 6.11e-05 allowed, mean 0 of 1.93e-05, at [0, 0]: got 0.0119018555, want 0.0119018555
// s: ok, largest error 0 of 9.46e-07 allowed, mean 0 of 3.9e-07, at [0, 0]: got -0.492755711, want -0.492755711
// m: ok, largest error 0 of 9.46e-07 allowed, mean 0 of 7.57e-07, at [0]: got 1.74084234, want 1.74084234
// fusec: remark: random inputs, seed 0: x, r
