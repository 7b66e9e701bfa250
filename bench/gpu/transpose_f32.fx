fn transposed[M, N](x: f32[M, N]) -> (y: f32[N, M]) {
    y = x.T;
}
