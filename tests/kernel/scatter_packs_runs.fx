// Packs of scatters beside other tensors, where the border is between packs, and where it is not.
// run: fusec run %s --check -D N=9 -D E=70 -D D=16
// run: fusec run %s --check -D N=9 -D E=70 -D D=12
fn f[N, E, D](x: bf16[N, D], w: f32[D], from: i32[E], to: i32[E]) -> (y: bf16[N, 2*D], z: f32[N, 2*D], p: f32[N, D + 8]) {
    s = scatter(full(0.0, N, D), to, take(x, from, axis = 0));
    y = concat(x, s as bf16);
    z = concat(scatter(full(0.0, N, D), to, take(x, from, axis = 0) * w, with = max), x as f32);
    p = pad(scatter(full(2.0, N, D), from, 1.0), -1, 4, 4);
}
