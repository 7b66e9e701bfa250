// run: fusec run %s --check --fn first -D A=2
// run: fusec run %s --check --fn each -D A=7 -D N=3
// kernels: 1
// An element of a value along a row is stored beside results of the row: one, not all of them.
fn first[A](x: f32[A]) -> (y: f32, z: f32[A]) {
    t = max(x, 0.25);
    y = t[1];
    z = softmax(t);
}

fn each[N, A](x: f32[N, A]) -> (y: f32[N], z: f32[N, A]) {
    t = max(x, 0.25);
    y = t[:, -1];
    z = softmax(t);
}
