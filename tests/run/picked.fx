// run: fusec run %s --check -D N=5 -D V=7
// run: fusec run %s --check -D N=33 -D V=300
// run: fusec run %s --check -D N=9 -D V=8 -O0
// kernels: 1
// The element of a row at an index, written as a sum: indices beyond the row find none.
fn picked[N, V](x: f32[N, V], k: i32[N], j: i64[N]) -> (y: f32[N], z: f32[N], u: f32[N]) {
    y = sum(where(iota(V) == k[:, None] - 1, exp(x), 0));
    z = sum(where(j[:, None] * 3 == iota(V) as i64, x - max(x, keep = true), 0)) + sum(x);
    u = sum(where(iota(V) >= k[:, None], x, 0));
}
