// Sums over rows that are found by their positions: lanes are the columns of these rows, whose axes
// are one loop. Of few rows the sums are in registers, of more in a strip.
// run: fusec %s --target=c --no-test -o %t.c
// run: grep "fx_strip(\|for (idx i[0-9]\|EACH_VECTOR(\(i[0-9]\|at\)" %t.c
// run: fusec run %s --check --device=cpu
// run: fusec run %s --check --device=cpu --threads 2 -O0 > checks
fn sums(m: f32[9, 3, 5], w: f32[70, 4], bone: i32[70, 4], t: bf16[50, 33], many: i64[40, 19], u: i8[21, 2, 7],
        single: i32[30, 1], parts: f16[6, 10, 4], of_part: i32[8, 3, 2])
    -> (a: f32[70, 3, 5], b: f32[40, 33], c: i32[30, 2, 7], d: f32[8, 3, 4], e: i32[40, 33], g: f32[8, 2, 10, 4]) {
    a = sum(take(m, bone, axis = 0) * w[:, :, None, None], axis = 1);
    b = sum(take(t, many, axis = 0) as f32, axis = 1);
    c = sum(take(u, single, axis = 0) as i32, axis = 1);
    d = max(take(sum(parts, axis = 1) as f32, of_part, axis = 0), axis = 2);
    e = argmax(take(t, many, axis = 0), axis = 1);
    g = sum(take(parts, of_part, axis = 0) as f32, axis = 1);
}
// ---- expect
// static inline idx fx_strip(idx cols, idx rows, idx most)
//     for (idx i0 = 0; i0 < 70; i0++) {
//         for (idx i4 = 0; i4 < 15; i4 += VL) {
//             for (idx i3 = 0; i3 < 4; i3++) {
//     const idx strip = fx_strip(33, 40, 1024);
//     for (idx i0 = 0; i0 < 40; i0++) {
//                 EACH_VECTOR(at, lanes, end - start) {
//                     for (idx i2 = first; i2 < first + block_rows; i2++) {
//             EACH_VECTOR(at, lanes, end - start) {
//     for (idx i0 = 0; i0 < 30; i0++) {
//         EACH_VECTOR(i3, lanes, 14) {
//     const idx strip = fx_strip(4, 6, 4096);
//     for (idx i0 = 0; i0 < 6; i0++) {
//                     for (idx i2 = first; i2 < first + block_rows; i2++) {
//             EACH_VECTOR(at, lanes, end - start) {
//     for (idx i0 = 0; i0 < 8; i0++) {
//         for (idx i1 = 0; i1 < 3; i1++) {
//             for (idx i2 = 0; i2 < 4; i2 += VL) {
//                 for (idx i3 = 0; i3 < 2; i3++) {
//     for (idx i0 = 0; i0 < 8; i0++) {
//         for (idx i1 = 0; i1 < 2; i1++) {
//             for (idx i5 = 0; i5 < 40; i5 += VL) {
//                 for (idx i4 = 0; i4 < 3; i4++) {
// a: f32[70, 3, 5]  mean 0.002404  max 1.915  checksum dbb05fc3444575eb
// b: f32[40, 33]  mean -0.05849  max 8.324  checksum b292d3964e9d8c3c
// c: i32[30, 2, 7]  mean -0.5714  max 7  checksum 99a2704893c179b8
// d: f32[8, 3, 4]  mean 1.432  max 4.088  checksum 5716c72e135408a0
// e: i32[40, 33]  mean 8.352  max 18  checksum d46fcc84170db87b
// g: f32[8, 2, 10, 4]  mean 0.1423  max 2.653  checksum 136b30e10b0c96b8
// a: ok, largest error 1.19e-07 of 1.48e-06 allowed, mean 3.05e-08 of 3.92e-07, at [1, 2, 1]: got -1.17000031, want -1.17000043
// b: ok, largest error 0 of 4.14e-06 allowed, mean 0 of 1.31e-06, at [0, 0]: got -1.23828125, want -1.23828125
// c: ok
// d: ok, largest error 0 of 1.95e-06 allowed, mean 0 of 1.09e-06, at [0, 0, 0]: got 2.30810547, want 2.30810547
// e: ok
// g: ok, largest error 0 of 1.32e-06 allowed, mean 0 of 5.58e-07, at [0, 0, 0, 0]: got -0.751464844, want -0.751464844
// fusec: remark: random inputs, seed 0: m, w, bone, t, many, u, single, parts, of_part
// fusec: remark: random inputs, seed 0: m, w, bone, t, many, u, single, parts, of_part
