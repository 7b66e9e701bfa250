fn f[N, H, W, C, M](x: bf16[N, H, W, C], w: bf16[M, C], b: bf16[M]) -> (y: bf16[N, M]) {
    y = (mean(x, axis = [1, 2]) as bf16) @ w.T + b;
}
