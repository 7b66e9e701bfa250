// Lanes are along the axis with fewest strided addresses: one element for all lanes is not strided. Of
// equals, columns: there may be few rows.
// run: fusec %s --emit=kernel --fn minplus --target=cuda
// run: fusec %s --emit=kernel --fn weighted --target=cuda
// run: fusec %s --emit=kernel --fn pairs --target=cuda
// run: fusec %s --emit=kernel --fn records --target=cuda
fn minplus[N, K, M](a: f32[N, K], b: f32[K, M]) -> (y: f32[N, M]) {
    y = min(a[:, :, None] + b, axis = 1);
}

fn weighted[B, N, D](x: f32[B, N, D], r: f32[B, N]) -> (s: f32[B, D]) {
    s = sum(x * r[..., None], axis = 1);
}

fn pairs[B, L](x: f32[B, L]) -> (y: f32[L]) {
    y = sum(exp(x[:, None] - x[:, :, None]), axis = [0, 2]);
}

fn records[N, M](a: f32[N, 4], b: f32[M, 4]) -> (y: f32[N]) {
    y = max(a[:, None, 0] * b[:, 0] + a[:, None, 3] * b[:, 3]);
}
// ---- expect
// kernel minplus_0: row
//   in  a: f32
//   in  b: f32
//   out y: f32
//   loops row i0 < N row i1 < M (lanes) col i2 < K; 1 stage
//     v1 = load a[i0 * K + i2] : f32                        // element, stage 0
//     v2 = load b[i2 * M + i1] : f32                        // element, stage 0
//     v3 = add v1 v2 : f32                                  // element, stage 0
//     v4 = acc 0 : f32                                      // row, stage 1
//     acc 0 = min v3  // stage 0
//     y[i0 * M + i1] = v4  // stage 1
// kernel weighted_0: row
//   in  x: f32
//   in  r: f32
//   out s: f32
//   loops row i0 < B row i1 < D (lanes) col i2 < N; 1 stage
//     v1 = load x[i0 * N*D + i2 * D + i1] : f32             // element, stage 0
//     v2 = load r[i0 * N + i2] : f32                        // element, stage 0
//     v3 = mul v1 v2 : f32                                  // element, stage 0
//     v4 = acc 0 : f32                                      // row, stage 1
//     acc 0 = sum v3  // stage 0
//     s[i0 * D + i1] = v4  // stage 1
// kernel pairs_0: row
//   in  x: f32
//   out y: f32
//   loops row i0 < L col i1 < B col i2 < L (lanes); 1 stage
//     v1 = load x[i1 * L + i2] : f32                        // element, stage 0
//     v2 = load x[i1 * L + i0] : f32                        // element, stage 0
//     v3 = sub v1 v2 : f32                                  // element, stage 0
//     v4 = exp v3 : f32                                     // element, stage 0
//     v5 = acc 0 : f32                                      // row, stage 1
//     acc 0 = sum v4  // stage 0
//     y[i0] = v5  // stage 1
// kernel records_0: row
//   in  a: f32
//   in  b: f32
//   out y: f32
//   loops row i0 < N col i1 < M (lanes); 1 stage
//     v1 = load a[i0 * 4] : f32                             // row, stage 0
//     v2 = load b[i1 * 4] : f32                             // element, stage 0
//     v3 = mul v1 v2 : f32                                  // element, stage 0
//     v4 = load a[i0 * 4 + 3] : f32                         // row, stage 0
//     v5 = load b[i1 * 4 + 3] : f32                         // element, stage 0
//     v6 = mul v4 v5 : f32                                  // element, stage 0
//     v7 = add v3 v6 : f32                                  // element, stage 0
//     v8 = acc 0 : f32                                      // row, stage 1
//     acc 0 = max v7  // stage 0
//     y[i0] = v8  // stage 1
