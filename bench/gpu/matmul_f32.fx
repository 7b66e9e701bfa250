// A matrix product in f32, beside cuBLAS.
fn product_f32[M, N, K](a: f32[M, K], b: f32[N, K]) -> (c: f32[M, N]) {
    c = a @ b.T;
}
