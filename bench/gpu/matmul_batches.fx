// Products of many pairs of matrices with few columns, beside cuBLAS: their results are most of what moves.
fn products[B, M, N, K](a: bf16[B, M, K], b: bf16[B, N, K]) -> (c: bf16[B, M, N]) {
    c = a @ b.T;
}
