// run: fusec run %s --check
// kernels: 1
// Tensors of different shapes that share an input: one launch, a loop nest for each.
fn f(a: f32[3, 5], b: f32[7], c: f32[2, 2, 2], s: f32) -> (x: f32[3, 5], y: f32[7], z: f32[2, 2, 2]) {
    x = a * s;
    y = b + s;
    z = c - s;
}
