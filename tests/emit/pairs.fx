// Pointwise kernels over a few columns, as pairs of numbers: lanes are neighbouring rows.
// run: fusec run %s --fn=product -D N=37 --device=cpu --check --color=never
// run: fusec run %s --fn=product -D N=1 --device=cpu --check --color=never
// run: fusec run %s --fn=turn -D S=5 --device=cpu --check --color=never
// run: fusec %s --no-test -o %t.c
// run: sed -n "/^static void [a-z]*_0/,/^}/p" %t.c
fn product[N](a: f32[N, 2], b: f32[N, 2]) -> (c: f32[N, 2]) {
    real = a[:, 0] * b[:, 0] - a[:, 1] * b[:, 1];
    imaginary = a[:, 0] * b[:, 1] + a[:, 1] * b[:, 0];
    c = concat(real[:, None], imaginary[:, None]);
}
fn turn[S](x: bf16[S, 8, 16, 2], cos: f32[S, 16], sin: f32[S, 16]) -> (y: bf16[S, 8, 16, 2]) {
    c = cos[:, None, :];
    s = sin[:, None, :];
    first = x[:, :, :, 0] * c - x[:, :, :, 1] * s;
    second = x[:, :, :, 0] * s + x[:, :, :, 1] * c;
    y = concat(first[:, :, :, None], second[:, :, :, None]);
}
// ---- expect
// c: f32[37, 2]  mean -0.02054  max 1.159  checksum c72f24777192918c
// c: ok, largest error 5.96e-08 of 6.72e-07 allowed, mean 1.64e-08 of 2.73e-07, at [2, 0]: got 0.592014551, want 0.592014611
// fusec: remark: random inputs, seed 0: a, b
// c: f32[1, 2]  mean 0.2576  max 0.4798  checksum aead40f1f35d17cd
// c: ok, largest error 3.73e-09 of 2.62e-07 allowed, at [0, 1]: got 0.0354930088, want 0.0354930051
// fusec: remark: random inputs, seed 0: a, b
// y: bf16[5, 8, 16, 2]  mean -0.02119  max 1.711  checksum d27257631a17e108
// y: ok, largest error 0 of 0.00195 allowed, mean 0 of 0.000228, at [0, 0, 0, 0]: got 0.28515625, want 0.28515625
// fusec: remark: random inputs, seed 0: x, cos, sin
// static void product_0(const float *restrict a, const float *restrict b, float *restrict c, idx N)
// {
//     const bool stream = 8*N >= 16777216;
// #pragma omp parallel for schedule(static) if (2*N >= 32768)
//     for (idx i0 = 0; i0 < N; i0 += VL) {
//         const idx lanes = N - i0 < VL ? N - i0 : VL;
//         const f32 a_1 = ld_strided_f32(a + i0 * 2, 2, lanes);
//         const f32 b_1 = ld_strided_f32(b + i0 * 2 + 1, 2, lanes);
//         const f32 b_2 = ld_strided_f32(b + i0 * 2, 2, lanes);
//         const f32 a_2 = ld_strided_f32(a + i0 * 2 + 1, 2, lanes);
//         const f32 column_1 = a_1 * b_1 + b_2 * a_2;
//         const f32 a_3 = ld_strided_f32(a + i0 * 2, 2, lanes);
//         const f32 b_3 = ld_strided_f32(b + i0 * 2, 2, lanes);
//         const f32 a_4 = ld_strided_f32(a + i0 * 2 + 1, 2, lanes);
//         const f32 b_4 = ld_strided_f32(b + i0 * 2 + 1, 2, lanes);
//         const f32 column_2 = a_3 * b_3 - a_4 * b_4;
//         out_f32(c + i0 * 2, IN_TURN_LOW(column_2, column_1), fx_least(2 * lanes, VL), stream);
//         if (2 * lanes > VL)
//             out_f32(c + i0 * 2 + VL, IN_TURN_HIGH(column_2, column_1), 2 * lanes - VL, stream);
//     }
//     stream_fence();
// }
// static void turn_0(const bf16 *restrict x, const float *restrict cos__,
//                    const float *restrict sin__, bf16 *restrict y, idx S)
// {
//     const bool stream = 512*S >= 16777216;
// #pragma omp parallel for collapse(3) schedule(static) if (256*S >= 32768)
//     for (idx i0 = 0; i0 < S; i0++) {
//         for (idx i1 = 0; i1 < 8; i1++) {
//             for (idx i2 = 0; i2 < 16; i2 += VL) {
//                 const f32 x_1 = ld_strided_bf16(x + i0 * 256 + i1 * 32 + i2 * 2, 2, VL);
//                 const f32 sin_1 = ld_f32(sin__ + i0 * 16 + i2, VL);
//                 const f32 cos_1 = ld_f32(cos__ + i0 * 16 + i2, VL);
//                 const f32 x_2 = ld_strided_bf16(x + i0 * 256 + i1 * 32 + i2 * 2 + 1, 2, VL);
//                 const f32 column_1 = x_1 * sin_1 + cos_1 * x_2;
//                 const f32 x_3 = ld_strided_bf16(x + i0 * 256 + i1 * 32 + i2 * 2, 2, VL);
//                 const f32 cos_2 = ld_f32(cos__ + i0 * 16 + i2, VL);
//                 const f32 x_4 = ld_strided_bf16(x + i0 * 256 + i1 * 32 + i2 * 2 + 1, 2, VL);
//                 const f32 sin_2 = ld_f32(sin__ + i0 * 16 + i2, VL);
//                 const f32 column_2 = x_3 * cos_2 - x_4 * sin_2;
//                 out_bf16(y + i0 * 256 + i1 * 32 + i2 * 2, IN_TURN_LOW(column_2, column_1), VL,
//                          stream);
//                 out_bf16(y + i0 * 256 + i1 * 32 + i2 * 2 + VL, IN_TURN_HIGH(column_2, column_1), VL,
//                          stream);
//             }
//         }
//     }
//     stream_fence();
// }
