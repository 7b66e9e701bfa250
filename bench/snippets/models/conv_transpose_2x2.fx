fn f[N, H, W, C, D](
    x: bf16[N, H, W, C],
    w: bf16[C, 2, 2, D],
    b: bf16[D]
) -> (y: bf16[N, 2*H, 2*W, D]) {
    p = reshape(x @ reshape(w, C, 4 * D), N, H, W, 2, 2, D);
    y = reshape(permute(p, 0, 1, 3, 2, 4, 5), N, 2 * H, 2 * W, D) + b;
}
