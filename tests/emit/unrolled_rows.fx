// C: loops of few known steps over few values are unrolled, where the kernel is long: -O2 does that only
// where the code becomes no longer. Blocks of rows are all of one size where that is known.
// run: fusec %s -o %t.c
// run: grep -A1 "^static void f_\|^ *_Pragma(.GCC unroll [348]\|(idx first" %t.c
fn f(x: f32[4096, 256], p: f64[512, 3]) -> (y: f32[256], short: f32[256], d: f64[512, 512]) {
    y = sum(x, axis = 0);
    short = sum(x[:16] * 2, axis = 0);
    d = sqrt(sum((p[:, None] - p[None]) ** 2) + 1);
}
// ---- expect
// static void f_0(const float *restrict x, float *restrict sum_parts)
// {
// --
//             for (idx first = 0; first < 512; first += 8) {
//                 for (idx at = 0; at < end - start; at += VL) {
// --
//                     _Pragma("GCC unroll 8")
//                     for (idx i2 = first; i2 < first + 8; i2++) {
// --
// static void f_1(float *restrict y, const float *restrict sum_parts)
// {
// --
//         for (idx first = 0; first < 8; first += 8) {
//             for (idx at = 0; at < end - start; at += VL) {
// --
// static void f_2(const float *restrict x, float *restrict short_)
// {
// --
//         for (idx first = 0; first < 16; first += 8) {
//             for (idx at = 0; at < end - start; at += VL) {
// --
// static void f_3(const double *restrict p, double *restrict d)
// {
// --
//             _Pragma("GCC unroll 3")
//             for (idx i2 = 0; i2 < 3; i2++) {
