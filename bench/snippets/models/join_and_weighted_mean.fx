// inputs: item 0..I, shop 0..S, n 1..9
fn f[N, I, S](
    item: i32[N],
    shop: i32[N],
    n: i32[N],
    price: f32[I],
    rate: f32[S]
) -> (total: f32[S], each: f32[S]) {
    k = n as f32;
    total = scatter(full(0.0, S), shop, k * take(price, item) * take(rate, shop));
    each = total / max(scatter(full(0.0, S), shop, k), 1);
}
