fn layer[N, D, E](
    x: bf16[N, D],
    gain: bf16[D],
    bias: bf16[D],
    w: bf16[E, D],
    c: bf16[E]
) -> (y: bf16[N, E]) {
    y = (layer_norm(x, gain, bias) as bf16) @ w.T + c;
}

fn g = vjp(layer);
