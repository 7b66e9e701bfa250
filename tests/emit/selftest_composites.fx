// The reference of the self-test computes composite operations from their definitions.
// run: fusec %s -o %t.c
// run: sed -n "/^static void fx_reference/,/^}/p" %t.c
fn f[N, D](x: bf16[N, D], g: f32[D], b: f32[D], labels: i32[N]) -> (y: f32[N, D], z: f32[N], u: f32[D]) {
    h = layer_norm(x, g, b);
    y = softmax(gelu(h) ** 3);
    z = cross_entropy(h, labels) + var(h, axis = 1);
    u = logsumexp(clamp(h, -1.0, 1.0), axis = 0);
}
// ---- expect
// static void fx_reference_f(const int64_t *fx_dims, void *const *fx_data)
// {
//     const int64_t N = fx_dims[0];
//     const int64_t D = fx_dims[1];
//     const double *const v1 = (const double *)fx_data[0];
//     const double *const v2 = (const double *)fx_data[1];
//     const double *const v3 = (const double *)fx_data[2];
//     const int64_t *const v4 = (const int64_t *)fx_data[3];
//
//     /* as: f32[N, D] */
//     double *const v5 = (double *)fx_ref_array(N*D);
//     for (int64_t i0 = 0; i0 < N*D; i0++)
//         v5[i0] = v1[i0];
//
//     /* layer_norm: f32[N, D] */
//     double *const v6 = (double *)fx_ref_array(N*D);
//     {
//         double *const r0 = (double *)fx_ref_array(D);
//         for (int64_t i0 = 0; i0 < N; i0++) {
//             for (int64_t i1 = 0; i1 < D; i1++) {
//                 r0[i1] = v5[i0*D + i1];
//             }
//             fx_ref_layer_norm(FX_F32, r0, D, 1e-05);
//             for (int64_t i1 = 0; i1 < D; i1++) {
//                 v6[i0*D + i1] = fx_ref_f32(fx_ref_f32(r0[i1] * v2[i1]) + v3[i1]);
//             }
//         }
//         free(r0);
//     }
//     free(v5);
//
//     /* gelu: f32[N, D] */
//     double *const v7 = (double *)fx_ref_array(N*D);
//     for (int64_t i0 = 0; i0 < N*D; i0++)
//         v7[i0] = fx_ref_gelu(FX_F32, v6[i0]);
//
//     /* pow: f32[N, D] */
//     double *const v11 = (double *)fx_ref_array(N*D);
//     for (int64_t i0 = 0; i0 < N*D; i0++)
//         v11[i0] = fx_ref_power(FX_F32, v7[i0], 3);
//     free(v7);
//
//     /* softmax: f32[N, D] */
//     double *const v12 = (double *)fx_ref_array(N*D);
//     {
//         double *const r0 = (double *)fx_ref_array(D);
//         for (int64_t i0 = 0; i0 < N; i0++) {
//             for (int64_t i1 = 0; i1 < D; i1++) {
//                 r0[i1] = v11[i0*D + i1];
//             }
//             fx_ref_softmax(FX_F32, r0, D);
//             for (int64_t i1 = 0; i1 < D; i1++) {
//                 v12[i0*D + i1] = r0[i1];
//             }
//         }
//         free(r0);
//     }
//     free(v11);
//
//     /* cross_entropy: f32[N] */
//     double *const v13 = (double *)fx_ref_array(N);
//     {
//         double *const r0 = (double *)fx_ref_array(D);
//         for (int64_t i0 = 0; i0 < N; i0++) {
//             for (int64_t i1 = 0; i1 < D; i1++) {
//                 r0[i1] = v6[i0*D + i1];
//             }
//             v13[i0] = fx_ref_cross_entropy(FX_F32, r0, D, v4[i0]);
//         }
//         free(r0);
//     }
//
//     /* var: f32[N, 1] */
//     double *const v14 = (double *)fx_ref_array(N);
//     {
//         double *const r0 = (double *)fx_ref_array(D);
//         for (int64_t i0 = 0; i0 < N; i0++) {
//             for (int64_t i1 = 0; i1 < D; i1++) {
//                 r0[i1] = v6[i0*D + i1];
//             }
//             v14[i0] = fx_ref_var(FX_F32, r0, D);
//         }
//         free(r0);
//     }
//
//     /* reshape: f32[N] */
//     double *const v15 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++)
//         v15[i0] = v14[i0];
//     free(v14);
//
//     /* add: f32[N] */
//     double *const v16 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++)
//         v16[i0] = fx_ref_f32(v13[i0] + v15[i0]);
//     free(v13);
//     free(v15);
//
//     /* clamp: f32[N, D] */
//     double *const v23 = (double *)fx_ref_array(N*D);
//     for (int64_t i0 = 0; i0 < N*D; i0++)
//         v23[i0] = fx_ref_min(fx_ref_max(v6[i0], (-1.0)), 1.0);
//     free(v6);
//
//     /* logsumexp: f32[1, D] */
//     double *const v24 = (double *)fx_ref_array(D);
//     {
//         double *const r0 = (double *)fx_ref_array(N);
//         for (int64_t i1 = 0; i1 < D; i1++) {
//             for (int64_t i0 = 0; i0 < N; i0++) {
//                 r0[i0] = v23[i0*D + i1];
//             }
//             v24[i1] = fx_ref_logsumexp(FX_F32, r0, N);
//         }
//         free(r0);
//     }
//     free(v23);
//
//     /* reshape: f32[D] */
//     double *const v25 = (double *)fx_ref_array(D);
//     for (int64_t i0 = 0; i0 < D; i0++)
//         v25[i0] = v24[i0];
//     free(v24);
//
//     for (int64_t i0 = 0; i0 < N*D; i0++)
//         ((double *)fx_data[4])[i0] = v12[i0];
//     for (int64_t i0 = 0; i0 < N; i0++)
//         ((double *)fx_data[5])[i0] = v16[i0];
//     for (int64_t i0 = 0; i0 < D; i0++)
//         ((double *)fx_data[6])[i0] = v25[i0];
//     free(v12);
//     free(v16);
//     free(v25);
// }
