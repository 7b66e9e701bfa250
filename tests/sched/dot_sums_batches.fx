// run: fusec run %s --check -D N=20 -D D=30 -D M=40
// kernels: 1
// The step of a recurrent network, in batches.
fn step[N, D, M](x: f32[3, N, D], w: f32[D, M], h: f32[3, N, M], u: f32[M, M]) -> (y: f32[3, N, M]) {
    y = sigmoid(x @ w + h @ u);
}
