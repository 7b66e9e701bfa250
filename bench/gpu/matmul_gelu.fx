// A layer of a perceptron with a residual: a product, a bias, gelu, and a sum.
fn layer[M, N, K](x: bf16[M, K], w: bf16[N, K], bias: bf16[N], r: bf16[M, N]) -> (y: bf16[M, N]) {
    y = gelu(x @ w.T + bias) + r;
}
