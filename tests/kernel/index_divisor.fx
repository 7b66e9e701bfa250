// A divisor that is a product keeps its brackets.
// run: fusec run %s --check -D A=5 -D B=5 -D C=16
fn f[A, B, C](x0: i8[3, A, C, B], x7: i8[B, 1]) -> (y0: i32[3*A, C, 4]) {
    t6 = reshape(x0, 3*A, C, B);
    t15 = einsum("bik,kj->bij", t6, x7);
    y0 = pad(t15, 2, 1, 2, 1);
}
