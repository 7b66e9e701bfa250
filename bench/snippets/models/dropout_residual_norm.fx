fn f[N, D](
    x: bf16[N, D],
    r: bf16[N, D],
    keep: bool[N, D],
    g: bf16[D],
    b: bf16[D]
) -> (h: bf16[N, D], y: bf16[N, D]) {
    h = r + (where(keep, x * (1 / 0.9), 0) as bf16);
    y = layer_norm(h, g, b);
}
