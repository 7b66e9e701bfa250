// The pieces of a concat are loops of their own, or copies: no element has a condition, and no row
// the index of one. Special functions of more vectors than the whole axis has would take longer.
// run: fusec %s --fn pieces --target=c -o %t.c
// run: grep -A 14 "for (idx i0" %t.c
// run: fusec %s --fn padded --target=c -o %t.c
// run: grep -A 9 "for (idx i0" %t.c
// run: fusec %s --fn rows --target=c -o %t.c
// run: grep -A 5 "for (idx i0" %t.c
// run: fusec %s --fn few --target=c -o %t.c
// run: grep -c "EACH_VECTOR_FROM(" %t.c
// exit: 1
// run: fusec %s --fn rolled --target=c -o %t.c
// run: grep -A 3 "for (idx i2" %t.c
// run: fusec %s --fn middle --target=c -o %t.c
// run: grep -A 3 "for (idx" %t.c
// run: fusec %s --fn whole --target=c -o %t.c
// run: grep -B 1 -A 4 "for (idx" %t.c
fn pieces(a: bf16[1000, 300], b: bf16[1000, 40], c: bf16[1000, 30]) -> (y: bf16[1000, 370], z: bf16[1000, 340]) {
    z = concat(a, b);
    y = concat(relu(a), b * 2, c);
}
fn padded(a: f32[1000, 100]) -> (y: f32[1000, 116]) { y = pad(a, 1, 4, 12); }
fn rows(a: bf16[100, 300], b: bf16[200, 300], c: bf16[300]) -> (y: bf16[300, 300]) {
    y = concat(a, b + c, axis = 0);
}
fn few(a: f32[1000, 20]) -> (y: f32[1000, 30]) { y = exp(pad(a, 1, 4, 6)); }
fn rolled(a: i32[8, 64]) -> (y: i32[8, 64]) {
    t = concat(a[3:], a[:3], axis = 0);
    y = abs(t + concat(t[4:], t[:4], axis = 0));
}
fn middle(a: f32[100, 6, 255], b: f32[100, 3, 255]) -> (y: f32[100, 9, 255]) {
    y = concat(a, b, axis = 1);
}
fn whole(a: f32[2402, 196], b: f32[99, 196]) -> (y: f32[4903, 196]) {
    y = concat(a, b * 2, a, axis = 0);
}
// ---- expect
//     for (idx i0 = 0; i0 < 1000; i0++) {
//         copy_row(z + i0 * 340, a + i0 * 300, 600, false);
//         copy_row(z + i0 * 340 + 300, b + i0 * 40, 80, false);
//     }
// }
//
// /* pieces_0_b: lt, max, and, mul, where; 370000 elements */
// static void pieces_0_b(const bf16 *restrict a, const bf16 *restrict b, const bf16 *restrict c,
//                        bf16 *restrict y)
// {
// #pragma omp parallel for schedule(static)
//     for (idx i0 = 0; i0 < 1000; i0++) {
//         EACH_VECTOR_FROM(i1, lanes, 0, 300) {
//             const f32 a_1 = ld_bf16(a + i0 * 300 + i1, lanes);
//             st_bf16(y + i0 * 370 + i1, max_f32(a_1, splat_f32(0.0f)), lanes);
//         }
//         EACH_VECTOR_FROM(i1, lanes, 300, 340) {
//             const f32 b_1 = ld_bf16(b + i0 * 40 + i1 - 300, lanes);
//             st_bf16(y + i0 * 370 + i1, b_1 * 2.0f, lanes);
//         }
//         copy_row(y + i0 * 370 + 340, c + i0 * 30, 60, false);
//     }
// }
//
// /* pieces: tensors are row-major and contiguous.
//  *   a          in   bf16[1000, 300]
//     for (idx i0 = 0; i0 < 1000; i0++) {
//         EACH_VECTOR_FROM(i1, lanes, 0, 4) {
//             st_f32(y + i0 * 116 + i1, splat_f32(0.0f), lanes);
//         }
//         copy_row(y + i0 * 116 + 4, a + i0 * 100, 400, false);
//         EACH_VECTOR_FROM(i1, lanes, 104, 116) {
//             st_f32(y + i0 * 116 + i1, splat_f32(0.0f), lanes);
//         }
//     }
// }
//     for (idx i0 = 0; i0 < 100; i0++)
//         copy_row(y + i0 * 300, a + i0 * 300, 600, false);
// #pragma omp parallel for schedule(static)
//     for (idx i0 = 100; i0 < 300; i0++) {
//         EACH_VECTOR(i1, lanes, 300) {
//             const f32 b_1 = ld_bf16(b + i0 * 300 + i1 - 30000, lanes);
//             const f32 c_1 = ld_bf16(c + i1, lanes);
//             st_bf16(y + i0 * 300 + i1, b_1 + c_1, lanes);
//         }
// 0
//     for (idx i2 = 0; i2 < 64; i2 += VL) {
//         const i32 a_1 = ld_i32(a + i2 + 192, VL);
//         const i32 a_2 = ld_i32(a + i2 + 448, VL);
//         st_i32(y + i2, abs_i32(add_i32(a_1, a_2)), VL);
// --
//     for (idx i2 = 64; i2 < 256; i2 += VL) {
//         const i32 a_3 = ld_i32(a + i2 + 192, VL);
//         const i32 a_4 = ld_i32(a + i2 - 64, VL);
//         st_i32(y + i2, abs_i32(add_i32(a_3, a_4)), VL);
// --
//     for (idx i2 = 256; i2 < 320; i2 += VL) {
//         const i32 a_5 = ld_i32(a + i2 + 192, VL);
//         const i32 a_6 = ld_i32(a + i2 - 64, VL);
//         st_i32(y + i2, abs_i32(add_i32(a_5, a_6)), VL);
// --
//     for (idx i2 = 320; i2 < 512; i2 += VL) {
//         const i32 a_7 = ld_i32(a + i2 - 320, VL);
//         const i32 a_8 = ld_i32(a + i2 - 64, VL);
//         st_i32(y + i2, abs_i32(add_i32(a_7, a_8)), VL);
//     for (idx i0 = 0; i0 < 100; i0++) {
//         copy_row(y + i0 * 2295, a + i0 * 1530, 6120, false);
//         copy_row(y + i0 * 2295 + 1530, b + i0 * 765, 3060, false);
//     }
// #pragma omp parallel for schedule(static)
//     for (idx i2 = 0; i2 < 470792; i2 += 4096)
//         copy_row(y + i2, a + i2, fx_least(470792 - i2, 4096) * 4, false);
// #pragma omp parallel for schedule(static)
//     for (idx i2 = 470792; i2 < 490196; i2 += VL) {
//         const idx lanes = fx_least(490196 - i2, VL);
//         const f32 b_1 = ld_f32(b + i2 - 470792, lanes);
//         st_f32(y + i2, b_1 * 2.0f, lanes);
//     }
// #pragma omp parallel for schedule(static)
//     for (idx i2 = 490196; i2 < 960988; i2 += 4096)
//         copy_row(y + i2, a + i2 - 490196, fx_least(960988 - i2, 4096) * 4, false);
// }
//
// /* whole: tensors are row-major and contiguous.
