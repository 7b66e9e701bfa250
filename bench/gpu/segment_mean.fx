// The mean of the rows of each segment.
fn segment_mean[N, D, S](x: f32[N, D], segment: i32[N]) -> (y: f32[S, D]) {
    n = scatter(full(0.0, S), segment, 1.0);
    y = scatter(full(0.0, S, D), segment, x) / max(n, 1)[:, None];
}
