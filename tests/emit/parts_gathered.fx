// Parts that are copied from a computed position, which no element outside of the part needs: it is
// declared before the copy.
// run: fusec %s --fn padded --target=c --no-test -o %t.c
// run: grep -A 8 "for (idx i0" %t.c
// run: fusec %s --fn joined --target=c --no-test -o %t.c
// run: grep -A 8 "for (idx i0" %t.c
// run: fusec %s --fn shared --target=c --no-test -o %t.c
// run: grep -A 5 "for (idx i0 = 48" %t.c
fn padded[B, V](table: f32[V, 8], at: i32[B]) -> (h: f32[B, 9]) {
    h = pad(take(table, at + 1, axis = 0), 1, 1, 0);
}
fn joined[B](history: i32[B, 1], x: i32[B], parent: i32[B]) -> (y: i32[B, 3]) {
    y = concat(take(history, 2 * parent, axis = 0), x[:, None],
        take(history, parent + 1, axis = 0));
}
fn shared(t: f32[9, 70000], p: i32[1]) -> (y: f32[70100]) {
    y = pad(reshape(take(t, p + 1, axis = 0), 70000), 0, 48, 52);
}
// ---- expect
//     for (idx i0 = 0; i0 < B; i0++) {
//         EACH_VECTOR_FROM(i1, lanes, 0, 1) {
//             out_f32(h + i0 * 9 + i1, splat_f32(0.0f), lanes, stream);
//         }
//         const i32 at_1 = lds_i32(at_ + i0);
//         const i64 at_2 =
//             min_i64(max_i64(i64_i32(add_i32(at_1, splat_i32(1))), splat_i64(0)), splat_i64(V - 1));
//         copy_row(h + i0 * 9 + 1, table + at_2[0] * 8, 32, false);
//     }
//     for (idx i0 = 0; i0 < B; i0++) {
//         const i32 parent_1 = lds_i32(parent + i0);
//         const i64 at_1 = min_i64(max_i64(i64_i32(mul_i32(parent_1, splat_i32(2))), splat_i64(0)),
//                                  splat_i64(B - 1));
//         copy_row(y + i0 * 3, history + at_1[0], 4, false);
//         EACH_VECTOR_FROM(i1, lanes, 1, 2) {
//             const i32 x_1 = lds_i32(x + i0);
//             out_i32(y + i0 * 3 + i1, x_1, lanes, stream);
//         }
//     for (idx i0 = 48; i0 < 70048; i0 += 4096) {
//         const i32 p_1 = lds_i32(p);
//         const i32 at_1 =
//             min_i32(max_i32(add_i32(p_1, splat_i32(1)), splat_i32(0)), splat_i32(9 - 1));
//         copy_row(y + i0, t + (idx)at_1[0] * 70000 + i0 - 48, fx_least(70048 - i0, 4096) * 4, false);
//     }
