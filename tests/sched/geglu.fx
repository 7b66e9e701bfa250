// Halves of one product, combined: one kernel reads x once and stores nothing between.
// run: fusec run %s --check -D N=33 -D D=19
// kernels: 1
fn f[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    h = x @ w.T + b;
    v, g = split(h, 2, axis = -1);
    y = v * gelu(g);
}
