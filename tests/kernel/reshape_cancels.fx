// Reshapes there and back leave no division in the address.
// run: fusec %s --emit=kernel
fn f[B, S, D](x: f32[B, S, D]) -> (y: f32[B, S, D]) {
    y = reshape(tanh(reshape(x, B * S, D)), B, S, D) * 2;
}
// ---- expect
// kernel f_0: pointwise
//   in  x: f32
//   out y: f32
//   loops col i4 < B*S*D (lanes); 1 stage
//     v1 = load x[i4] : f32                                 // element, stage 0
//     v2 = tanh v1 : f32                                    // element, stage 0
//     v3 = const 0x4000000000000000 : f32                   // uniform, stage 0
//     v4 = mul v2 v3 : f32                                  // element, stage 0
//     y[i4] = v4  // stage 0
