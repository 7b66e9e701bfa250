// Loads beside each other along a row take their elements from aligned packs, which are loaded once:
// those of a stencil, of every second element, and of one that neighbours share. Conditions of a
// choice are none of the loads, where these stay in the tensor. What does not lie in whole packs is
// loaded element by element.
// run: fusec %s --fn blur --target=cuda -o %t.cu
// run: grep "load_window<\|is_aligned(x" %t.cu
// run: fusec %s --fn stride --target=cuda -o %t.cu
// run: grep -A 1 "load_window<\|is_aligned(x" %t.cu
// run: fusec %s --fn pairs --target=cuda -o %t.cu
// run: grep -A 1 "load_window<\|is_aligned(x" %t.cu
// run: fusec %s --fn edges --target=cuda -o %t.cu
// run: grep -A 2 "load_window<\|is_aligned(x" %t.cu
// run: fusec %s --fn odd --target=cuda -o %t.cu
// run: grep -c "load_window<" %t.cu
// exit: 1
fn blur(x: f32[64, 128]) -> (y: f32[64, 128]) {
    p = pad(pad(x, 0, 1, 1), 1, 2, 2);
    v = p[:64] + 2 * p[1:65] + p[2:];
    y = v[:, :128] + 4 * v[:, 1:129] + 6 * v[:, 2:130] + 4 * v[:, 3:131] + v[:, 4:];
}
fn stride(x: bf16[64, 128]) -> (y: bf16[64, 64]) {
    p = pad(x, 1, 1, 0);
    y = max(max(reshape(p[:, :128], 64, 64, 2)[..., 0], reshape(x, 64, 64, 2)[..., 0]),
            reshape(x, 64, 64, 2)[..., 1]);
}
fn pairs(x: f32[64, 128, 2]) -> (y: f32[64, 128, 2]) {
    y = concat(x[..., :1] * 2, x[..., :1] * x[..., 1:]);
}
fn edges(x: f32[64, 128]) -> (y: f32[64, 256]) {
    s = concat(x[:, :1], x, x[:, -1:]);
    y = reshape(concat((s[:, :128] + 3 * x)[..., None], (3 * x + s[:, 2:])[..., None]), 64, 256);
}
fn odd(x: f32[64, 125]) -> (y: f32[64, 121]) { y = x[:, 1:122] + x[:, 4:]; }
// ---- expect
//     const auto x_window = load_window<VEC, -2, VEC + 2>(x + flat - 128, inside_1, -i1, 128 - i1);
//     const auto x_window_2 = load_window<VEC, -2, VEC + 2>(x + flat, true, -i1, 128 - i1);
//     const auto x_window_3 = load_window<VEC, -2, VEC + 2>(x + flat + 128, inside_2, -i1, 128 - i1);
//     if (is_aligned(x, 16) && is_aligned(y, 16)) {
//     const auto x_window = load_window<VEC, -1, 2 * VEC>(x + flat * 2, true, -2 * i1, 2 * VEC);
//     Pack<bf16, VEC> y_pack;
// --
//     if (is_aligned(x, 16) && is_aligned(y, 16)) {
//         stride_0_tile<8>(x, y, blockIdx.x);
//     const auto x_window = load_window<VEC, 0, VEC>(x + flat, true, 0, VEC);
//     Pack<float, VEC> y_pack;
// --
//     if (is_aligned(x, 16) && is_aligned(y, 16)) {
//         pairs_0_tile<4>(x, y, blockIdx.x);
//     const auto x_window = load_window<(VEC + 1) / 2, -1,
//             (VEC - 1) / 2 + 2>(x + i0 * 128 + i1 / 2, true, -(i1 / 2), 128 - i1 / 2);
//     Pack<float, VEC> y_pack;
// --
//     if (is_aligned(x, 8) && is_aligned(y, 16)) {
//         edges_0_tile<4>(x, y, blockIdx.x);
//         return;
// 0
