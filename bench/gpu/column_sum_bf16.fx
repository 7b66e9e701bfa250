// Column sums of bf16, accumulated in f32.
fn column_sum[M, N](x: bf16[M, N]) -> (y: f32[N]) {
    y = sum(x as f32, axis = 0);
}
