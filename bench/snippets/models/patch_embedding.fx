fn f[N, H, D](
    x: bf16[N, 3, H, H],
    w: bf16[D, 768],
    b: bf16[D],
    pos: bf16[H/16*(H / 16), D]
) -> (y: bf16[N, H/16*(H / 16), D]) {
    p = permute(reshape(x, N, 3, H / 16, 16, H / 16, 16), 0, 2, 4, 1, 3, 5);
    y = reshape(p, N, H / 16 * (H / 16), 768) @ w.T + b + pos;
}
