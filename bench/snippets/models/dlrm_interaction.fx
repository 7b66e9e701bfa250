fn f[N, F, D, P](x: bf16[N, D], e: bf16[N, F, D], ij: i32[P]) -> (y: bf16[N, D+P]) {
    z = concat(x[:, None], e, axis = 1);
    g = reshape((z @ z.T) as bf16, N, (F + 1) * (F + 1));
    y = concat(x, take(g, ij));
}
