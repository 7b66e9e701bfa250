// Beside another tensor, the elements of a pack are in one segment, too: its start, what the indices select, and packs of
// it are loaded for all of them.
// run: fusec %s --no-test -o %t.cu
// run: grep -E "load_pack<VEC>|if .D . 8|for .int cursor" %t.cu
fn f[N, E, D](x: bf16[N, D], from: i32[E], to: i32[E]) -> (y: bf16[N, 2*D]) {
    y = concat(x, scatter(full(0.0, N, D), to, take(x, from, axis = 0)) as bf16);
}
// ---- expect
//         if (i1 < D) x_pack = load_pack<VEC>(x + i0 * D + i1);
//         for (int cursor = grouped_temp_1; cursor < grouped_temp_2; cursor++) {
//             if (i1 >= D) x_pack_2 = load_pack<VEC>(x + at_2 * D + i1 - D);
//     if (D % 8 == 0 && is_aligned(x, 16) && is_aligned(y, 16)) {
