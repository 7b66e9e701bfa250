// run: fusec run %s --check -D N=70 -D K=33 -D L=130
// run: fusec run %s --check -D N=3 -D K=600 -D L=9
// kernels: 1
// Sums side by side, and reductions of their rows: a tile has whole rows of each sum.
fn rows[N, K, L](
    x: bf16[N, K],
    h: bf16[N, L],
    w: bf16[K, 64],
    v: bf16[K, 64],
    u: bf16[L, 64],
    t: bf16[L, 64]
) -> (y: f32[N, 64], z: f32[N, 64]) {
    y = softmax(x @ w + h @ u);
    z = y * (h @ t + x @ v);
}
