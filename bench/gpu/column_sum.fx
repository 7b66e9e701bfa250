// Column sums, as the gradient of a bias.
fn column_sum[M, N](x: f32[M, N]) -> (y: f32[N]) {
    y = sum(x, axis = 0);
}
