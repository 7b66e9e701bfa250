// run: fusec run %s --check
// run: fusec run %s --check -O0
// kernels: 4
// One long row, and few long columns: pieces first, then the results of the pieces.
fn f(x: f32[100000], y: f32[70000, 3]) -> (s: f32, m: f32[3]) {
    s = sum(x * x);
    m = max(y, axis = 0);
}
