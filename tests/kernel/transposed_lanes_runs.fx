// run: fusec run %s --check -D N=37 -D D=21
// A row sum of a transposed tensor is a column sum in memory.
fn f[N, D](x: f32[N, D]) -> (y: f32[D]) {
    y = sum(x.T);
}
