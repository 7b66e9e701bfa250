// What is no chain: two layers without a batch, a function of scores that is an output, and a
// normalised one.
// kernels: 6
// run: fusec run %s --check -D N=33 -D S=40
fn apart[N, S](
    x: f32[N, 16],
    w1: f32[S, 16],
    w2: f32[S, 8],
    a: f32[2, S, 8],
    b: f32[2, S, 8]
) -> (y: f32[N, 8], u: f32[2, S, S], z: f32[2, S, 8], n: f32[2, S, 8]) {
    y = relu(x @ w1.T) @ w2;
    u = relu(a @ b.T);
    z = u @ b;
    e = exp(b @ a.T);
    n = (e / sum(e, axis = -1, keep = true)) @ b;
}
