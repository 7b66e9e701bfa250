// Kernels that are the same but for their buffers are one function, called with the buffers of each;
// its comment names them all. Temporaries and outputs are stored alike by contractions; in C, rows
// that go around the cache are not. A tile of its own makes a kernel different.
// run: fusec %s --target=c -o %t.c
// run: grep -E -A1 "^/\* layers_|^ \* layers|^static void layers_|^    (/\* )?layers_" %t.c
// run: fusec %s -o %t.cu
// run: grep -c __global__ %t.cu
// run: grep -oE "Also.*|(/\* |^ +)layers_[0-9]( .*|<<<)" %t.cu
// run: fusec %s -o %t.cu --tile layers_4:threads=64
// run: grep -oE "^ +layers_.<<" %t.cu
// run: fusec %s --emit=kernel
// run: fusec explain %s > %t.txt
// run: grep -E "^kernel|calls" %t.txt
// run: fusec run %s -D N=9 -D D=37 --device=cpu --check
// run: fusec run %s -D N=9 -D D=37 --device=cpu --check -O0
// kernels: 8
fn layer[N, D](x: f32[N, D], gain: f32[D], w: f32[D, D]) -> (y: f32[N, D]) {
    h = x * rsqrt(mean(x * x, keep = true) + 1e-6) * gain;
    y = x + tanh(h @ w.T);
}
fn layers[N, D](
    x: f32[N, D],
    gain_1: f32[D],
    w_1: f32[D, D],
    gain_2: f32[D],
    w_2: f32[D, D],
    gain_3: f32[D],
    w_3: f32[D, D],
    gain_4: f32[D],
    w_4: f32[D, D]
) -> (y: f32[N, D]) {
    x_1 = layer(x, gain_1, w_1);
    x_2 = layer(x_1, gain_2, w_2);
    x_3 = layer(x_2, gain_3, w_3);
    y = layer(x_3, gain_4, w_4);
}
// ---- expect
// /* layers_0: mul, sum, div, add, rsqrt; N rows of D; also called as layers_2, layers_4, layers_6 */
// static void layers_0(const float *restrict x, const float *restrict gain_1_, float *restrict h,
//                      idx N, idx D, float count)
// --
// /* layers_1: matmul, tanh, add; a product of N x D and D x D; also called as layers_3, layers_5,
//  * layers_7 */
// static void layers_1(const float *restrict x, const float *restrict w_1_,
//                      const float *restrict h, float *restrict y_temp, idx N, idx D, char *packed)
// --
//     layers_0(x, gain_1_, h, N, D, count);
//     layers_1(x, w_1_, h, y_temp, N, D, packed);
//     /* layers_2 */
//     layers_0(y_temp, gain_2_, h2, N, D, count);
//     /* layers_3 */
//     layers_1(y_temp, w_2_, h2, y_temp2, N, D, packed);
//     /* layers_4 */
//     layers_0(y_temp2, gain_3_, h3, N, D, count);
//     /* layers_5 */
//     layers_1(y_temp2, w_3_, h3, y_temp3, N, D, packed);
//     /* layers_6 */
//     layers_0(y_temp3, gain_4_, h4, N, D, count);
//     /* layers_7 */
//     layers_1(y_temp3, w_4_, h4, y, N, D, packed);
//     return 0;
// 2
// Also launched as
// Also launched
//         layers_0<<<
//     layers_1<<<
// /* layers_2 */
//         layers_0<<<
// /* layers_3 */
//     layers_1<<<
// /* layers_4 */
//         layers_0<<<
// /* layers_5 */
//     layers_1<<<
// /* layers_6 */
//         layers_0<<<
// /* layers_7 */
//     layers_1<<<
//         layers_0<<
//     layers_1<<
//         layers_0<<
//     layers_1<<
//         layers_4<<
//     layers_1<<
//         layers_0<<
//     layers_1<<
// kernel layers_0: row
//   in  x: f32
//   in  gain_1: f32
//   out h: f32
//   loops row i0 < N col i1 < D (lanes); 2 stages
//     v1 = load x[i0 * D + i1] : f32                        // element, stage 0
//     v2 = mul v1 v1 : f32                                  // element, stage 0
//     v3 = acc 0 : f32                                      // row, stage 1
//     v4 = uniform count_u13 : f32                          // uniform, stage 0
//     v5 = div v3 v4 : f32                                  // row, stage 1
//     v6 = const 0x3eb0c6f7a0000000 : f32                   // uniform, stage 0
//     v7 = add v5 v6 : f32                                  // row, stage 1
//     v8 = rsqrt v7 : f32                                   // row, stage 1
//     v9 = mul v1 v8 : f32                                  // element, stage 1
//     v10 = load gain_1[i1] : f32                           // element, stage 0
//     v11 = mul v9 v10 : f32                                // element, stage 1
//     acc 0 = sum v2  // stage 0
//     h[i0 * D + i1] = v11  // stage 1
// kernel layers_1: contraction
//   in  x: f32
//   in  w_1: f32
//   in  h: f32
//   out y_temp: f32
//   loops row i0 < 1 row i1 < N row i2 < D col i3 < D
//   left operand v1
//     v1 = load h[i1 * D + i3] : f32
//   right operand of acc 0 v2
//     v2 = load w_1[i2 * D + i3] : f32
//   results v6
//     v3 = acc 0 : f32
//     v4 = load x[i1 * D + i2] : f32
//     v5 = tanh v3 : f32
//     v6 = add v4 v5 : f32
//     acc 0 = matmul v1 v2
//     y_temp[i1 * D + i2] = v6
// kernel layers_2: row, calls layers_0 with
//   in  y_temp: f32
//   in  gain_2: f32
//   out h2: f32
// kernel layers_3: contraction, calls layers_1 with
//   in  y_temp: f32
//   in  w_2: f32
//   in  h2: f32
//   out y_temp2: f32
// kernel layers_4: row, calls layers_0 with
//   in  y_temp2: f32
//   in  gain_3: f32
//   out h3: f32
// kernel layers_5: contraction, calls layers_1 with
//   in  y_temp2: f32
//   in  w_3: f32
//   in  h3: f32
//   out y_temp3: f32
// kernel layers_6: row, calls layers_0 with
//   in  y_temp3: f32
//   in  gain_4: f32
//   out h4: f32
// kernel layers_7: contraction, calls layers_1 with
//   in  y_temp3: f32
//   in  w_4: f32
//   in  h4: f32
//   out y: f32
// kernel layers_0: row over [N, D] along D
// kernel layers_1: dot over [N, D]
// kernel layers_2: row over [N, D] along D
//   calls     layers_0: the same code with other buffers
// kernel layers_3: dot over [N, D]
//   calls     layers_1: the same code with other buffers
// kernel layers_4: row over [N, D] along D
//   calls     layers_0: the same code with other buffers
// kernel layers_5: dot over [N, D]
//   calls     layers_1: the same code with other buffers
// kernel layers_6: row over [N, D] along D
//   calls     layers_0: the same code with other buffers
// kernel layers_7: dot over [N, D]
//   calls     layers_1: the same code with other buffers
// y: f32[9, 37]  mean -0.04331  max 4.466  checksum 2cba97076fdafa3b
// y: ok, largest error 1.19e-06 of 4.04e-06 allowed, mean 2.55e-07 of 1.32e-06, at [6, 30]: got 1.35486627, want 1.35486507
// fusec: remark: random inputs, seed 0: x, gain_1, w_1, gain_2, w_2, gain_3, w_3, gain_4, w_4
// y: f32[9, 37]  mean -0.04331  max 4.466  checksum 01a4683ab9121a0e
// y: ok, largest error 1.19e-06 of 4.04e-06 allowed, mean 2.57e-07 of 1.32e-06, at [6, 30]: got 1.35486627, want 1.35486507
// fusec: remark: random inputs, seed 0: x, gain_1, w_1, gain_2, w_2, gain_3, w_3, gain_4, w_4
