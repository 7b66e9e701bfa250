// One product, two outputs.
// run: fusec run %s --check -D A=7
fn f[A](x1: u8[A, A, A], x2: u8[A, 3]) -> (y1: i32[A, A, 3], y8: i32[A, A, 3]) {
    t3 = einsum("bik,kj->bij", x1, x2);
    y1 = t3;
    y8 = t3;
}
