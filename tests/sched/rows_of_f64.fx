// Rows of products of eight bytes, in tiles that fit the shared memory that every GPU has; those of
// three products, whose sides are no power of two; columns whose threads exchange much.
// run: fusec run %s --check -D M=40 -D K=20 -D N=40
fn rows_of_f64[M, K, N](
    x: f64[M, K],
    w: f64[K, 32],
    a: f64[K, 32],
    b: f64[K, 32],
    c: f64[K, 32],
    i: i64[M, K],
    j: i64[K, 128],
    r: f32[M, K],
    s: f32[K, 80],
    t: f32[K, 80],
    u: f32[K, 80],
    q: f64[13, 10],
    k: f64[13, 10],
    v: f64[13, 10],
    z: f64[1100, N]
) -> (
    one: f64[M],
    four: f64[M],
    whole: i64[M],
    three: f32[M],
    few: f64[13, 10],
    sums: f64[N],
    products: f64[N],
    most: f64[N],
    least: f64[N],
    at: i32[N],
    narrow: f32[N],
    whole_sums: i64[N],
    whole_most: i64[N]
) {
    one = sum(x @ w, axis = 1);
    four = sum((x @ w) * (x @ a) * (x @ b) * (x @ c), axis = 1);
    whole = max(i @ j, axis = 1);
    three = sum((r @ s) * (r @ t) * (r @ u), axis = 1);
    few = softmax(q @ k.T) @ v;
    sums = sum(z, axis = 0);
    products = prod(z, axis = 0);
    most = max(z, axis = 0);
    least = min(z, axis = 0);
    at = argmax(z, axis = 0);
    narrow = sum(z as f32, axis = 0);
    whole_sums = sum((8.0 * z) as i64, axis = 0);
    whole_most = max((8.0 * z) as i64, axis = 0);
}
