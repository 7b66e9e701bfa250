// Dims whose marked names would meet another dim stay apart.
// run: fusec %s -o %t.so
fn f[i0, i0_](x: f32[i0, i0_]) -> (y: f32[i0, i0_]) {
    y = softmax(x);
}
