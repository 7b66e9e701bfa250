// run: fusec run %s --check -D V=11 -D D=20 -D B=2 -D S=9
// Rows added in the order of their indices, with work before and after; along the lanes, across them.
fn f[V, D, B, S](
    w: f32[V, D],
    i: i64[B, S],
    x: f32[B, S, D],
    h: f32[D, V],
    y: bf16[D, B*S],
    j: i32[S],
    m: bool[V]
) -> (
    a: f32[V, D],
    b: f32[D, V],
    c: i32[V],
    d: f32[V, D],
    e: bf16[V, D],
    g: f32[V, D],
    k: f32[V],
    n: bool[V],
    o: f32[V+2, D],
    p: i8[V],
    q: f32[1, D],
    r: f32,
    s: f32[V, D]
) {
    a = scatter(w, i, exp(x)) * 2;
    b = scatter(h, reshape(i, B * S), y, axis = 1, with = max);
    c = scatter(full(0, V), i, 1);
    d = scatter(w, i, x, with = set);
    e = scatter(full(0.0, V, D), i, x as bf16);
    g = scatter(w * 0.5, j, x[0], with = min) + take(w, j, axis = 0)[0];
    k = sum(scatter(w, j, flip(x[0], axis = 0)));
    n = scatter(m, j, j % 2 == 0, with = set);
    o = pad(scatter(w, i, x), 0, 1, 1, 3.0);
    p = scatter(full(1, V) as i8, j, j as i8, with = max);
    q = scatter(w[:1], 0 * j, x[0]);
    r = sum(scatter(sum(w), iota(1), w[0, :1]));
    s = scatter(w, j, 0.5, with = set);
}
