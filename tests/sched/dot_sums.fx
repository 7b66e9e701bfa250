// run: fusec run %s --check -D N=37 -D D=65 -D M=50 -D R=7
// run: fusec run %s --check -D N=66 -D D=500 -D M=70 -D R=385
// run: fusec run %s --check -D N=3 -D D=64 -D M=128 -D R=8
// kernels: 1
// Contractions that are added up, with sums of different lengths and operands of all layouts.
fn two[N, D, M, R](x: f32[N, D], w: f32[M, D], t: f32[R, N], b: f32[R, M], c: f32[M]) -> (y: f32[N, M]) {
    y = tanh(x @ w.T + t.T @ b + c);
}
