fn rows[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = x - mean(x, keep = true);
}

fn columns[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = x - mean(x, axis = 0, keep = true);
}
