// Conditions are about an index without an offset, so that one condition proves others.
// run: fusec %s --emit=kernel
// run: fusec run %s --fn=laplace --check
// run: fusec run %s --fn=joined --check
// run: fusec run %s --fn=mirrored --check
fn laplace(x: f32[1024]) -> (y: f32[1024]) {
    wide = pad(x, 0, 1, 1, 0);
    y = wide[2:] + wide[:-2] - 2 * x;
}
fn joined(a: f32[4], b: f32[8], c: f32[16]) -> (y: f32[26]) {
    inner = concat(b, c);
    y = concat(a, inner[2:]);
}
fn mirrored(a: f32[4], b: f32[8]) -> (y: f32[12]) {
    y = flip(concat(a, b));
}
// ---- expect
// kernel laplace_0: pointwise
//   in  x: f32
//   out y: f32
//   loops col i0 < 1024 (lanes); 1 stage
//     v1 = inside[i0] in ..1023 : bool                      // element, stage 0
//     v2 = load x[i0 + 1] if v1 : f32                       // element, stage 0
//     v4 = inside[i0] in 1.. : bool                         // element, stage 0
//     v5 = load x[i0 - 1] if v4 : f32                       // element, stage 0
//     v6 = add v2 v5 : f32                                  // element, stage 0
//     v7 = load x[i0] : f32                                 // element, stage 0
//     v8 = const 0x4000000000000000 : f32                   // uniform, stage 0
//     v9 = mul v7 v8 : f32                                  // element, stage 0
//     v10 = sub v6 v9 : f32                                 // element, stage 0
//     y[i0] = v10  // stage 0
//
// kernel joined_0: pointwise
//   in  a: f32
//   in  b: f32
//   in  c: f32
//   out y: f32
//   loops col i0 < 26 (lanes); 1 stage
//     v4 = inside[i0] in ..4 : bool                         // element, stage 0
//     v5 = inside[i0] in 4.. : bool                         // element, stage 0
//     v6 = load a[i0] if v4 : f32                           // element, stage 0
//     v10 = inside[i0] in ..10 : bool                       // element, stage 0
//     v11 = inside[i0] in 10.. : bool                       // element, stage 0
//     v12 = and v5 v10 : bool                               // element, stage 0
//     v13 = load b[i0 - 2] if v12 : f32                     // element, stage 0
//     v14 = and v5 v11 : bool                               // element, stage 0
//     v15 = load c[i0 - 10] if v14 : f32                    // element, stage 0
//     v16 = where v10 v13 v15 : f32                         // element, stage 0
//     v17 = where v4 v6 v16 : f32                           // element, stage 0
//     y[i0] = v17  // stage 0
//
// kernel mirrored_0: pointwise
//   in  a: f32
//   in  b: f32
//   out y: f32
//   loops col i0 < 12 (lanes); 1 stage
//     v4 = inside[-i0 + 11] in ..4 : bool                   // element, stage 0
//     v5 = inside[-i0 + 11] in 4.. : bool                   // element, stage 0
//     v6 = load a[-i0 + 11] if v4 : f32                     // element, stage 0
//     v7 = load b[-i0 + 7] if v5 : f32                      // element, stage 0
//     v8 = where v4 v6 v7 : f32                             // element, stage 0
//     y[i0] = v8  // stage 0
// y: f32[1024]  mean 6.723e-05  max 3.828  checksum ac1d16f48e647211
// y: ok, largest error 2.38e-07 of 2.3e-06 allowed, mean 3.23e-08 of 7.53e-07, at [46]: got -2.27370787, want -2.27370763
// fusec: remark: random inputs, seed 0: x
// y: f32[26]  mean 0.1155  max 0.9878  checksum a2d8b26fc37a9755
// y: ok, largest error 0 of 4.71e-07 allowed, at [0]: got 0.45245409, want 0.45245409
// fusec: remark: random inputs, seed 0: a, b, c
// y: f32[12]  mean 0.09071  max 0.7688  checksum 99dccee6508c3f4b
// y: ok, largest error 0 of 4.55e-07 allowed, at [0]: got 0.158817768, want 0.158817768
// fusec: remark: random inputs, seed 0: a, b
