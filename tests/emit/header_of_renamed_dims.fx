// The comment gives shapes by the names that the prototype has.
// run: fusec %s --target=c -o %t.h
// run: cat %t.h
fn f[int, N](x: f32[int, N]) -> (y: f32[int, N]) {
    y = softmax(x);
}
