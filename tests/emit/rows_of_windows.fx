// C: windows of an image go to products as rows, each at its address, or zeros where it lies beyond the
// image: a function lists the rows of a panel. So do the parts of a concat along k.
// run: fusec %s -o %t.c
// run: grep -A8 "const bf16 .rows" %t.c
// run: fusec run %s --check --device=cpu --fn=taps
// run: fusec run %s --check --device=cpu --fn=joined
fn taps(x: bf16[2, 40, 32], w: bf16[2, 32, 48]) -> (y: bf16[2, 40, 48]) {
    p = pad(x, 1, 0, 1);
    y = p[:, :40] @ w[0] + p[:, 1:] @ w[1];
}
fn joined(x: bf16[2, 40, 32], w: bf16[64, 48]) -> (y: bf16[2, 40, 48]) {
    p = pad(x, 1, 0, 1);
    y = concat(p[:, :40], p[:, 1:]) @ w;
}
// ---- expect
//                     const bf16 *rows[2][FX_ROUND(SHARED_MR, VL)] = {0};
//                     for (idx i1 = start; i1 < stop; i1++) {
//                         rows[0][i1 - start] = x + i1 * 32;
//                         const b1 inside = splat_b1(i1 % 40 < 39 ? -1 : 0);
//                         rows[1][i1 - start] = (inside)[0] ? x + i1 * 32 + 32 : 0;
//                         fetch_row(rows[0][i1 - start], 32 * 2);
//                         fetch_row(rows[1][i1 - start], 32 * 2);
//                     }
//                     list_rows_bf16(to, 0, 0, rows[0], 32);
// --
//                     const bf16 *rows[2][FX_ROUND(SHARED_MR, VL)] = {0};
//                     for (idx i1 = start; i1 < stop; i1++) {
//                         rows[0][i1 - start] = x + i1 * 32 + fx_most(k_first, 0);
//                         const b1 inside = splat_b1(i1 % 40 < 39 ? -1 : 0);
//                         rows[1][i1 - start] = (inside)[0] ? x + i1 * 32 + fx_most(k_first, 32) : 0;
//                         fetch_row(rows[0][i1 - start],
//                                   (fx_least(k_end, 32) - fx_most(k_first, 0)) * 2);
//                         fetch_row(rows[1][i1 - start],
//                                   (fx_least(k_end, 64) - fx_most(k_first, 32)) * 2);
// y: bf16[2, 40, 48]  mean -0.02688  max 9.875  checksum 0cedbb2bdbff4271
// y: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00128, at [0, 0, 0]: got -3.328125, want -3.328125
// fusec: remark: random inputs, seed 0: x, w
// y: bf16[2, 40, 48]  mean -0.02688  max 9.875  checksum 0cedbb2bdbff4271
// y: ok, largest error 0 of 0.0156 allowed, mean 0 of 0.00128, at [0, 0, 0]: got -3.328125, want -3.328125
// fusec: remark: random inputs, seed 0: x, w
