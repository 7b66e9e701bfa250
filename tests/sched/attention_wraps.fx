// Masks in whose integers something wraps: a length near the end of i32, products, a conversion to a
// type of the same size.
// run: fusec run %s --check -D S=57 -D T=130 -D D=8
// run: fusec run %s --check -D S=2 -D T=257 -D D=3
// kernels: 4
fn wraps[S, T, D](
    q: f32[S, D],
    k: f32[T, D],
    v: f32[T, D],
    length: i32,
    start: i64
) -> (w: f32[S, D], x: f32[S, D], y: f32[S, D], z: f32[S, D]) {
    i = iota(S)[:, None];
    j = iota(T);
    w = softmax(where(j < length + 2147483645, q @ k.T, -inf)) @ v;
    x = softmax(where(j * 100000000 <= i * 100000000, (q * 2) @ k.T, -inf)) @ v;
    y = softmax(where(j < ((length - 20) as u8 as i32) - 190, (q * 3) @ k.T, -inf)) @ v;
    z = softmax(where((j as i64) >= start + 9223372036854775800, (q * 4) @ k.T, -inf)) @ v;
}
