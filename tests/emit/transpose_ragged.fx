// Results go around the caches where their rows are whole lines, or long and many: parts of lines wait for memory.
// run: fusec %s --no-test -o %t.c
// run: grep -E "^static void|const bool stream|copy_row.y" %t.c
fn open_dims[M, N](x: f32[M, N]) -> (y: f32[N, M]) { y = x.T; }
fn few(x: f32[20, 500000]) -> (y: f32[500000, 20]) { y = x.T; }
fn lines(x: f32[32, 500000]) -> (y: f32[500000, 32]) { y = x.T; }
fn wide(x: f32[1001, 5000]) -> (y: f32[5000, 1001]) { y = x.T; }
fn small(x: f32[1001, 999]) -> (y: f32[999, 1001]) { y = x.T; }
// ---- expect
// static void open_dims_0(const float *restrict x, float *restrict y, idx M, idx N)
//     const bool stream = 4*M*N >= 1048576 && ((4*M) % 64 == 0 || (4*M >= 2048 && 4*M*N >= 8388608));
//                 copy_row(y + i0 * M + i1, x_tile + row * 144 + col, 4 * (to - from), stream);
// static void few_0(const float *restrict x, float *restrict y)
//                 copy_row(y + i0 * 20 + i1, x_tile + row * 64 + col, 4 * cols, false);
// static void lines_0(const float *restrict x, float *restrict y)
//                 copy_row(y + i0 * 32 + i1, x_tile + row * 64 + col, 4 * cols, true);
// static void wide_0(const float *restrict x, float *restrict y)
//                 copy_row(y + i0 * 1001 + i1, x_tile + row * 144 + col, 4 * (to - from), true);
// static void small_0(const float *restrict x, float *restrict y)
//                 copy_row(y + i0 * 1001 + i1, x_tile + row * 64 + col, 4 * cols, false);
