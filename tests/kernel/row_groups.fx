// Phases of a stage: what is read of a group is reduced before, in each stage that reads it.
// run: fusec %s --emit=kernel
fn f[N, G](x: f32[N, G, 64], gain: f32[64]) -> (y: f32[N, G, 64], m: f32[N, G], t: f32[N]) {
    h = x * rsqrt(mean(x * x, keep = true) + 1e-6) * gain;
    t = sum(h * exp(h), axis = [1, 2]);
    y = h * t[:, None, None] - mean(h, keep = true);
    m = max(y) + t[:, None];
}
// ---- expect
// kernel f_0: row
//   in  x: f32
//   in  gain: f32
//   out y: f32
//   out m: f32
//   out t: f32
//   loops row i0 < N col i1 < G col i2 < 64 (lanes); 2 stages
//     v1 = load x[i0 * 64*G + i1 * 64 + i2] : f32           // element, stage 0
//     v2 = mul v1 v1 : f32                                  // element, stage 0
//     v3 = acc 0 : f32                                      // group, stage 0, phase 1
//     v4 = const 0x3f90000000000000 : f32                   // uniform, stage 0
//     v5 = mul v3 v4 : f32                                  // group, stage 0, phase 1
//     v6 = const 0x3eb0c6f7a0000000 : f32                   // uniform, stage 0
//     v7 = add v5 v6 : f32                                  // group, stage 0, phase 1
//     v8 = rsqrt v7 : f32                                   // group, stage 0, phase 1
//     v9 = mul v1 v8 : f32                                  // element, stage 0, phase 1
//     v10 = load gain[i2] : f32                             // element, stage 0
//     v11 = mul v9 v10 : f32                                // element, stage 0, phase 1
//     v12 = exp v11 : f32                                   // element, stage 0, phase 1
//     v13 = mul v11 v12 : f32                               // element, stage 0, phase 1
//     v14 = acc 1 : f32                                     // row, stage 1
//     v15 = mul v11 v14 : f32                               // element, stage 1, phase 1
//     v16 = acc 2 : f32                                     // group, stage 0, phase 2
//     v17 = mul v4 v16 : f32                                // group, stage 0, phase 2
//     v18 = sub v15 v17 : f32                               // element, stage 1, phase 2
//     v19 = acc 3 : f32                                     // group, stage 1, phase 3
//     v20 = add v19 v14 : f32                               // group, stage 1, phase 3
//     acc 0 = sum v2  // of each group
//     acc 1 = sum v13  // stage 0
//     acc 2 = sum v11  // of each group
//     acc 3 = max v18  // of each group
//     t[i0] = v14  // stage 1
//     y[i0 * 64*G + i1 * 64 + i2] = v18  // stage 1
//     m[i0 * G + i1] = v20  // stage 1
