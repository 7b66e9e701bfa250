// A group is reduced by the lanes that have it, and read by them at once.
// run: fusec %s --arch=sm_90a --no-test -o %t.cu
// run: sed -n "/stage 2 of 2/,/^}/p" %t.cu
// run: fusec %s --no-test -o %t.c
// run: sed -n "/^static void quantised_0/,/^}/p" %t.c
fn quantised(x: bf16[8192, 4096], gain: f32[4096]) -> (q: i8[8192, 4096], s: f32[8192, 32]) {
    h = reshape(rms_norm(x, gain), 8192, 32, 128);
    s = max(max(abs(h)), 1e-10) / 127;
    q = reshape(round(h / s[:, :, None]), 8192, 4096) as i8;
}
// ---- expect
//     // stage 2 of 2: q
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         float max_1 = -INFINITY;
//         {
//             const int col = (item * 128 + thread) * VEC;
//             const Pack<float, VEC> gain_pack = load_pack<VEC>(gain + col);
// #pragma unroll
//             for (int l = 0; l < VEC; l++) {
//                 const float x_1 = from_bf16(x_items[item].at[l]);
//                 const float h = x_1 * rstd * gain_pack.at[l];
//                 max_1 = max_nan(max_1, fabs(h));
//             }
//         }
//         max_1 = group_reduce<Max, 1, 128 / VEC, 128>(max_1);
//         {
//             const int col = (item * 128 + thread) * VEC;
//             const int j0 = col / 128;
//             const float s_1 = divide(max_nan(max_1, 1e-10f), 127.0f);
//             if (col % 128 == 0) s[row * 32 + j0] = s_1;
//             const Pack<float, VEC> gain_pack = load_pack<VEC>(gain + col);
//             Pack<signed char, VEC> q_pack;
// #pragma unroll
//             for (int l = 0; l < VEC; l++) {
//                 const float x_1 = from_bf16(x_items[item].at[l]);
//                 const float h = x_1 * rstd * gain_pack.at[l];
//                 q_pack.at[l] = (signed char)(i8_of(rint(divide_by(h, s_1))));
//             }
//             store_pack(q + col + row * 4096, q_pack);
//         }
//     }
// }
// static void quantised_0(const bf16 *restrict x, const float *restrict gain, int8_t *restrict q,
//                         float *restrict s)
// {
// #pragma omp parallel for schedule(static)
//     for (idx i0 = 0; i0 < 8192; i0++) {
//         f32 part_sum_1[4];
//         for (int u = 0; u < 4; u++) part_sum_1[u] = splat_f32(0);
//         EACH_FOUR_ROWS(i1, i2, u, lanes, 32, 128) {
//             __builtin_prefetch(x + i0 * 4096 + i1 * 128 + i2 + 512, 0, 2);
//             const f32 x_1 = ld_bf16(x + i0 * 4096 + i1 * 128 + i2, VL);
//             part_sum_1[u] += x_1 * x_1;
//         }
//         const f32 sum_1 = sum_lanes_f32(FOLD4(add_f32, part_sum_1));
//         const f32 rstd = rsqrt_f32(sum_1 * 0.00024414062f + 1e-06f);
//         for (idx i1 = 0; i1 < 32; i1++) {
//             f32 max_1 = splat_f32(-INFINITY);
//             for (idx i2 = 0; i2 < 128; i2 += VL) {
//                 if (i2 / VL % 2 == 0) __builtin_prefetch(x + (i0 + 1) * 4096 + i1 * 128 + i2, 0, 2);
//                 const f32 x_2 = ld_bf16(x + i0 * 4096 + i1 * 128 + i2, VL);
//                 const f32 gain_1 = ld_f32(gain + i1 * 128 + i2, VL);
//                 const f32 h = x_2 * rstd * gain_1;
//                 max_1 = max_f32(max_1, abs_f32(h));
//             }
//             max_1 = max_lanes_f32(max_1);
//             const f32 s_1 = max_f32(max_1, splat_f32(1e-10f)) / 127.0f;
//             put_f32(s + i0 * 32 + i1, s_1);
//             for (idx i2 = 0; i2 < 128; i2 += VL) {
//                 const f32 x_3 = ld_bf16(x + i0 * 4096 + i1 * 128 + i2, VL);
//                 const f32 gain_2 = ld_f32(gain + i1 * 128 + i2, VL);
//                 const f32 h_2 = x_3 * rstd * gain_2;
//                 st_i8(q + i0 * 4096 + i1 * 128 + i2, i8_f32(round_f32(h_2 / s_1)), VL);
//             }
//         }
//     }
// }
