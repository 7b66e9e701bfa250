// Softmax of the rows of a product, which a block has whole.
fn weights[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) {
    y = softmax(x @ w.T);
}
