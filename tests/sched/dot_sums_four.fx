// run: fusec run %s --check -D N=20 -D D=30 -D M=40
// kernels: 1
// As many as a kernel takes, two of them of computed operands.
fn four[N, D, M](a: f32[N, D], b: f32[D, M], c: f32[N, M], d: f32[M, M]) -> (y: f32[N, M]) {
    y = a @ b + c @ d + relu(a) @ b + relu(c) @ d;
}
