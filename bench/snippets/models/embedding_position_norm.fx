// inputs: ids 0..V
fn f[B, S, V, D](
    ids: i32[B, S],
    table: bf16[V, D],
    pos: bf16[S, D],
    g: bf16[D],
    b: bf16[D]
) -> (y: bf16[B, S, D]) {
    y = layer_norm((take(table, ids, axis = 0) + pos) as bf16, g, b);
}
