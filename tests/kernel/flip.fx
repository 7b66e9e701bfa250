// run: fusec %s --emit=kernel --target c
// A flip is an index that falls; reshapes around one still cancel.
fn f[N, D](x: f32[N, D], y: f32[24]) -> (a: f32[N, D], b: f32[D, N], c: f32[N, D], d: f32[21]) {
    a = exp(flip(x, axis = 0));
    b = flip(x.T, axis = [0, 1]) + 1;
    c = flip(reshape(flip(reshape(x, N * D)), N, D)) + 1;
    d = reshape(flip(reshape(y, 4, 6), axis = 1), 24)[3:] + 1;
}
// ---- expect
// kernel f_0: pointwise
//   in  x: f32
//   out a: f32
//   out b: f32
//   out c: f32
//   loops row i0 < N col i1 < D (lanes); 1 stage
//     v1 = load x[-i0 * D + i1 + (N*D - D)] : f32           // element, stage 0
//     v2 = exp v1 : f32                                     // element, stage 0
//     a[i0 * D + i1] = v2  // stage 0
//   loops row i0 < D col i1 < N (lanes); 1 stage
//     v1 = load x[-i1 * D - i0 + (N*D - 1)] : f32           // element, stage 0
//     v2 = const 0x3ff0000000000000 : f32                   // uniform, stage 0
//     v3 = add v1 v2 : f32                                  // element, stage 0
//     b[i0 * N + i1] = v3  // stage 0
//   loops row i0 < N col i1 < D (lanes); 1 stage
//     v1 = load x[-i0 * D + i1 + (N*D - D)] : f32           // element, stage 0
//     v2 = const 0x3ff0000000000000 : f32                   // uniform, stage 0
//     v3 = add v1 v2 : f32                                  // element, stage 0
//     c[i0 * D + i1] = v3  // stage 0
// kernel f_1: pointwise
//   in  y: f32
//   out d: f32
//   loops col i0 < 21 (lanes); 1 stage
//     v1 = load y[((i0 + 3) / 6) * 6 - ((i0 + 3) % 6) + 5] : f32  // element, stage 0
//     v2 = const 0x3ff0000000000000 : f32                   // uniform, stage 0
//     v3 = add v1 v2 : f32                                  // element, stage 0
//     d[i0] = v3  // stage 0
