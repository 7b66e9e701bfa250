fn f[N, K, M](x: bf16[N, K], w: bf16[M, K], b: bf16[M]) -> (y: bf16[N, M]) {
    y = tanh(x @ w.T + b);
}
