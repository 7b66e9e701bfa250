fn mlp[N, D, F](
    x: bf16[N, D],
    w1: bf16[F, D],
    b1: bf16[F],
    w2: bf16[D, F],
    b2: bf16[D]
) -> (y: bf16[N, D]) {
    h = gelu_tanh((x @ w1.T + b1) as bf16) as bf16;
    y = x + (h @ w2.T + b2);
}

fn g = vjp(mlp);
