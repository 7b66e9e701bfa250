// C: products of short depth that are added, as those of a convolution, share a block of k: the sums
// stay in registers from one to the next. Rows of windows are listed; short ones are copied. An odd depth
// is filled with a zero where a lane holds pairs. Panels end after their last product: tiles of AMX take
// whole steps of 16 pairs.
// run: fusec %s --fn=shallow -D C=32 -o %t.c
// run: grep -E -A1 "fx_cut_of\(&|k_end =|(pack_lines|list_rows)_bf16\(to|pack_part_across_bf16\(b_|end_part_bf16\(b_|tile_sums_(lines|indirect)_bf16\(\(" %t.c
// run: fusec %s --fn=shallow -D C=3 -o %t.c
// run: grep -E "k_end =|pack_lines_bf16\(to" %t.c
// run: fusec %s --fn=shallow -D C=200 -o %t.c
// run: grep -E "k_size =|k_stop =|list_rows_bf16\(to" %t.c
// run: fusec %s --fn=single -o %t.c
// run: grep -E "k_end =|list_rows_f32\(to|tile_sums_indirect_f32\(k" %t.c
// run: fusec run %s --check --device=cpu --fn=shallow -D C=32
// run: fusec run %s --check --device=cpu --fn=shallow -D C=3
// run: fusec run %s --check --device=cpu --fn=shallow -D C=200
// run: fusec run %s --check --device=cpu --fn=shallow -D C=2000
// run: fusec run %s --check --device=cpu --fn=single
// run: fusec run %s --check --device=cpu --fn=mixed
// run: fusec %s --fn=shallow -D C=2 -o %t.c
// run: cc -Og -march=haswell -mamx-tile -mamx-bf16 -mamx-int8 -DVL=16 -Wno-psabi -ffp-contract=fast -fopenmp -DFUSEC_MAIN %t.c -o %t -lm
// run: ./%t > checks
fn shallow[C](x: bf16[2, 40, C], w: bf16[3, C, 80], b: bf16[80]) -> (y: bf16[2, 40, 80]) {
    p = pad(x, 1, 1, 1);
    y = relu(p[:, :40] @ w[0] + p[:, 1:41] @ w[1] + p[:, 2:] @ w[2] + b);
}
fn single(x: f32[3, 20, 7], w: f32[2, 7, 37]) -> (y: f32[3, 19, 37]) {
    y = tanh(x[:, :19] @ w[0] + x[:, 1:] @ w[1]);
}
fn mixed(x: bf16[70, 5], u: bf16[5, 9], z: bf16[6, 70], v: bf16[9, 6]) -> (y: bf16[70, 9]) {
    y = x @ u + z.T @ v.T;
}
// ---- expect
//     const fx_cut cut = fx_cut_listed(fx_cut_of(&shallow_0_tile, 1, 80, 80, 96, PRODUCTS,
//                                                sizeof(float), 1), FX_INDIRECT_PAIRS ? 3 : 0);
// --
//             const idx k_end = 96;
//             float *const a_packed = at.a;
// --
//                     list_rows_bf16(to, 0, 0, rows[0], 32);
//                     list_rows_bf16(to, 1, 32, rows[1], 32);
//                     list_rows_bf16(to, 2, 64, rows[2], 32);
//                 }
// --
//                 pack_part_across_bf16(b_group, cut.b, NR, w + n_start, 80, n_stop - n_start, 32);
//                 pack_part_across_bf16(b_group + 32 / FX_PAIRS * NR, cut.b, NR, w + n_start + 2560,
//                                       80, n_stop - n_start, 32);
//                 pack_part_across_bf16(b_group + 64 / FX_PAIRS * NR, cut.b, NR, w + n_start + 5120,
//                                       80, n_stop - n_start, 32);
// --
//                     end_part_bf16(b_group + panel * cut.b, NR, k_end - k_first);
//                 for (idx panel = 0; panel < panels; panel++)
// --
//             tile_sums_indirect_bf16((k_end - k_first + FX_PAIRS - 1) / FX_PAIRS, a_packed, cut.a,
//                                     b_group, cut.b, sum, sums_size, NR, false, m_stop - m_start,
// --
//     return fx_cut_total(fx_cut_listed(fx_cut_of(&shallow_0_tile, 1, 80, 80, 96, 1, 4, 1),
//                                       FX_INDIRECT_PAIRS ? 3 : 0));
//             const idx k_end = (3 * FX_ROUND(3, FX_PAIRS));
//                     pack_lines_bf16(to, 0, rows[0], 3);
//                     pack_lines_bf16(to, FX_ROUND(3, FX_PAIRS), rows[1], 3);
//                     pack_lines_bf16(to, 2 * FX_ROUND(3, FX_PAIRS), rows[2], 3);
//             at->k_stop = at->k_first + c->k, at->m_start = at->m_first;
//                     list_rows_bf16(to, 0, 0, rows[0], 200);
//                     list_rows_bf16(to, 1, 200, rows[1], 200);
//                     list_rows_bf16(to, 2, 400, rows[2], 200);
//     enum { k_first = 0, k_end = 14 };
//             list_rows_f32(to, 0, 0, rows[0], 7);
//             list_rows_f32(to, 1, 7, rows[1], 7);
//         tile_sums_indirect_f32(k_end, a_packed, cut.a, b_group, cut.b, sum, sums_size, NR,
// y: bf16[2, 40, 80]  mean 1.296  max 12.12  checksum d06355d82f911960
// y: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00112, at [0, 0, 0]: got 3.046875, want 3.046875
// fusec: remark: random inputs, seed 0: x, w, b
// y: bf16[2, 40, 80]  mean 0.447  max 3.594  checksum 6e65c392f7909c9f
// y: ok, largest error 0 of 1.71e-06 allowed, mean 0 of 0.000393, at [0, 0, 0]: got 0, want 0
// fusec: remark: random inputs, seed 0: x, w, b
// y: bf16[2, 40, 80]  mean 3.215  max 31.38  checksum 6224a6afb8a98095
// y: ok, largest error 0 of 0.0313 allowed, mean 0 of 0.00278, at [0, 0, 0]: got 5.4375, want 5.4375
// fusec: remark: random inputs, seed 0: x, w, b
// y: bf16[2, 40, 80]  mean 10.47  max 96  checksum 30b074422c3450be
// y: ok, largest error 0 of 4.58e-05 allowed, mean 0 of 0.00905, at [0, 0, 0]: got 0, want 0
// fusec: remark: random inputs, seed 0: x, w, b
// y: f32[3, 19, 37]  mean 0.01399  max 0.9998  checksum fe9eef39d32b521f
// y: ok, largest error 2.68e-07 of 9.54e-07 allowed, mean 4e-08 of 4.08e-07, at [0, 15, 28]: got -0.462964535, want -0.462964803
// fusec: remark: random inputs, seed 0: x, w
// y: bf16[70, 9]  mean 0.01289  max 2.938  checksum b935872f37f82731
// y: ok, largest error 0 of 0.00781 allowed, mean 0 of 0.000643, at [0, 0]: got 1.1875, want 1.1875
// fusec: remark: random inputs, seed 0: x, u, z, v
