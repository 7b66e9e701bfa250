fn running_sums[B, N, D](x: f32[B, N, D]) -> (y: f32[B, N, D]) {
    y = cumsum(x, axis = 1);
}
