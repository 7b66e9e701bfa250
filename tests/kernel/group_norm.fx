// run: fusec %s --emit=kernel -D N=4 -D C=12 -D H=7 -D W=8 -D G=3
// Channels seen as groups and back: the digits of an element's place in its group are that place again.
fn group_norm[N, C, H, W, G](x: bf16[N, C, H, W]) -> (y: bf16[N, C, H, W]) {
    g = reshape(x as f32, N, G, C / G * H * W);
    c = g - mean(g, axis = -1, keep = true);
    n = c * rsqrt(mean(c * c, axis = -1, keep = true) + 0.00001);
    y = reshape(n, N, C, H, W) as bf16;
}
// ---- expect
// kernel group_norm_0: row
//   in  x: bf16
//   out y: bf16
//   loops row i3 < 12 col i2 < 224 (lanes); 3 stages
//     v1 = load x[i3 * 224 + i2] : bf16                     // element, stage 0, kept
//     v2 = acc 0 : f32                                      // row, stage 1
//     v3 = const 0x406c000000000000 : f32                   // uniform, stage 0
//     v4 = div v2 v3 : f32                                  // row, stage 1
//     v5 = sub v1 v4 : f32                                  // element, stage 1
//     v6 = mul v5 v5 : f32                                  // element, stage 1
//     v7 = acc 1 : f32                                      // row, stage 2
//     v8 = div v7 v3 : f32                                  // row, stage 2
//     v9 = const 0x3ee4f8b580000000 : f32                   // uniform, stage 0
//     v10 = add v8 v9 : f32                                 // row, stage 2
//     v11 = rsqrt v10 : f32                                 // row, stage 2
//     v12 = mul v5 v11 : f32                                // element, stage 2
//     acc 0 = sum v1  // stage 0
//     acc 1 = sum v6  // stage 1
//     y[i3 * 224 + i2] = v12  // stage 2
