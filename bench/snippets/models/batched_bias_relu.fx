fn f[B, M, N, K](x: bf16[B, M, K], w: bf16[B, K, N], b: bf16[B, N]) -> (y: bf16[B, M, N]) {
    y = relu(x @ w + b[:, None]);
}
