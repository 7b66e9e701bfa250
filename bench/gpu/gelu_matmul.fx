// An activation before a product with few columns: it need not be stored.
fn gelu_matmul[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) {
    y = (gelu(x as f32) as bf16) @ w.T;
}
