// A matrix product of f32 operands that are rounded to tf32, beside cuBLAS.
@precision(tf32)
fn product_tf32[M, N, K](a: f32[M, K], b: f32[N, K]) -> (c: f32[M, N]) {
    c = a @ b.T;
}
