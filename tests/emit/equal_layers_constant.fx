// Equal layers of constant weights pack them by one function, too, each into its own memory.
// run: fusec %s --target=c -D D=24 -o %t.c
// run: grep -E -A1 "^static void layers_|^    (/\* )?layers_" %t.c
// run: fusec run %s -D N=5 -D D=24 --device=cpu --check
@constant(w_1, w_2, w_3, w_4)
fn layers[N, D](
    x: f32[N, D],
    w_1: f32[D, D],
    w_2: f32[D, D],
    w_3: f32[D, D],
    w_4: f32[D, D]
) -> (y: f32[N, D]) {
    x_1 = tanh(x @ w_1.T);
    x_2 = tanh(x_1 @ w_2.T);
    x_3 = tanh(x_2 @ w_3.T);
    y = tanh(x_3 @ w_4.T);
}
// ---- expect
// static void layers_0_pack_w_1_9_panels(float *restrict w_1_9_panels, const float *restrict w_1_)
// {
// --
// static void layers_0(const float *restrict x, float *restrict x_1_,
//                      const float *restrict w_1_9_panels, idx N, char *packed)
// --
//     layers_0_pack_w_1_9_panels(w_1_9_panels, w_1_);
//     layers_0_pack_w_1_9_panels(w_2_10_panels, w_2_);
//     layers_0_pack_w_1_9_panels(w_3_11_panels, w_3_);
//     layers_0_pack_w_1_9_panels(w_4_12_panels, w_4_);
//     int64_t *const fx_made_for = (int64_t *)prepared;
// --
//     layers_0(x, x_1_, w_1_9_panels, N, packed);
//     /* layers_1 */
//     layers_0(x_1_, x_2_, w_2_10_panels, N, packed);
//     /* layers_2 */
//     layers_0(x_2_, x_3_, w_3_11_panels, N, packed);
//     /* layers_3 */
//     layers_0(x_3_, y, w_4_12_panels, N, packed);
//     return 0;
// y: f32[5, 24]  mean -0.03488  max 1  checksum bde6b37e17cd8dc6
// y: ok, largest error 8.05e-07 of 2.15e-06 allowed, mean 1.5e-07 of 7.63e-07, at [3, 19]: got 0.423895687, want 0.423896492
// fusec: remark: random inputs, seed 0: x, w_1, w_2, w_3, w_4
