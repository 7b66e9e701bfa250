fn f[M, N](x: bf16[M, N]) -> (y: bf16[M, N]) {
    a = (x @ x.T) as bf16;
    b = (-4.7750 * a + 2.0315 * (a @ a)) as bf16;
    y = 3.4445 * x + b @ x;
}
