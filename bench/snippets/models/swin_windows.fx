fn f[B, W, H, S, D](
    q: bf16[B*W, H, S, D],
    k: bf16[B*W, H, S, D],
    v: bf16[B*W, H, S, D],
    bias: f32[H, S, S],
    mask: f32[W, S, S]
) -> (o: bf16[B*W, S, H*D]) {
    s = reshape((q @ k.T) * rsqrt(D) + bias, B, W, H, S, S) + mask[:, None];
    p = reshape(softmax(s) as bf16, B * W, H, S, S);
    o = reshape(permute(p @ v, 0, 2, 1, 3), B * W, S, H * D);
}
