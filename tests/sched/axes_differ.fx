// run: fusec run %s --check
// kernels: 2
fn f(x: f32[8, 12]) -> (rows: f32[8], cols: f32[12]) {
    rows = sum(x, axis = 1);
    cols = sum(x, axis = 0);
}
