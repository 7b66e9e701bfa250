// run: fusec run %s --check -D N=5 -D V=7
// run: fusec run %s --check -D N=33 -D V=40
// run: fusec run %s --check -D N=9 -D V=8 -O0
// kernels: 1
fn picked[N, V](x: f32[N, V], k: i32[N]) -> (y: f32[N]) {
    y = sum(where(iota(V) == k[:, None], x, 0));
}
