// run: fusec explain %s --arch sm_80
// kernels: 4
// The result of one attention is the scores of the next: the keys of one are split.
fn chain[N, K](q: f32[16, 8], k: f32[N, 8], v: f32[K, N], u: f32[K, 64]) -> (y: f16[16, 64]) {
    y = softmax(softmax(q @ k.T) @ v.T) @ u;
}
