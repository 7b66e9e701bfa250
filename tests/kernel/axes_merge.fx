// Axes that every address steps through as one are one loop; a broadcast keeps its axis apart.
// run: fusec %s --emit=kernel
fn f[A, B, C](x: f32[A, B, C], g: f32[C]) -> (y: f32[A, B, C], z: f32[A, B, C]) {
    y = x * g;
    z = x + 1;
}
// ---- expect
// kernel f_0: pointwise
//   in  x: f32
//   in  g: f32
//   out y: f32
//   out z: f32
//   loops row i3 < A*B col i2 < C (lanes); 1 stage
//     v1 = load x[i3 * C + i2] : f32                        // element, stage 0
//     v2 = load g[i2] : f32                                 // element, stage 0
//     v3 = mul v1 v2 : f32                                  // element, stage 0
//     v4 = const 0x3ff0000000000000 : f32                   // uniform, stage 0
//     v5 = add v1 v4 : f32                                  // element, stage 0
//     y[i3 * C + i2] = v3  // stage 0
//     z[i3 * C + i2] = v5  // stage 0
