// C: rows of windows are multiplied where they are: a panel lists their addresses, or those of zeros.
// Products with rows of zeros alone are left out where the right operand is finite; else they are NaN.
// Rows of an odd number of bf16, and of a few elements, are packed.
// run: fusec %s --fn=sums -o %t.c
// run: grep -E "fx_cut_listed\(fx|PRODUCTS, sizeof|fetch_row\(r|list_rows_bf16\(to|mark_finite_bf16\(b|tile_sums_indirect_bf16\(\(" %t.c
// run: fusec run %s --check --device=cpu --fn=sums
// run: fusec run %s --check --device=cpu --fn=beyond
// run: fusec run %s --check --device=cpu --fn=narrow -D C=4
// run: fusec run %s --check --device=cpu --fn=narrow -D C=3
// run: fusec run %s --check --device=cpu --fn=deep -D C=1200
// run: fusec run %s --check --device=cpu --fn=deep -D C=2050
fn sums(x: bf16[2, 30, 16], w: bf16[3, 16, 48]) -> (y: bf16[2, 30, 48]) {
    p = pad(x, 1, 14, 14);
    y = relu(p[:, :30] @ w[0] + p[:, 14:44] @ w[1] + p[:, 28:] @ w[2]);
}

fn beyond(x: f32[2, 30, 16], w: f32[2, 16, 48]) -> (y: f32[2, 30, 48], z: bool[2, 30, 48]) {
    p = pad(x, 1, 14, 0);
    is_second = (iota(16) == 1)[:, None];
    u = where(is_second && iota(48) == 2, inf, w[1]);
    sum = p[:, :30] @ where(is_second && iota(48) == 3, inf, w[0]) + p[:, 14:] @ u;
    y = where(sum == sum && sum < inf && sum > -inf, sum, 7);
    z = sum != sum;
}

fn narrow[C](x: bf16[2, 30, C], w: bf16[2, C, 20]) -> (y: f32[2, 30, 20]) {
    p = pad(x, 1, 1, 0);
    y = p[:, :30] @ w[0] + p[:, 1:] @ w[1];
}

fn deep[C](x: f32[2, 30, C], w: f32[2, C, 20]) -> (y: f32[2, 30, 20]) {
    p = pad(x, 1, 1, 0);
    y = p[:, :30] @ w[0] + p[:, 1:] @ w[1];
}
// ---- expect
// static inline fx_cut fx_cut_listed(fx_cut c, idx parts) {
//     const fx_cut cut = fx_cut_listed(fx_cut_of(&sums_0_tile, 1, 60, 48, 48, PRODUCTS, sizeof(float),
//                         fetch_row(rows[0][i1 - start], 16 * 2);
//                         fetch_row(rows[2][i1 - start], 16 * 2);
//                     list_rows_bf16(to, 0, 0, rows[0], 16);
//                     list_rows_bf16(to, 1, 16, rows[1], 16);
//                     list_rows_bf16(to, 2, 32, rows[2], 16);
//                     mark_finite_bf16(b_group + panel * cut.b, cut.b, (k_end - k_first) * NR);
//             tile_sums_indirect_bf16((k_end - k_first + FX_PAIRS - 1) / FX_PAIRS, a_packed, cut.a,
//     return fx_cut_total(fx_cut_listed(fx_cut_of(&sums_0_tile, 1, 60, 48, 48, 1, 4, 1),
// y: bf16[2, 30, 48]  mean 0.7557  max 6.906  checksum c076266f29265c50
// y: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.000658, at [0, 0, 0]: got 0.8046875, want 0.8046875
// fusec: remark: random inputs, seed 0: x, w
// y: f32[2, 30, 48]  mean 0.3221  max 7  checksum c6aa13853ce53625
// z: bool[2, 30, 48]  mean 0.009722  max 1  checksum b4a77118570b0b3f
// y: ok, largest error 1.19e-06 of 5.72e-06 allowed, mean 1.52e-07 of 1.3e-06, at [0, 22, 18]: got 2.59297323, want 2.59297442
// z: ok
// fusec: remark: random inputs, seed 0: x, w
// y: f32[2, 30, 20]  mean 0.001546  max 2.613  checksum c8ef6c1d3eb1c874
// y: ok, largest error 0 of 1.31e-06 allowed, mean 0 of 4.25e-07, at [0, 0, 0]: got 0.182785034, want 0.182785034
// fusec: remark: random inputs, seed 0: x, w
// y: f32[2, 30, 20]  mean 0.008943  max 2.341  checksum d4b79a7089d8d6f5
// y: ok, largest error 0 of 1.13e-06 allowed, mean 0 of 3.76e-07, at [0, 0, 0]: got -0.0285491943, want -0.0285491943
// fusec: remark: random inputs, seed 0: x, w
// y: f32[2, 30, 20]  mean 0.4117  max 56.69  checksum f5770fd3d670ec26
// y: ok, largest error 3.05e-05 of 0.000116 allowed, mean 7.83e-06 of 2.88e-05, at [0, 0, 19]: got 21.0221367, want 21.0221062
// fusec: remark: random inputs, seed 0: x, w
// y: f32[2, 30, 20]  mean 0.7668  max 65.7  checksum cf29a91dd491226d
// y: ok, largest error 2.29e-05 of 0.000238 allowed, mean 6.5e-06 of 4.43e-05, at [0, 6, 18]: got -40.1526642, want -40.1526871
// fusec: remark: random inputs, seed 0: x, w
