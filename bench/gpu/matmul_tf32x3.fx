// A matrix product of f32 in three products of tf32, beside cuBLAS in f32.
@precision(tf32x3)
fn product_tf32x3[M, N, K](a: f32[M, K], b: f32[N, K]) -> (c: f32[M, N]) {
    c = a @ b.T;
}
