// run: fusec run %s --check -D N=37 -D D=21
// A sum down the columns: lanes run along the rows' axis, where memory is contiguous.
fn f[N, D](x: f32[N, D]) -> (y: f32[D]) {
    y = sum(x, axis = 0);
}
