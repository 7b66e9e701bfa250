// Both words of a normal number are of one block, and neighbours of a pack share blocks; functions of
// numbers whose range is known have no special cases.
// run: fusec %s --fn noise --target=cuda --no-test -o %t.cu
// run: grep "philox_in_pack<VEC, \|pack.at.l. =" %t.cu
// run: fusec %s --fn walk --target=cuda --no-test -o %t.cu
// run: grep "philox_in_pack<VEC, \|items.item..at.l. =\|threads for" %t.cu
// run: fusec run %s --fn noise --check -D N=21 > checks
// run: fusec run %s --fn walk --check -D N=3 > checks
// run: fusec %s --fn turns --target=cuda --no-test -o %t.cu
// run: grep "y_pack.at|sqrt(\|log(" %t.cu
// run: fusec %s --fn noise --emit=kernel
fn noise[N](x: bf16[N], seed: i64) -> (y: bf16[N]) {
    y = x + random_normal(seed, N);
}

fn walk[N](first: f32[N]) -> (y: f32[N]) {
    y = mean(exp(first[:, None] + cumsum(random_normal(3, N, 64))));
}

fn turns[N](seed: i64) -> (y: f32[N]) {
    u = random_uniform(seed, N);
    y = sqrt(log(2 - u) * 3) + cos(u * 1e6) + log(1 + u);
}
// ---- expect
//             const float sub = 1.0f - unit_float(philox_in_pack<VEC, 2, 0>(seed_1, index - l, l));
//                 unit_float(philox_in_pack<VEC, 2, 1>(seed_1, index - l, l)) * 6.2831855f;
//             y_pack.at[l] = to_bf16(sqrt_near(log_of_part(sub) * -2.0f) * cos_near(mul) + x_1);
//  * Reads first_ f32[N]; writes y f32[N]. 8 threads for each row, 16 rows to a block. */
//                 log_of_part(1.0f - unit_float(philox_in_pack<VEC, 2, 0>(3ll, index - l, l)));
//             const float mul = unit_float(philox_in_pack<VEC, 2, 1>(3ll, index - l, l)) * 6.2831855f;
//             cumsum_items[item].at[l] = sqrt_near(log_1 * -2.0f) * cos_near(mul);
// fusec: remark: random inputs, seed 0: x, seed
// fusec: remark: random inputs, seed 0: first
//         y_pack.at[l] = sqrt(log(2.0f - u) * 3.0f) + cos_of(u * 1e+06f) + log(u + 1.0f);
// kernel noise_0: pointwise
//   in  x: bf16
//   in  seed: i64
//   out y: bf16
//   loops col i0 < N (lanes); 1 stage
//     v1 = const 0x3ff0000000000000 : f32                   // uniform, stage 0
//     v2 = load seed[0] : i64                               // uniform, stage 0
//     v3 = index[i0] : i64                                  // element, stage 0
//     v6 = philox v2 v3 * 2 + 0 : i32                       // element, stage 0
//     v7 = unit_float v6 : f32                              // element, stage 0
//     v8 = sub v1 v7 : f32                                  // element, stage 0
//     v9 = log v8 : f32                                     // element, stage 0
//     v10 = const 0xc000000000000000 : f32                  // uniform, stage 0
//     v11 = mul v9 v10 : f32                                // element, stage 0
//     v12 = sqrt v11 : f32                                  // element, stage 0
//     v15 = philox v2 v3 * 2 + 1 : i32                      // element, stage 0
//     v16 = unit_float v15 : f32                            // element, stage 0
//     v17 = const 0x401921fb60000000 : f32                  // uniform, stage 0
//     v18 = mul v16 v17 : f32                               // element, stage 0
//     v19 = cos v18 : f32                                   // element, stage 0
//     v20 = mul v12 v19 : f32                               // element, stage 0
//     v21 = load x[i0] : bf16                               // element, stage 0
//     v22 = add v20 v21 : f32                               // element, stage 0
//     y[i0] = v22  // stage 0
