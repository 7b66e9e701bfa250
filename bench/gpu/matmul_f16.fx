// A matrix product of f16, beside cuBLAS.
fn product_f16[M, N, K](a: f16[M, K], b: f16[N, K]) -> (c: f16[M, N]) {
    c = a @ b.T;
}
