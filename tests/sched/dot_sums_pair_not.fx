// run: fusec run %s --check -D N=20 -D K=33 -D L=13
// kernels: 3
// Sums of products whose left operands differ, or that have another number of products, are in kernels of
// their own.
fn apart[N, K, L](
    x: f32[N, K],
    h: f32[N, L],
    g: f32[N, L],
    w: f32[K, 64],
    v: f32[K, 64],
    s: f32[K, 64],
    u: f32[L, 64],
    t: f32[L, 64]
) -> (y: f32[N, 64], z: f32[N, 64], r: f32[N, 64]) {
    y = x @ w + h @ u;
    z = x @ v + g @ t;
    r = x @ s;
}
