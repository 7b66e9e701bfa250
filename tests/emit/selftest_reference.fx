// The plain reference: the graph node by node, rounded where the model rounds.
// run: fusec %s -o %t.c
// run: sed -n "/^static void fx_reference/,/^}/p" %t.c
// run: fusec %s -o %t.cu
// run: sed -n "/^static int fx_call/,/^}/p" %t.cu
fn score[N, K, V](x: bf16[N, K], w: bf16[V, K], at: i32[N]) -> (best: i32[N], p: bf16[N, 1], total: i32) {
    s = x @ w.T * rsqrt(K);
    e = exp(s - max(s, keep = true)) as bf16;
    p = (sum(e, keep = true) as bf16) + take(w, at, axis = 0)[:, :1];
    best = argmax(s);
    total = sum(best);
}
// ---- expect
// static void fx_reference_score(const int64_t *fx_dims, void *const *fx_data)
// {
//     const int64_t N = fx_dims[0];
//     const int64_t K = fx_dims[1];
//     const int64_t V = fx_dims[2];
//     const double *const v1 = (const double *)fx_data[0];
//     const double *const v2 = (const double *)fx_data[1];
//     const int64_t *const v3 = (const int64_t *)fx_data[2];
//
//     /* dim: i64 */
//     int64_t v4;
//     v4 = K;
//
//     /* permute: bf16[K, V] */
//     double *const v5 = (double *)fx_ref_array(K*V);
//     for (int64_t i0 = 0; i0 < K; i0++) {
//         for (int64_t i1 = 0; i1 < V; i1++) {
//             v5[i0*V + i1] = v2[i1*K + i0];
//         }
//     }
//
//     /* permute: bf16[V, K] */
//     double *const v6 = (double *)fx_ref_array(V*K);
//     for (int64_t i0 = 0; i0 < V; i0++) {
//         for (int64_t i1 = 0; i1 < K; i1++) {
//             v6[i0*K + i1] = v5[i1*V + i0];
//         }
//     }
//     free(v5);
//
//     /* matmul: f32[N, V] */
//     double *const v7 = (double *)fx_ref_array(N*V);
//     for (int64_t i0 = 0; i0 < N; i0++) {
//         for (int64_t i1 = 0; i1 < V; i1++) {
//             double r0 = 0;
//             for (int64_t k0 = 0; k0 < K; k0++) {
//                 r0 = fx_ref_sum_f32(r0 + v1[i0*K + k0] * v6[i1*K + k0]);
//             }
//             v7[i0*V + i1] = fx_ref_f32(r0);
//         }
//     }
//     free(v6);
//
//     /* as: f64 */
//     double v8;
//     v8 = (double)v4;
//
//     /* rsqrt: f64 */
//     double v9;
//     v9 = fx_ref_f64(1.0 / sqrt(v8));
//
//     /* as: f32 */
//     double v10;
//     v10 = (float)v9;
//
//     /* mul: f32[N, V] */
//     double *const v13 = (double *)fx_ref_array(N*V);
//     for (int64_t i0 = 0; i0 < N*V; i0++)
//         v13[i0] = fx_ref_f32(v7[i0] * v10);
//     free(v7);
//
//     /* max: f32[N, 1] */
//     double *const v14 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++) {
//         double r0 = -INFINITY;
//         for (int64_t i1 = 0; i1 < V; i1++) {
//             r0 = fx_ref_max(r0, v13[i0*V + i1]);
//         }
//         v14[i0] = r0;
//     }
//
//     /* broadcast: f32[N, V] */
//     double *const v15 = (double *)fx_ref_array(N*V);
//     for (int64_t i0 = 0; i0 < N; i0++) {
//         for (int64_t i1 = 0; i1 < V; i1++) {
//             v15[i0*V + i1] = v14[i0];
//         }
//     }
//     free(v14);
//
//     /* sub: f32[N, V] */
//     double *const v16 = (double *)fx_ref_array(N*V);
//     for (int64_t i0 = 0; i0 < N*V; i0++)
//         v16[i0] = fx_ref_f32(v13[i0] - v15[i0]);
//     free(v15);
//
//     /* exp: f32[N, V] */
//     double *const v17 = (double *)fx_ref_array(N*V);
//     for (int64_t i0 = 0; i0 < N*V; i0++)
//         v17[i0] = fx_ref_f32(exp(v16[i0]));
//     free(v16);
//
//     /* as: bf16[N, V] */
//     double *const v18 = (double *)fx_ref_array(N*V);
//     for (int64_t i0 = 0; i0 < N*V; i0++)
//         v18[i0] = fx_ref_narrow(FX_BF16, v17[i0]);
//     free(v17);
//
//     /* as: f32[N, V] */
//     double *const v19 = (double *)fx_ref_array(N*V);
//     for (int64_t i0 = 0; i0 < N*V; i0++)
//         v19[i0] = v18[i0];
//     free(v18);
//
//     /* sum: f32[N, 1] */
//     double *const v20 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++) {
//         double r0 = 0;
//         for (int64_t i1 = 0; i1 < V; i1++) {
//             r0 = fx_ref_sum_f32(r0 + v19[i0*V + i1]);
//         }
//         v20[i0] = fx_ref_f32(r0);
//     }
//     free(v19);
//
//     /* as: bf16[N, 1] */
//     double *const v21 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++)
//         v21[i0] = fx_ref_narrow(FX_BF16, v20[i0]);
//     free(v20);
//
//     /* take: bf16[N, K] */
//     double *const v22 = (double *)fx_ref_array(N*K);
//     for (int64_t i0 = 0; i0 < N; i0++) {
//         for (int64_t i1 = 0; i1 < K; i1++) {
//             v22[i0*K + i1] = v2[fx_ref_index(v3[i0], V)*K + i1];
//         }
//     }
//
//     /* slice: bf16[N, 1] */
//     double *const v23 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++) {
//         v23[i0] = v22[i0*K];
//     }
//     free(v22);
//
//     /* as: f32[N, 1] */
//     double *const v24 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++)
//         v24[i0] = v21[i0];
//     free(v21);
//
//     /* as: f32[N, 1] */
//     double *const v25 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++)
//         v25[i0] = v23[i0];
//     free(v23);
//
//     /* add: f32[N, 1] */
//     double *const v26 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++)
//         v26[i0] = fx_ref_f32(v24[i0] + v25[i0]);
//     free(v24);
//     free(v25);
//
//     /* as: bf16[N, 1] */
//     double *const v27 = (double *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++)
//         v27[i0] = fx_ref_narrow(FX_BF16, v26[i0]);
//     free(v26);
//
//     /* argmax: i32[N, 1] */
//     int64_t *const v28 = (int64_t *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++) {
//         int64_t r0 = -1;
//         double r1 = 0;
//         for (int64_t i1 = 0; i1 < V; i1++) {
//             if (r0 < 0 || fx_ref_above(v13[i0*V + i1], r1)) {
//                 r0 = i1;
//                 r1 = v13[i0*V + i1];
//             }
//         }
//         v28[i0] = (int32_t)r0;
//     }
//     free(v13);
//
//     /* reshape: i32[N] */
//     int64_t *const v29 = (int64_t *)fx_ref_array(N);
//     for (int64_t i0 = 0; i0 < N; i0++)
//         v29[i0] = v28[i0];
//     free(v28);
//
//     /* sum: i32[1] */
//     int64_t v30;
//     {
//         int64_t r0 = 0;
//         for (int64_t i0 = 0; i0 < N; i0++) {
//             r0 = fx_ref_add(r0, v29[i0]);
//         }
//         v30 = (int32_t)r0;
//     }
//
//     for (int64_t i0 = 0; i0 < N; i0++)
//         ((int64_t *)fx_data[3])[i0] = v29[i0];
//     for (int64_t i0 = 0; i0 < N; i0++)
//         ((double *)fx_data[4])[i0] = v27[i0];
//     for (int64_t i0 = 0; i0 < 1; i0++)
//         ((int64_t *)fx_data[5])[i0] = v30;
//     free(v27);
//     free(v29);
// }
// static int fx_call_score(const int64_t *fx_dims, void *const *fx_at, void *fx_space)
// {
//     const int64_t N = fx_dims[0];
//     const int64_t K = fx_dims[1];
//     const int64_t V = fx_dims[2];
//     return score(fx_at[0], fx_at[1], fx_at[2], fx_at[3], fx_at[4], fx_at[5], N, K, V, fx_space, 0);
// }
