// run: fusec run %s --check -D N=37 -D D=65 -D M=50
// run: fusec run %s --check -D N=128 -D D=128 -D M=256
// kernels: 1
// Three products on tensor cores, the operands of one across its sum.
fn three[N, D, M](x: bf16[N, D], w: bf16[D, M], t: bf16[N, 3], b: bf16[3, M], u: bf16[32, N], v: bf16[M, 32]) -> (y: bf16[N, M]) {
    y = x @ w + (u.T @ v.T + t @ b);
}
