// run: fusec run %s --check -D N=9 -D D=5
// run: fusec run %s --check -D N=33 -D D=8 -O0
// Weights that are rounded, and then widened for the product: something else reads them in between,
// so they are divided as written.
fn weights[N, D](x: f32[N, N], v: f32[N, D]) -> (y: f32[N, D], first: bf16[N]) {
    w = softmax(x) as bf16;
    y = w @ v;
    first = w[:, 0];
}
