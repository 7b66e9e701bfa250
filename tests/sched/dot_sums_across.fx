// run: fusec run %s --check -D N=72 -D D=65 -D M=136
// kernels: 1
// All operands lie across the sum.
fn across[N, D, M](x: bf16[D, N], w: bf16[D, M], t: bf16[40, N], b: bf16[40, M]) -> (y: f32[N, M]) {
    y = x.T @ w + t.T @ b;
}
