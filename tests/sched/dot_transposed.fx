// A product that is stored transposed, with what is pointwise in it after the transposition.
// run: fusec run %s --check -D N=70 -D D=33 -D M=20
// kernels: 1
fn transposed[N, D, M](x: f32[N, D], w: f32[D, M], b: f32[M, N]) -> (y: f32[M, N]) {
    y = relu((x @ w).T + b);
}
