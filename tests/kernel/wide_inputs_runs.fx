// run: fusec run %s --check -D A=3 -D B=16
// Packs of the narrow output have more elements than fit one access to the input.
fn f[A, B](x: f32[A, B]) -> (y: bf16[2*A, B]) {
    y = concat(x, x, axis = 0);
}
