// inputs: ids 0..V
fn f[N, F, V, D](ids: i32[N, F], table: f32[V, D], w: f32[V]) -> (y: f32[N]) {
    e = take(table, ids, axis = 0);
    s = sum(e, axis = 1);
    y = sigmoid(sum(take(w, ids)) + 0.5 * sum(s * s - sum(e * e, axis = 1)));
}
