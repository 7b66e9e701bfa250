// The elements of a pack or vector go through the segment of their row together; where neighbours are of
// different rows, each goes through its own.
// run: fusec %s -D D=64 -D N=99 --target=cuda -o %t.cu
// run: sed -n "/^DEVICE void f_1.*_[ab](/,/^}/p; /^DEVICE void f_1_tile(/,/^}/p" %t.cu
// run: fusec %s -D D=64 -D N=99 --target=c -o %t.c
// run: sed -n "/^static void f_[01]/,/^}/p" %t.c
fn f[V, D, N](i: i32[N], x: f32[N, D], w: f32[N]) -> (y: f32[V, D], c: i32[V]) {
    y = scatter(full(0.0, V, D), i, w[:, None] * x);
    c = scatter(full(0, V), i, 1);
}
// ---- expect
// DEVICE void f_1_a(const float *__restrict__ x, const float *__restrict__ w,
//                   float *__restrict__ y, const int *__restrict__ segments_temp, idx V, idx count,
//                   idx block) {
//     const idx tile = block * 512 * VEC;
//     constexpr int items = 2;
//     int segments_temp_items[items];
//     int segments_temp_items_2[items];
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const idx at = tile + (item * 256 + threadIdx.x) * VEC;
//         const bool valid = at < count; /* else: read the last elements, store nothing */
//         const idx flat = valid ? at : count - VEC;
//         const idx i0 = flat / 64;
//         segments_temp_items[item] = segments_temp[i0];
//         segments_temp_items_2[item] = segments_temp[i0 + 1];
//     }
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const idx at = tile + (item * 256 + threadIdx.x) * VEC;
//         const bool valid = at < count;
//         const idx flat = valid ? at : count - VEC;
//         const idx i1 = flat % 64;
//         Pack<float, VEC> scatter;
// #pragma unroll
//         for (int l = 0; l < VEC; l++)
//             scatter.at[l] = 0.0f;
// #pragma unroll 8
//         for (int cursor = segments_temp_items[item]; cursor < segments_temp_items_2[item];
//              cursor++) {
//             const int segments_temp_1 = segments_temp[cursor + (V + 1)];
//             const idx at_1 = segments_temp_1;
//             const float w_1 = w[at_1];
//             const Pack<float, VEC> x_pack = load_pack<VEC>(x + at_1 * 64 + i1);
// #pragma unroll
//             for (int l = 0; l < VEC; l++)
//                 scatter.at[l] += x_pack.at[l] * w_1;
//         }
//         if (valid) store_pack(y + flat, scatter);
//     }
// }
// DEVICE void f_1_b(int *__restrict__ c, const int *__restrict__ segments_temp, idx count,
//                   idx block) {
//     const idx tile = block * 1024;
//     constexpr int items = 4;
//     int segments_temp_items[items];
//     int segments_temp_items_2[items];
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const idx at = tile + item * 256 + threadIdx.x;
//         const bool valid = at < count; /* else: read the last elements, store nothing */
//         const idx flat = valid ? at : count - 1;
//         segments_temp_items[item] = segments_temp[flat + 1];
//         segments_temp_items_2[item] = segments_temp[flat];
//     }
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const idx at = tile + item * 256 + threadIdx.x;
//         const bool valid = at < count;
//         const idx flat = valid ? at : count - 1;
//         if (valid) c[flat] = sub_wrap(segments_temp_items[item], segments_temp_items_2[item]);
//     }
// }
// static void f_0(const int32_t *restrict i_, int32_t *restrict segments_temp, idx V,
//                 int32_t last_index, char *packed)
// {
//     int32_t *const row_1 = (int32_t *)packed;
//     for (idx i0 = 0; i0 < 99; i0 += VL) {
//         const idx lanes = 99 - i0 < VL ? 99 - i0 : VL;
//         const i32 i_1 = ld_i32(i_ + i0, lanes);
//         st_i32(row_1 + i0, min_i32(max_i32(i_1, splat_i32(0)), splat_i32(last_index)), lanes);
//     }
//     sort_segments(row_1, 99, V, segments_temp, 32768);
// }
// static void f_1_a(const float *restrict x, const float *restrict w, float *restrict y,
//                   const int32_t *restrict segments_temp, idx V)
// {
//     const bool stream = 256*V >= 16777216;
// #pragma omp parallel for schedule(dynamic, 64) if (64*V >= 32768)
//     for (idx i0 = 0; i0 < V; i0++) {
//         const i32 segments_temp_1 = lds_i32(segments_temp + i0);
//         const i32 segments_temp_2 = lds_i32(segments_temp + i0 + 1);
//         for (idx i1 = 0; i1 < 64; i1 += VL) {
//             f32 scatter = splat_f32(0.0f);
//             const idx end_1 = segments_temp_2[0];
//             for (idx cursor = segments_temp_1[0]; cursor < end_1; cursor++) {
//                 const i32 at_1 = lds_i32(segments_temp + cursor + (V + 1));
//                 const f32 x_1 = ld_f32(x + (idx)at_1[0] * 64 + i1, VL);
//                 const f32 w_1 = lds_f32(w + (idx)at_1[0]);
//                 scatter += x_1 * w_1;
//             }
//             out_f32(y + i0 * 64 + i1, scatter, VL, stream);
//         }
//     }
//     stream_fence();
// }
// static void f_1_b(int32_t *restrict c, const int32_t *restrict segments_temp, idx V)
// {
//     const bool stream = 4*V >= 16777216;
// #pragma omp parallel for schedule(static) if (V >= 32768)
//     for (idx i0 = 0; i0 < V; i0 += VL) {
//         const idx lanes = V - i0 < VL ? V - i0 : VL;
//         __builtin_prefetch(segments_temp + i0 + 512 + 1, 0, 3);
//         __builtin_prefetch(segments_temp + i0 + 2048 + 1, 0, 2);
//         __builtin_prefetch(segments_temp + i0 + 512, 0, 3);
//         __builtin_prefetch(segments_temp + i0 + 2048, 0, 2);
//         const i32 segments_temp_1 = ld_i32(segments_temp + i0 + 1, lanes);
//         const i32 segments_temp_2 = ld_i32(segments_temp + i0, lanes);
//         out_i32(c + i0, sub_i32(segments_temp_1, segments_temp_2), lanes, stream);
//     }
//     stream_fence();
// }
