// run: fusec run %s --check -D A=1
// run: fusec run %s --check -D A=90
// What a running sum adds up is a choice, written in the place of the operand.
fn f[A](x: bf16[2, 2, A]) -> (y: f32[4, 2, A]) {
    y = cumsum(concat(x, x, axis = 0), axis = 0);
}
