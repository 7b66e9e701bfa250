fn attend[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D],
    bias: bf16[H, S, S]
) -> (o: bf16[B, H, S, D]) {
    o = softmax((q @ k.T) * rsqrt(D) + bias) as bf16 @ v;
}

fn g = vjp(attend);
