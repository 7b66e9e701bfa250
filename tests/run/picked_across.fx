// run: fusec run %s --check -D N=5 -D V=7
// run: fusec run %s --check -D N=33 -D V=40
// The same along columns, along one axis of a square, and of a running sum, which is searched.
fn picked[N, V](x: f32[N, V], k: i32[V], s: f32[V, V], m: i32[V]) -> (y: f32[V], z: f32[V], c: f32[V]) {
    y = sum(where((iota(N) == k[:, None]).T, x, 0), axis = 0);
    z = sum(where(iota(V)[:, None] == m, s, 0), axis = 0);
    c = sum(where(iota(V) == m[:, None], cumsum(s), 0));
}
