// Of y = (silu(x wgᵀ) * (x wuᵀ)) wdᵀ: the two products were kept.
fn f[N, D, F](
    x: bf16[N, D],
    wg: bf16[F, D],
    wu: bf16[F, D],
    wd: bf16[D, F],
    a: bf16[N, F],
    b: bf16[N, F],
    dy: bf16[N, D]
) -> (dx: bf16[N, D], dwg: bf16[F, D], dwu: bf16[F, D], dwd: bf16[D, F]) {
    s = sigmoid(a);
    h = (a * s * b) as bf16;
    dh = (dy @ wd) as bf16;
    da = (dh * b * (s * (1 + a * (1 - s)))) as bf16;
    db = (dh * a * s) as bf16;
    dx = da @ wg + db @ wu;
    dwg = da.T @ x;
    dwu = db.T @ x;
    dwd = dy.T @ h;
}
