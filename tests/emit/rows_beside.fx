// Short rows of known length side by side: each column of four rows, and in arrays what a row computes once.
// run: fusec %s --no-test -o %t.c
// run: sed -n "/^static void [a-z]*_0/,/^}/p" %t.c
// run: fusec run %s --fn=norm -D N=30 --device=cpu --check --color=never
// run: fusec run %s --fn=norm -D N=17 --device=cpu --check --color=never
// run: fusec run %s --fn=loss -D B=3 --device=cpu --check --color=never
// A gain that all rows share, an axis of rows that is no multiple of 4, a row's own store.
fn norm[N](x: bf16[N, 64], gain: f32[64]) -> (y: bf16[N, 64], rstd: f32[N]) {
    r = rsqrt(mean(x * x, keep = true) + 1e-6);
    y = x * r * gain;
    rstd = r[:, 0];
}
// Rows in multiples of 4; vectors that are not whole; positions, and elements at given ones.
fn loss[B](x: f32[B, 8, 20], label: i32[B, 8]) -> (y: f32[B, 8], best: i32[B, 8]) {
    y = cross_entropy(x, label);
    best = argmax(x);
}
// ---- expect
// static void norm_0(const bf16 *restrict x, const float *restrict gain, bf16 *restrict y,
//                    float *restrict rstd, idx N)
// {
//     const bool stream = 128*N >= 16777216;
// #pragma omp parallel for schedule(static) if (64*N >= 32768)
//     for (idx first = 0; first < N; first += 4) {
//         idx i0[4];
//         EACH_OF_ROWS(u, 4) i0[u] = fx_least(first + u, N - 1);
//         f32 sum_1[4];
//         EACH_OF_ROWS(u, 4) {
//             sum_1[u] = splat_f32(0);
//         }
//         for (idx i1 = 0; i1 < 64; i1 += VL) {
//             EACH_OF_ROWS(u, 4) {
//                 const f32 x_1 = ld_bf16(x + i0[u] * 64 + i1, VL);
//                 sum_1[u] += x_1 * x_1;
//             }
//         }
//         f32 r[4];
//         EACH_OF_ROWS(u, 4) {
//             sum_1[u] = sum_lanes_f32(sum_1[u]);
//             r[u] = rsqrt_f32(sum_1[u] * 0.015625f + 1e-06f);
//             put_f32(rstd + i0[u], r[u]);
//         }
//         for (idx i1 = 0; i1 < 64; i1 += VL) {
//             const f32 gain_1 = ld_f32(gain + i1, VL);
//             EACH_OF_ROWS(u, 4) {
//                 if (i1 / VL % 2 == 0) __builtin_prefetch(x + (i0[u] + 4) * 64 + i1, 0, 2);
//                 const f32 x_2 = ld_bf16(x + i0[u] * 64 + i1, VL);
//                 out_bf16(y + i0[u] * 64 + i1, x_2 * r[u] * gain_1, VL, stream);
//             }
//         }
//     }
//     stream_fence();
// }
// static void loss_0(const float *restrict x, const int32_t *restrict label, float *restrict y,
//                    int32_t *restrict best, idx B)
// {
// #pragma omp parallel for collapse(2) schedule(static) if (160*B >= 32768)
//     for (idx i0 = 0; i0 < B; i0++) {
//         for (idx first = 0; first < 8; first += 4) {
//             idx i1[4];
//             EACH_OF_ROWS(u, 4) i1[u] = first + u;
//             f32 label_logit[4];
//             f32 max_1[4];
//             f32 best_argmax[4];
//             i32 at_argmax[4], argmax[4];
//             EACH_OF_ROWS(u, 4) {
//                 const i32 label_1 = lds_i32(label + i0 * 8 + i1[u]);
//                 const i32 index = min_i32(max_i32(label_1, splat_i32(0)), splat_i32(19));
//                 const i64 at_1 = min_i64(max_i64(i64_i32(index), splat_i64(0)), splat_i64(20 - 1));
//                 const f32 x_1 = lds_f32(x + i0 * 160 + i1[u] * 20 + at_1[0]);
//                 label_logit[u] = where_f32(eq_i64(i64_i32(index), at_1), x_1, splat_f32(0.0f));
//                 max_1[u] = splat_f32(-INFINITY);
//                 best_argmax[u] = splat_f32(-INFINITY);
//                 at_argmax[u] = splat_i32(0);
//             }
//             EACH_VECTOR(i2, lanes, 20) {
//                 EACH_OF_ROWS(u, 4) {
//                     const f32 x_2 = ld_f32(x + i0 * 160 + i1[u] * 20 + i2, lanes);
//                     const i32 index_2 = lanes_i32((int32_t)i2);
//                     max_1[u] = max_f32(max_1[u], keep_f32(x_2, lanes, -INFINITY));
//                     argmax_step_f32(&best_argmax[u], &at_argmax[u], x_2, index_2, lanes);
//                 }
//             }
//             f32 shift_1[4];
//             f32 sub[4];
//             b1 eq[4];
//             f32 exp_sum[4];
//             EACH_OF_ROWS(u, 4) {
//                 max_1[u] = max_lanes_f32(max_1[u]);
//                 argmax[u] = argmax_lanes_f32(best_argmax[u], at_argmax[u]);
//                 shift_1[u] =
//                     where_f32(eq_f32(max_1[u], splat_f32(-INFINITY)), splat_f32(0.0f), max_1[u]);
//                 sub[u] = shift_1[u] - label_logit[u];
//                 eq[u] = eq_f32(max_1[u], splat_f32(INFINITY));
//                 put_i32(best + i0 * 8 + i1[u], argmax[u]);
//                 exp_sum[u] = splat_f32(0);
//             }
//             EACH_VECTOR(i2, lanes, 20) {
//                 EACH_OF_ROWS(u, 4) {
//                     __builtin_prefetch(x + i0 * 160 + (i1[u] + 4) * 20 + i2, 0, 2);
//                     const f32 x_3 = ld_f32(x + i0 * 160 + i1[u] * 20 + i2, lanes);
//                     exp_sum[u] += keep_f32(exp_f32(x_3 - shift_1[u]), lanes, 0);
//                 }
//             }
//             EACH_OF_ROWS(u, 4) {
//                 exp_sum[u] = sum_lanes_f32(exp_sum[u]);
//                 put_f32(y + i0 * 8 + i1[u],
//                         sub[u] + where_f32(eq[u], splat_f32(0.0f), log_f32(exp_sum[u])));
//             }
//         }
//     }
// }
// y: bf16[30, 64]  mean 0.006119  max 1.68  checksum af3ab8b07474a16b
// rstd: f32[30]  mean 1.754  max 1.953  checksum 18d1cbf16d0ac935
// y: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000285, at [0, 0]: got -0.129882812, want -0.129882812
// rstd: ok, largest error 1.19e-07 of 1.29e-06 allowed, at [1]: got 1.78840125, want 1.78840137
// fusec: remark: random inputs, seed 0: x, gain
// y: bf16[17, 64]  mean 0.01325  max 1.68  checksum ec79b03cac13bcc0
// rstd: f32[17]  mean 1.754  max 1.953  checksum 01c87622c0d7ee36
// y: ok, largest error 0 of 0.000977 allowed, mean 0 of 0.000287, at [0, 0]: got -0.129882812, want -0.129882812
// rstd: ok, largest error 1.19e-07 of 1.29e-06 allowed, at [1]: got 1.78840125, want 1.78840137
// fusec: remark: random inputs, seed 0: x, gain
// y: f32[3, 8]  mean 3.131  max 4.111  checksum 29021067eb5cf8f0
// best: i32[3, 8]  mean 9.667  max 19  checksum 842bac0c4b6f3836
// y: ok, largest error 4.77e-07 of 3.39e-06 allowed, at [0, 6]: got 4.11094952, want 4.11094999
// best: ok
// fusec: remark: random inputs, seed 0: x, label
