// No tensor cores for a vector: of the products only those of two matrices are remarked.
// run: fusec %s --target=c -o %t.c -Wperf
fn vectors[N](x: f32[N], y: f32[N]) -> (d: f32) {
    d = x @ y;
}
fn matrix_vector[M, N](w: f32[M, N], x: f32[N], y: f32[M]) -> (a: f32[M], b: f32[N]) {
    a = w @ x;
    b = y @ w;
}
fn one_row[M, N](x: f32[1, M], w: f32[M, N]) -> (y: f32[1, N], z: f32[M, 1]) {
    y = x @ w;
    z = einsum("mn,in->mi", w, y);
}
fn batches[B, M, N](
    x: f32[B, N],
    w: f32[B, M, N],
    y: f32[B, 5, N]
) -> (a: f32[B, M], b: f32[B, M, 5]) {
    a = einsum("bn,bmn->bm", x, w);
    b = einsum("bmn,bkn->bmk", w, y);
}
// ---- expect
// remark_matmul_vectors.fx:20:9: remark: f32[B, M, N] and f32[B, 5, N] multiply as f32, without tensor cores: 'as bf16' uses them
//       b = einsum("bmn,bkn->bmk", w, y);
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
