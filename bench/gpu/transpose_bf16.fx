fn transposed[M, N](x: bf16[M, N]) -> (y: bf16[N, M]) {
    y = x.T;
}
