// run: fusec run %s --check -D N=40 -D K=70 -D D=24
// run: fusec run %s --check -D N=3 -D K=129 -D D=8
// kernels: 3
// The result of one attention is the scores of the next: one kernel cannot hold both.
fn chain[N, K, D](q: f32[N, 2], k: f32[K, 2], v: f32[K, K], u: f32[K, D]) -> (y: f16[N, D]) {
    y = softmax(softmax(q @ k.T) @ v.T) @ u;
}
