// run: fusec run %s --fn f --check -D N=13 -D D=24
// kernels: 1
// The mask of a dropout is computed again from its seed.
fn forward[N, D](x: f32[N, D], seed: i64) -> (y: f32[N, D]) {
    y = dropout(x * x, 0.25, seed);
}
fn f = vjp(forward);
