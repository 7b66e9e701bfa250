fn rows[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = x - mean(x, keep = true);
}

fn columns[N, D](x: f32[N, D]) -> (y: f32[N, D]) {
    y = x - mean(x, axis = 0, keep = true);
}

// Its vectors are wider than those of a processor without AVX.
fn larger[N](a: i64[N], b: i64[N]) -> (y: i64[N]) {
    y = max(a, b);
}
