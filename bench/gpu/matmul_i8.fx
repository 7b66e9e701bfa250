// A matrix product of bytes, beside cuBLAS.
fn product_i8[M, N, K](a: i8[M, K], b: i8[N, K]) -> (c: i32[M, N]) {
    c = a @ b.T;
}
