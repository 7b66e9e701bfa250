// run: fusec run %s --check -D N=3 -D M=3
// The pairs of a value and a position, of 16 bytes, lie at multiples of 8 in shared memory.
fn f[N, M](a: i64[N, M], b: i32[N, M]) -> (y: bool[N, M], z: bool[M]) {
    c = b - cumsum(a, axis = 0, reverse = true);
    d = (a @ c.T) @ a;
    y = d as bool;
    z = !(argmax(d, axis = 0) as bool);
}
