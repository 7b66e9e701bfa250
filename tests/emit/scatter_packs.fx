// Beside another tensor, the elements of a pack are in one segment, too: its start, what the indices select, and packs of
// it are loaded for all of them.
// run: fusec %s --no-test -o %t.cu
// run: grep -E "load_pack<VEC>|if .D . 8|for .int cursor" %t.cu
fn f[N, E, D](x: bf16[N, D], from: i32[E], to: i32[E]) -> (y: bf16[N, 2*D]) {
    y = concat(x, scatter(full(0.0, N, D), to, take(x, from, axis = 0)) as bf16);
}
// ---- expect
//         for (int cursor = min_1; cursor < where; cursor++) {
//             const Pack<bf16, VEC> x_pack = load_pack<VEC>(x + at_6 * D + i1);
//     if (i1 < D) x_pack = load_pack<VEC>(x + i0 * D + i1);
//     for (int cursor_3 = grouped_temp_1; cursor_3 < cursor_3_end; cursor_3++) {
//         if (i1 >= D) x_pack_2 = load_pack<VEC>(x + at_2 * D + i1 - D);
//     for (int cursor_2 = div_2; cursor_2 < max_3; cursor_2++) {
//     for (int cursor = where; cursor < grouped_temp_7; cursor++) {
//         if (i1 >= D) x_pack_3 = load_pack<VEC>(x + at_5 * D + i1 - D);
//     if (D % 8 == 0 && is_aligned(x, 16) && is_aligned(y, 16)) {
