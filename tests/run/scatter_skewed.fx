// Sums of skewed indices: on a GPU by pieces of positions that lie within one row. Rows with no
// positions, with fewer than a piece, with many pieces; indices that are computed, others that fit.
// run: fusec run %s --check -D B=2 -D N=2100 -D D=3 -D V=9
// run: fusec run %s --check -D B=1 -D N=5003 -D D=1 -D V=3
// run: fusec run %s --check -D B=1 -D N=66 -D D=8 -D V=4
// inputs: labels 0..3
fn skewed[B, N, D, V](x: f32[N, D], z: f64[B, N, D], labels: i32[N], base: f32[V, D]) -> (
    rows: f32[V, D],
    counts: i32[V],
    across: f64[B, V, D],
    most: f32[V, D]
) {
    rows = scatter(base, labels, x);
    counts = scatter(full(0, V), labels, 1);
    across = scatter(full(0.0, B, V, D), min(labels * labels, V - 1), z, axis = 1);
    most = scatter(base, labels, x, with = max);
}
