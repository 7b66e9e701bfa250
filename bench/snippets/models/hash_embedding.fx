// Multiplicative hashing, which wraps around.
// inputs: ids 0..1000000
fn f[N, V, D](ids: i32[N], table: f32[V, D]) -> (y: f32[N, D]) {
    m = concat((ids * -1640531535)[:, None], (ids * 2146121005)[:, None],
        (ids * -2073254261)[:, None], (ids * 461845907)[:, None]);
    low = where(m < 0, m + 2147483647 + 1, m);
    y = mean(take(table, low % V, axis = 0), axis = 1);
}
