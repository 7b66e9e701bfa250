// run: fusec run %s --check -D K=40
// run: fusec run %s --check -D K=40 -O0
// A product of one row and one column: neither is read by its position, so none is declared.
fn f[K](x: f32[1, K], w: f32[1, K]) -> (y: f32[1, 1]) { y = x @ w.T; }
