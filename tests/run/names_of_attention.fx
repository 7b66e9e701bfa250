// Dims and tensors with the names that the text of an attention has for itself.
// run: fusec run %s --check -D m=64 -D n=41 -D key=16
fn f[m, n, key](q: f32[m, m], k: f32[n, m], v: f32[n, key], panel: f32[m, n]) -> (y: f32[m, key]) {
    y = softmax(q @ k.T + panel) @ v;
}
// ---- expect
// y: f32[64, 16]  mean -0.03686  max 0.9699  checksum 584c2afd0ca0561e
// y: ok, largest error 1.07e-06 of 1.99e-06 allowed, mean 1.39e-07 of 4.29e-07, at [38, 7]: got 0.453887194, want 0.453888267
// fusec: remark: random inputs, seed 0: q, k, v, panel
