// run: fusec run %s --check -D N=5 -D V=11 -D D=19
// The rows of an embedding are contiguous although which one is known only at run time.
fn f[N, V, D](table: f32[V, D], ids: i32[N]) -> (y: f32[N, D]) {
    y = take(table, ids, axis = 0);
}
