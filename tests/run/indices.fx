// needs: ids.npy
// run: fusec run %s -D V=7 -D N=4 -D D=3 --check
// run: fusec run %s -D V=7 -D N=4 -D D=3 --in ids.npy
// run: fusec run %s -D V=7 -D N=4 -D D=3 --in ids.npy --check
// exit: 1
fn f[V, N, D](table: f32[V, D], ids: i32[N], labels: u8[N]) -> (y: f32[N, D], ok: bool[N]) {
    y = take(table, ids, axis = 0);
    ok = cross_entropy(y, labels) > 0;
}
// ---- expect
// y: f32[4, 3]  mean 0.2285  max 0.8762  checksum 5127c39a7de0fe19
// ok: bool[4]  mean 1  max 1  checksum b4f8c9e79be1f512
// y: ok, largest error 0 of 4.18e-07 allowed, at [0, 0]: got -0.669742525, want -0.669742525
// ok: ok
// fusec: remark: random inputs, seed 0: table, ids, labels
// y: f32[4, 3]  mean -0.1576  max 0.3958  checksum 2e5cf9c291637570
// ok: bool[4]  mean 1  max 1  checksum b4f8c9e79be1f512
// fusec: remark: random inputs, seed 0: table, labels
// y: f32[4, 3]  mean -0.1576  max 0.3958  checksum 2e5cf9c291637570
// ok: bool[4]  mean 1  max 1  checksum b4f8c9e79be1f512
// fusec: remark: random inputs, seed 0: table, labels
// indices.fx:7:9: error: take: index 9 (element 1 of the indices) is out of range: the axis has size 7
//       y = take(table, ids, axis = 0);
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~
