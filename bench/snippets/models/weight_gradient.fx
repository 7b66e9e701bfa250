// The gradients of a linear layer's weight and bias.
fn f[N, M, K](x: bf16[N, K], dy: bf16[N, M]) -> (dw: f32[M, K], db: f32[M]) {
    dw = dy.T @ x;
    db = sum(dy, axis = 0);
}
