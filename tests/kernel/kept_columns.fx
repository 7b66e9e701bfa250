// Kept values of a column reduction over two axes.
// run: fusec run %s --check
fn f(x4: f32[3, 1, 3], t1: f32[3, 2, 3]) -> (y0: f32[3, 2, 3]) {
    t3 = x4 + t1;
    y0 = softmax(t3, axis = [0, 1]);
}
