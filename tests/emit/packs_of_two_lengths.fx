// Operands whose rows are aligned to different packs are copied by packs of their own lengths.
// run: fusec %s --arch=sm_80 -o %t.cu
// run: grep "constexpr int each\|cp_async_part<each\|if (is_aligned(" %t.cu
fn product(x: f32[150, 64], w: f32[150, 10]) -> (y: f32[64, 10]) {
    y = x.T @ w;
}
// ---- expect
//     constexpr int each = wide ? 4 : 1;
//     constexpr int each_2 = wide ? 2 : 1;
//             cp_async_part<each>(&stage[slot].a[x_kk + i][x_own], x_line, whole || x_kk + i < first);
//             cp_async_part<each_2>(&stage[slot].b[0][w_kk + i][w_own], w_line,
//     if (is_aligned(x, 16) && is_aligned(w, 8)) {
