fn f[B, P, K](
    x: bf16[B, P, 3],
    w1: bf16[64, 3],
    b1: bf16[64],
    w2: bf16[K, 64],
    b2: bf16[K]
) -> (y: bf16[B, K]) {
    h = relu(x @ w1.T + b1) as bf16;
    y = max(relu(h @ w2.T + b2), axis = 1);
}
