// On a GPU rows of 7 x 7 are one axis with their channels, and packs go across the ends of rows; so they do where they do
// not divide the last axis of all. Rows of whole packs, rows that are transposed and rows of a CPU keep their axes.
// run: fusec %s --arch=sm_90a --emit=kernel
fn norm(x: bf16[32, 64, 7, 7], m: f32[64, 1, 1]) -> (y: bf16[32, 64, 7, 7]) { y = x - m; }

fn whole(x: f32[100003]) -> (y: f32[100003]) { y = -x; }

fn even(x: bf16[32, 64], b: bf16[64]) -> (y: bf16[32, 64]) { y = x + b; }

fn turned(x: bf16[135, 163], b: bf16[163, 135]) -> (y: bf16[135, 163]) { y = x + b.T; }
// ---- expect
// kernel norm_0: pointwise
//   in  x: bf16
//   in  m: f32
//   out y: bf16
//   loops col i5 < 100352 (lanes); 1 stage
//     v1 = load x[i5] : bf16                                // element, stage 0
//     v2 = load m[(((i5 / 49)) % 64)] : f32                 // element, stage 0
//     v3 = sub v1 v2 : f32                                  // element, stage 0
//     y[i5] = v3  // stage 0
//
// kernel whole_0: pointwise
//   in  x: f32
//   out y: f32
//   loops col i0 < 100003 (lanes); 1 stage
//     v1 = load x[i0] : f32                                 // element, stage 0
//     v2 = neg v1 : f32                                     // element, stage 0
//     y[i0] = v2  // stage 0
//
// kernel even_0: pointwise
//   in  x: bf16
//   in  b: bf16
//   out y: bf16
//   loops row i0 < 32 col i1 < 64 (lanes); 1 stage
//     v1 = load x[i0 * 64 + i1] : bf16                      // element, stage 0
//     v2 = load b[i1] : bf16                                // element, stage 0
//     v3 = add v1 v2 : f32                                  // element, stage 0
//     y[i0 * 64 + i1] = v3  // stage 0
//
// kernel turned_0: pointwise
//   in  x: bf16
//   in  b: bf16
//   out y: bf16
//   loops row i0 < 135 col i1 < 163 (lanes); 1 stage
//   loads across v2
//     v2 = load b[i1 * 135 + i0] : bf16
//     v1 = load x[i0 * 163 + i1] : bf16                     // element, stage 0
//     v2 = load b[i1 * 135 + i0] : bf16                     // element, stage 0
//     v3 = add v1 v2 : f32                                  // element, stage 0
//     y[i0 * 163 + i1] = v3  // stage 0
