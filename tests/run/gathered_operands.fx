// run: fusec run %s --check -D T=15 -D N=40 -D D=32 -D V=9 > checks
// Matrices and rows gathered as operands of bf16: in CUDA the index of a row is
// known only in the loop over elements, so no pack is loaded before it.
fn gathered[T, N, D, V](
    x: bf16[V, D], w: bf16[N, D], m: bf16[V, N, D], at: i32[T]
) -> (y: f32[T, N], z: f32[T, N]) {
    rows = take(x, at, axis = 0);
    y = rows @ w.T;
    z = einsum("tnd,td->tn", take(m, at, axis = 0), rows);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w, m, at
