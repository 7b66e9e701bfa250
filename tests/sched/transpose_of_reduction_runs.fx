// run: fusec run %s --check
// A reduction that is read along another axis cannot be: its rows are not at hand.
fn f(x: f32[8, 8]) -> (y: f32[8, 8]) {
    y = x - sum(x, axis = 1);
}
