fn f[N, C, H, W, R](x: bf16[N, C, H, W], w1: bf16[R, C], w2: bf16[C, R]) -> (y: bf16[N, C, H, W]) {
    p = mean(x, axis = [2, 3]) as bf16;
    h = relu(p @ w1.T) as bf16;
    s = sigmoid(h @ w2.T) as bf16;
    y = x * s[:, :, None, None];
}
