// Where outputs are in the memory of inputs, rows and elements that do not change are left.
// run: fusec %s --fn=cache --target=c --no-test -o %t.c
// run: sed -n "/^static void cache_1/,$p" %t.c
// run: fusec %s --fn=cache --target=cuda --no-test --assume-aligned -o %t.cu
// run: sed -n "/^DEVICE void cache_1/,/^}/p" %t.cu
// run: grep -A1 "^ . What is" %t.cu
// run: fusec %s --fn=chosen --target=c --no-test -o %t.c
// run: sed -n "/^static void chosen_0/,/^}/p" %t.c
// run: fusec %s --fn=chosen --target=cuda --no-test --assume-aligned -o %t.cu
// run: sed -n "/^DEVICE void chosen_0/,/^}/p" %t.cu
// run: fusec %s --fn=large --target=c --no-test -o %t.c
// run: sed -n "/^static void large_1/,/^}/p" %t.c
@consume(kc, vc)
fn cache(k: bf16[16, 8, 128], v: bf16[16, 8, 128], pos: i32[16], kc: bf16[1024, 8, 128], vc: bf16[1024, 8, 128])
    -> (kn: bf16[1024, 8, 128], vn: bf16[1024, 8, 128]) {
    kn = scatter(kc, pos, k, with = set);
    vn = scatter(vc, pos, v, with = set);
}

@consume(old)
fn chosen(old: f32[64, 128], x: f32[64, 128]) -> (y: f32[64, 128]) {
    y = where(x > 0.5, x, where(x < -0.5, -x, old));
}

