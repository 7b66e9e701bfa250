// Parts of a result that are neighbours in memory are one store where the tensor is aligned; those of
// several planes are packs along the rows.
// run: fusec %s --fn solve --target=cuda --no-test -o %t.cu
// run: sed -n "/^DEVICE void solve_0_body/,/^}/p" %t.cu
// run: fusec %s --fn solve --target=c --no-test -o %t.c
// run: sed -n "/^static void solve_0/,/^}/p" %t.c
// run: fusec run %s --fn solve -D N=331 --check > checks
// Rows of other lengths go through shared memory.
// run: fusec %s --fn cross --target=cuda --no-test -o %t.cu
// run: sed -n "/^DEVICE void cross_0_body/,/^}/p" %t.cu
// run: fusec %s --fn square --target=cuda --no-test -o %t.cu
// run: grep "_rows\|own" %t.cu
fn solve[N](a: f32[N, 2, 2], b: f32[N, 2, 2]) -> (x: f32[N, 2, 2], det: f32[N]) {
    det = a[:, 0, 0] * a[:, 1, 1] - a[:, 0, 1] * a[:, 1, 0];
    u = concat(a[:, 1, 1][:, None], -a[:, 0, 1][:, None]);
    v = concat(-a[:, 1, 0][:, None], a[:, 0, 0][:, None]);
    x = concat(u[:, None], v[:, None], axis = 1) @ b / det[:, None, None];
}
fn cross[N](a: f32[N, 3], b: f32[N, 4]) -> (y: f32[N, 3]) {
    s = (a[:, 0] * b[:, 3] + a[:, 1] * b[:, 2] + a[:, 2]) / (1 + a[:, 0] * a[:, 0] + b[:, 0] * b[:, 0]);
    u = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1] + s * b[:, 3];
    v = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2] - s * b[:, 3];
    w = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] + s * s;
    y = concat((u * s)[:, None], (v * s)[:, None], (w * s)[:, None]);
}
fn square[N](a: f32[N, 4, 4]) -> (y: f32[N, 4, 4]) { y = a @ a.T; }
// ---- expect
// DEVICE void solve_0_body(const float *__restrict__ a, const float *__restrict__ b,
//                          float *__restrict__ x, float *__restrict__ det, idx N) {
//     const idx tile = (idx)blockIdx.x * 256;
//     const idx at = tile + threadIdx.x;
//     const bool valid = at < N; /* else: read the last elements, store nothing */
//     const idx flat = valid ? at : N - 1;
//     const auto a_record = load_pack_if<4>(wide, a + flat * 4);
//     const float det_1 = a_record.at[0] * a_record.at[3] - a_record.at[1] * a_record.at[2];
//     const auto b_record = load_pack_if<4>(wide, b + flat * 4);
//     const float u = -a_record.at[1];
//     const float v = -a_record.at[2];
//     if (valid) det[flat] = det_1;
//     Pack<float, 4> x_record;
//     x_record.at[0] = (a_record.at[3] * b_record.at[0] + u * b_record.at[2]) / det_1;
//     x_record.at[1] = (a_record.at[3] * b_record.at[1] + u * b_record.at[3]) / det_1;
//     x_record.at[2] = (b_record.at[0] * v + a_record.at[0] * b_record.at[2]) / det_1;
//     x_record.at[3] = (b_record.at[1] * v + a_record.at[0] * b_record.at[3]) / det_1;
//     if (valid) store_pack_if(wide, x + flat * 4, x_record);
// }
// static void solve_0(const float *restrict a, const float *restrict b, float *restrict x,
//                     float *restrict det, idx N)
// {
//     const bool stream = 4*N >= 16777216;
// #pragma omp parallel for schedule(static) if (N >= 32768)
//     for (idx i0 = 0; i0 < N; i0 += VL) {
//         const idx lanes = N - i0 < VL ? N - i0 : VL;
//         const f32 a_1 = ld_strided_f32(a + i0 * 4, 4, lanes);
//         const f32 a_2 = ld_strided_f32(a + i0 * 4 + 3, 4, lanes);
//         const f32 a_3 = ld_strided_f32(a + i0 * 4 + 1, 4, lanes);
//         const f32 a_4 = ld_strided_f32(a + i0 * 4 + 2, 4, lanes);
//         const f32 det_1 = a_1 * a_2 - a_3 * a_4;
//         const f32 b_1 = ld_strided_f32(b + i0 * 4, 4, lanes);
//         const f32 u_1 = -a_3;
//         const f32 b_2 = ld_strided_f32(b + i0 * 4 + 2, 4, lanes);
//         const f32 b_3 = ld_strided_f32(b + i0 * 4 + 1, 4, lanes);
//         const f32 b_4 = ld_strided_f32(b + i0 * 4 + 3, 4, lanes);
//         const f32 v = -a_4;
//         out_f32(det + i0, det_1, lanes, stream);
//         st_strided_f32(x + i0 * 4, 4, (a_2 * b_1 + u_1 * b_2) / det_1, lanes);
//         st_strided_f32(x + i0 * 4 + 1, 4, (a_2 * b_3 + u_1 * b_4) / det_1, lanes);
//         st_strided_f32(x + i0 * 4 + 2, 4, (b_1 * v + a_1 * b_2) / det_1, lanes);
//         st_strided_f32(x + i0 * 4 + 3, 4, (b_3 * v + a_1 * b_4) / det_1, lanes);
//     }
//     stream_fence();
// }
// fusec: remark: random inputs, seed 0: a, b
// DEVICE void cross_0_body(const float *__restrict__ a, const float *__restrict__ b,
//                          float *__restrict__ y, idx N) {
//     const idx tile = (idx)blockIdx.x * 256;
//     float *const y_rows = (float *)dynamic_shared;
//     const idx at = tile + threadIdx.x;
//     const bool valid = at < N; /* else: read the last elements, store nothing */
//     const idx flat = valid ? at : N - 1;
//     const float a_1 = a[flat * 3 + 2];
//     const float a_2 = a[flat * 3];
//     const auto b_record = load_pack_if<4>(wide, b + flat * 4);
//     const float a_3 = a[flat * 3 + 1];
//     const float mul = a_3 * b_record.at[2];
//     const float s =
//         (a_1 + (a_2 * b_record.at[3] + mul)) / (a_2 * a_2 + 1.0f + b_record.at[0] * b_record.at[0]);
//     const float mul_2 = b_record.at[3] * s;
//     y_rows[threadIdx.x * 3] = s * (mul - a_1 * b_record.at[1] + mul_2);
//     y_rows[threadIdx.x * 3 + 1] = s * (a_1 * b_record.at[0] - a_2 * b_record.at[2] - mul_2);
//     y_rows[threadIdx.x * 3 + 2] = s * (a_2 * b_record.at[1] - a_3 * b_record.at[0] + s * s);
//     __syncthreads();
//     copy_block<256 * 3>(y + tile * 3, y_rows, (N - tile) * 3);
// }
// template <int ROWS, int COLS, class T> DEVICE void copy_rows(T *to, const T *from, long long left) {
//     float *const y_rows = (float *)dynamic_shared;
//     store_pack(y_rows + row_place<16, 4>(threadIdx.x, 0), y_record);
//     store_pack(y_rows + row_place<16, 4>(threadIdx.x, 4), y_record_2);
//     store_pack(y_rows + row_place<16, 4>(threadIdx.x, 8), y_record_3);
//     store_pack(y_rows + row_place<16, 4>(threadIdx.x, 12), y_record_4);
//     copy_rows<256, 16>(y + tile * 16, y_rows, (N - tile) * 16);
