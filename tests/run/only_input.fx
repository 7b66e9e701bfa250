// needs: x.npy
// run: cp x.npy other.npy
// run: fusec run %s --in other.npy --out %t.npy
// run: fusec run %s --in out.npy
fn f[N, D](a: f32[N, D]) -> (y: f32[N, D]) { y = a + 1; }
// ---- expect
// y: f32[5, 3]  mean 0.8629  max 2.39  checksum 25809488ff65dee8
// y: f32[5, 3]  mean 1.863  max 3.39  checksum 73eadcdb72137388
