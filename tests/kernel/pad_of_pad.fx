// A guarded load is 0 in each lane whose guard fails, also where all lanes look at one element.
// run: fusec run %s --check
fn f(x: f32[3]) -> (y: f32[3, 5], z: bool[3, 9]) {
    y = pad(pad(x[:, None], 1, 2, 0), 1, 2, 0, 1);
    z = pad(pad((x > 0)[:, None], 1, 3, 1, false), 1, 2, 2, true);
}
