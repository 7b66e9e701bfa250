fn f[N, D, F](x: bf16[N, D], up: bf16[F, D], down: bf16[D, F]) -> (y: bf16[N, D]) {
    h = relu((x @ up.T) as bf16);
    y = x + ((h * h) as bf16) @ down.T;
}
