// run: fusec run %s --check -D N=5 -D V=11 -D D=19
// The rows of an embedding are contiguous although which one is known only at run time.
fn f[N, V, D](table: f32[V, D], ids: i32[N]) -> (y: f32[N, D]) {
    y = take(table, ids, axis = 0);
}
// ---- expect
// y: f32[5, 19]  mean -0.09341  max 0.9607  checksum 9a2b144bb466936e
// y: ok, largest error 0 of 4.74e-07 allowed, mean 0 of 2.44e-07, at [0, 0]: got 0.0376720428, want 0.0376720428
// fusec: remark: random inputs, seed 0: table, ids
