fn running_sums[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = cumsum(x);
}
