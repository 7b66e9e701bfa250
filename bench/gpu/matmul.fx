// A matrix product by itself, beside cuBLAS.
fn product[M, N, K](a: bf16[M, K], b: bf16[N, K]) -> (c: bf16[M, N]) {
    c = a @ b.T;
}
