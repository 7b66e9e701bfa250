// By wgmma, weights of a chain in tiles that no mask changes are computed without it; what they load for
// each column comes with the tile, by a warp of the producer.
// run: fusec %s --arch=sm_90a -o %t.cu
// run: grep "m_last <= n_start\|of_column\|to\[\|unmasked" %t.cu
fn backward(q: bf16[8, 2048, 64], k: bf16[8, 2048, 64], v: bf16[8, 2048, 64],
            do: bf16[8, 2048, 64], lse: f32[8, 2048], u: f32[8, 2048]
) -> (dk: bf16[8, 2048, 64], dv: bf16[8, 2048, 64]) {
    s = where(iota(2048)[:, None] >= iota(2048), q @ k.T, -inf);
    p = exp(s - lse[..., None]);
    ds = (p * (do @ v.T - u[..., None])) as bf16;
    dk = ds.T @ q;
    dv = (p as bf16).T @ do;
}
// ---- expect
//     float (*const of_columns)[column_values * tile_n] =
//     Mbarrier *const left_full = (Mbarrier *)(of_columns + stages);
//                 float *const to = of_columns[ring.slot];
//                 to[i] = lse_1;
//                 to[tile_n + i] = u_1;
//                 const float *const of_column = of_columns[ahead.slot];
//                 if (m_last <= n_start) {
//                                 const float unmasked = score[0][4 * j + 2 * half + part];
//                                 two[1][part] = exp(unmasked - of_column[8 * j + pair + part]);
//                                                    : -INFINITY) - of_column[8 * j + pair + part];
//                                                 of_column[tile_n + 8 * j + pair + part];
