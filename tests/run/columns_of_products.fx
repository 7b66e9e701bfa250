// Single columns of a product that all others of their row read, alone and beside a seam: of every
// type, narrower and wider than a vector and a panel.
// run: fusec run %s --check --fn columns -D M=1 -D N=5 -D K=3 > checks
// run: fusec run %s --check --fn columns -D M=5 -D N=40 -D K=7 > checks
// run: fusec run %s --check --fn columns -D M=33 -D N=129 -D K=70 --threads 1 > checks
// run: fusec run %s --check --fn columns -D M=130 -D N=17 -D K=300 > checks
// run: fusec run %s --check --fn seams -D M=1 -D K=1 > checks
// run: fusec run %s --check --fn seams -D M=7 -D K=9 > checks
fn columns[M, N, K](
    x: f32[M, K],
    w: f32[K, N],
    g: bf16[M, K],
    h: bf16[K, N],
    p: f64[M, K],
    q: f64[K, N],
    i: i8[M, K],
    j: i8[K, N]
) -> (first: f32[M, N], two: f32[M, N], long: f64[M, N], words: i32[M, N], parts: f32[M, N]) {
    a = x @ w;
    first = a - a[:, :1];
    b = g @ h;
    two = b * b[:, 2:3] + b[:, N-1:N];
    c = p @ q;
    long = c + c[:, 1:2];
    d = i @ j;
    words = d - d[:, :1];
    e = (x * 2) @ w;
    parts = concat(e[:, :1] + e[:, 1:2], e[:, 1:] - e[:, 3:4]);
}
fn seams[M, K](
    x: i8[M, 2, 2, K],
    w: i8[M, 1, K, 2],
    t: i32[M, 2, 2, 1],
    s: i32[M, 2, 2, 1]
) -> (y: i32[M, 2, 2]) {
    p = reshape(x @ w, M, 2, 2, 1, 2)[..., 0];
    q = reshape(concat(p - t, p + t), M, 2, 2, 1, 2)[..., 1];
    y = sum(concat(s - q, s + q), axis = -2, keep = false);
}