// Rows are left before the loop inside of theirs, where threads have enough of them to share.
@consume(kc)
fn large(k: f32[3, 8, 16], pos: i32[3], kc: f32[4096, 8, 16]) -> (kn: f32[4096, 8, 16]) {
    kn = scatter(kc, pos, k, with = set);
}
// ---- expect
// static void cache_1(const bf16 *restrict k, const bf16 *restrict v, const bf16 *kc,
//                     const bf16 *vc, bf16 *kn, bf16 *vn, const int32_t *restrict segments_temp)
// {
// #pragma omp parallel for collapse(2) schedule(dynamic, 64)
//     for (idx i0 = 0; i0 < 1024; i0++) {
//         for (idx i1 = 0; i1 < 8; i1++) {
//             const i32 segments_temp_1 = lds_i32(segments_temp + i0);
//             const i32 segments_temp_2 = lds_i32(segments_temp + i0 + 1);
//             if (kn == kc && vn == vc && segments_temp_1[0] >= segments_temp_2[0]) continue;
//             for (idx i2 = 0; i2 < 128; i2 += VL) {
//                 __builtin_prefetch(kc + i0 * 1024 + i1 * 128 + i2 + 1024, 0, 3);
//                 __builtin_prefetch(kc + i0 * 1024 + i1 * 128 + i2 + 4096, 0, 2);
//                 __builtin_prefetch(vc + i0 * 1024 + i1 * 128 + i2 + 1024, 0, 3);
//                 __builtin_prefetch(vc + i0 * 1024 + i1 * 128 + i2 + 4096, 0, 2);
//                 f32 scatter = ld_bf16(kc + i0 * 1024 + i1 * 128 + i2, VL);
//                 const idx end_1 = segments_temp_2[0];
//                 if (segments_temp_1[0] < end_1) {
//                     const i32 at_1 = lds_i32(segments_temp + (end_1 - 1) + 1025);
//                     scatter = ld_bf16(k + (idx)at_1[0] * 1024 + i1 * 128 + i2, VL);
//                 }
//                 f32 scatter_2 = ld_bf16(vc + i0 * 1024 + i1 * 128 + i2, VL);
//                 const idx end_2 = segments_temp_2[0];
//                 if (segments_temp_1[0] < end_2) {
//                     const i32 at_2 = lds_i32(segments_temp + (end_2 - 1) + 1025);
//                     scatter_2 = ld_bf16(v + (idx)at_2[0] * 1024 + i1 * 128 + i2, VL);
//                 }
//                 st_bf16(kn + i0 * 1024 + i1 * 128 + i2, scatter, VL);
//                 st_bf16(vn + i0 * 1024 + i1 * 128 + i2, scatter_2, VL);
//             }
//         }
//     }
// }
//
// /* cache: tensors are row-major and contiguous.
//  *   k          in   bf16[16, 8, 128]
//  *   v          in   bf16[16, 8, 128]
//  *   pos        in   i32[16]
//  *   kc         in   bf16[1024, 8, 128]
//  *   vc         in   bf16[1024, 8, 128]
//  *   kn         out  bf16[1024, 8, 128]
//  *   vn         out  bf16[1024, 8, 128]
//  *   workspace  cache_workspace() bytes,
//  *              64-byte aligned; may be NULL when that is 0
//  * What is in kc, vc after a call is undefined; nothing else may overlap it, but kn may have the
//  * memory of kc, and vn that of vc: then it is written in place.
//  * Returns 0, or 1 when the sizes break a condition of the model. Thread safe as long as
//  * no two calls share outputs or workspace. */
// int cache(const bf16 *k, const bf16 *v, const int32_t *pos, bf16 *kc, bf16 *vc, bf16 *kn,
//           bf16 *vn, void *workspace);
// int64_t cache_workspace(void);
//
// int64_t cache_workspace(void)
// {
//     return 4224 + 4 * 16;
// }
//
// int cache(const bf16 *k, const bf16 *v, const int32_t *pos, bf16 *kc, bf16 *vc, bf16 *kn,
//           bf16 *vn, void *workspace)
// {
//     int32_t *const segments_temp = (int32_t *)workspace;
//     char *const packed = (char *)workspace + 4224;
//     cache_0(pos, segments_temp, packed);
//     cache_1(k, v, kc, vc, kn, vn, segments_temp);
//     return 0;
// }
// DEVICE void cache_1_tile(const bf16 *__restrict__ k, const bf16 *__restrict__ v, const bf16 *kc,
//                          const bf16 *vc, bf16 *kn, bf16 *vn,
//                          const int *__restrict__ segments_temp, int block) {
//     const int tile = block * 256 * VEC;
//     const int flat = tile + threadIdx.x * VEC;
//     const int i0 = flat / 1024;
//     const int i1 = flat / 128 % 8;
//     const int i2 = flat % 128;
//     const int segments_temp_1 = segments_temp[i0];
//     const int segments_temp_2 = segments_temp[i0 + 1];
//     if (kn == kc && vn == vc && !(segments_temp_1 < segments_temp_2)) return;
//     Pack<float, VEC> scatter;
//     const Pack<bf16, VEC> kc_pack = load_pack<VEC>(kc + flat);
// #pragma unroll
//     for (int l = 0; l < VEC; l++)
//         scatter.at[l] = from_bf16(kc_pack.at[l]);
//     if (segments_temp_1 < segments_temp_2) {
//         const int cursor = segments_temp_2 - 1;
//         const int at_1 = segments_temp[cursor + 1025];
//         const Pack<bf16, VEC> k_pack = load_pack<VEC>(k + at_1 * 1024 + i1 * 128 + i2);
// #pragma unroll
//         for (int l = 0; l < VEC; l++)
//             scatter.at[l] = from_bf16(k_pack.at[l]);
//     }
//     Pack<float, VEC> scatter_2;
//     const Pack<bf16, VEC> vc_pack = load_pack<VEC>(vc + flat);
// #pragma unroll
//     for (int l = 0; l < VEC; l++)
//         scatter_2.at[l] = from_bf16(vc_pack.at[l]);
//     if (segments_temp_1 < segments_temp_2) {
//         const int cursor_2 = segments_temp_2 - 1;
//         const int at_2 = segments_temp[cursor_2 + 1025];
//         const Pack<bf16, VEC> v_pack = load_pack<VEC>(v + at_2 * 1024 + i1 * 128 + i2);
// #pragma unroll
//         for (int l = 0; l < VEC; l++)
//             scatter_2.at[l] = from_bf16(v_pack.at[l]);
//     }
//     Pack<bf16, VEC> kn_pack;
//     Pack<bf16, VEC> vn_pack;
// #pragma unroll
//     for (int l = 0; l < VEC; l++) {
//         kn_pack.at[l] = to_bf16(scatter.at[l]);
//         vn_pack.at[l] = to_bf16(scatter_2.at[l]);
//     }
//     store_pack(kn + flat, kn_pack);
//     store_pack(vn + flat, vn_pack);
// }
//  * What is in kc, vc after a call is undefined; nothing else may overlap it, but kn may have the
//  * memory of kc, and vn that of vc: then it is written in place.
// static void chosen_0(const float *old, const float *restrict x, float *y)
// {
//     for (idx i2 = 0; i2 < 8192; i2 += VL) {
//         if (y == old) {
//             const f32 x_1 = ld_f32(x + i2, VL);
//             if (!is_any(lt_f32(x_1, splat_f32(-0.5f))) && !is_any(lt_f32(splat_f32(0.5f), x_1)))
//                 continue;
//         }
//         const f32 x_2 = ld_f32(x + i2, VL);
//         const f32 old_1 = ld_f32(old + i2, VL);
//         const f32 y_1 = where_f32(lt_f32(splat_f32(0.5f), x_2), x_2,
//                                   where_f32(lt_f32(x_2, splat_f32(-0.5f)), -x_2, old_1));
//         st_f32(y + i2, y_1, VL);
//     }
// }
// DEVICE void chosen_0_tile(const float *old, const float *__restrict__ x, float *y, int block) {
//     const int tile = block * 512 * VEC;
//     constexpr int items = 2;
//     Pack<float, VEC> x_items[items];
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const int flat = tile + (item * 256 + threadIdx.x) * VEC;
//         x_items[item] = load_pack<VEC>(x + flat);
//     }
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const int flat = tile + (item * 256 + threadIdx.x) * VEC;
//         if (y == old) {
//             bool is_touched = false;
// #pragma unroll
//             for (int l = 0; l < VEC; l++)
//                 is_touched =
//                     is_touched || (x_items[item].at[l] < -0.5f) || (0.5f < x_items[item].at[l]);
//             if (!is_touched) continue;
//         }
//         const Pack<float, VEC> old_pack = load_pack<VEC>(old + flat);
//         Pack<float, VEC> y_pack;
// #pragma unroll
//         for (int l = 0; l < VEC; l++) {
//             const float where = x_items[item].at[l] < -0.5f ? -x_items[item].at[l] : old_pack.at[l];
//             y_pack.at[l] = 0.5f < x_items[item].at[l] ? x_items[item].at[l] : where;
//         }
//         store_pack(y + flat, y_pack);
//     }
// }
// static void large_1(const float *restrict k, const float *kc, float *kn,
//                     const int32_t *restrict segments_temp)
// {
// #pragma omp parallel for schedule(dynamic, 64)
//     for (idx i0 = 0; i0 < 4096; i0++) {
//         if (kn == kc) {
//             const i32 segments_temp_1 = lds_i32(segments_temp + i0);
//             const i32 segments_temp_2 = lds_i32(segments_temp + i0 + 1);
//             if (segments_temp_1[0] >= segments_temp_2[0]) continue;
//         }
//         for (idx i1 = 0; i1 < 8; i1++) {
//             const i32 segments_temp_3 = lds_i32(segments_temp + i0);
//             const i32 segments_temp_4 = lds_i32(segments_temp + i0 + 1);
//             for (idx i2 = 0; i2 < 16; i2 += VL) {
//                 __builtin_prefetch(kc + i0 * 128 + i1 * 16 + i2 + 512, 0, 3);
//                 __builtin_prefetch(kc + i0 * 128 + i1 * 16 + i2 + 2048, 0, 2);
//                 f32 scatter = ld_f32(kc + i0 * 128 + i1 * 16 + i2, VL);
//                 const idx end_1 = segments_temp_4[0];
//                 if (segments_temp_3[0] < end_1) {
//                     const i32 at_1 = lds_i32(segments_temp + (end_1 - 1) + 4097);
//                     scatter = ld_f32(k + (idx)at_1[0] * 128 + i1 * 16 + i2, VL);
//                 }
//                 st_f32(kn + i0 * 128 + i1 * 16 + i2, scatter, VL);
//             }
//         }
//     }
// }
