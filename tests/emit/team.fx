// A loop wakes a team of threads only from as many elements as pay: by a condition where sizes are open.
// run: fusec %s -o %t.c
// run: grep -E "^static void [a-z_]+_0|^#pragma omp|= fx_strip.[A-Z0-9]" %t.c
fn turned[M, N](x: f32[M, N]) -> (y: f32[N, M]) { y = x.T; }
fn turned_few(x: f32[128, 128]) -> (y: f32[128, 128]) { y = x.T; }
fn turned_many(x: f32[512, 128]) -> (y: f32[128, 512]) { y = x.T; }
fn sums[A, M, N](x: f32[A, M, N]) -> (y: f32[A, N]) { y = sum(x, axis = 1); }
fn sums_few(x: f32[100, 100]) -> (y: f32[100]) { y = sum(x, axis = 0); }
fn sums_many(x: f32[400, 100]) -> (y: f32[100]) { y = sum(x, axis = 0); }
// ---- expect
// static void turned_0(const float *restrict x, float *restrict y, idx M, idx N)
// #pragma omp parallel for collapse(2) schedule(static) if (M*N >= 32768)
// static void turned_few_0(const float *restrict x, float *restrict y)
// static void turned_many_0(const float *restrict x, float *restrict y)
// #pragma omp parallel for collapse(2) schedule(static)
// static void sums_0(const float *restrict x, float *restrict y, idx A, idx M, idx N)
//     const idx strip = fx_strip(N, A, 4096);
// #pragma omp parallel for collapse(2) schedule(static) if (A*M*N >= 32768)
// static void sums_few_0(const float *restrict x, float *restrict y)
//     const idx strip = fx_strip(100, 1, 4096);
// static void sums_many_0(const float *restrict x, float *restrict y)
//     const idx strip = fx_strip(100, 1, 4096);
// #pragma omp parallel for schedule(static)
