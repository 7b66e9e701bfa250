// An index along all axes of a loop nest, or along all axes of its rows, is the flat position: the
// axes are not divided out. Sizes that a tested one implies are not tested for packs. Equal conditions
// of pads are one.
// run: fusec %s --fn=scaled --no-test -o %t.cu
// run: grep -E "(flat|i[0-3]) =|store_pack\(y|x_items.item. =|% 4 == 0" %t.cu
// run: fusec %s --fn=group --no-test -o %t.cu
// run: grep -E "i[0-3] =|row =|store_pack\(y|sd\[|_pack = |% 4 == 0" %t.cu
// run: fusec %s --fn=cross --no-test -o %t.cu
// run: grep -E "inside_. =|x_[1-4] =|% 4 == 0" %t.cu
fn scaled[N, C, H, W](x: f32[N, C, H, W], s: f32[C]) -> (y: f32[N, C, H, W]) {
    y = x * s[:, None, None];
}

fn group[N, G, D](x: bf16[N, G*D], gain: f32[G*D]) -> (y: bf16[N, G*D], sd: f32[N, G]) {
    h = reshape(x, N, G, D) as f32;
    sd = sqrt(mean(h * h));
    y = reshape(h / sd[..., None], N, G * D) * gain;
}

fn cross[H, W](x: f32[H, W]) -> (y: f32[H, W]) {
    p = pad(pad(x, 0, 1, 1), 1, 1, 1);
    y = p[:H, :W] + p[:H, 2:W+2] + p[2:H+2, :W] + p[2:H+2, 2:W+2];
}
// ---- expect
//         const idx flat = valid ? at : N*C*H*W - VEC;
//         const idx i1 = flat / (H*W) % C;
//         x_items[item] = load_pack<VEC>(x + flat);
//         const idx flat = valid ? at : N*C*H*W - VEC;
//         if (valid) store_pack(y + flat, y_pack);
//     if ((H*W) % 4 == 0 && is_aligned(x, 16) && is_aligned(y, 16)) {
//     const idx row = valid ? first : N*G - 1;
//     const idx i1 = row % G;
//         const Pack<bf16, VEC> x_pack = load_pack<VEC>(x + row * D + col);
//     if (valid && thread == 0) sd[row] = sd_1;
//         const Pack<bf16, VEC> x_pack = load_pack<VEC>(x + row * D + col);
//         const Pack<float, VEC> gain_pack = load_pack<VEC>(gain + i1 * D + col);
//         if (valid) store_pack(y + row * D + col, y_pack);
//     if (D % 4 == 0 && is_aligned(x, 8) && is_aligned(gain, 16) && is_aligned(y, 8)) {
//     const bool inside_1 = i0 >= 1;
//     const bool inside_2 = i0 + 2 < H + 1;
//         const bool inside_3 = i1 + l >= 1;
//         const float x_1 = inside_3 && inside_1 ? x[flat + l - (W + 1)] : 0.0f;
//         const bool inside_4 = i1 + l + 2 < W + 1;
//         const float x_2 = inside_4 && inside_1 ? x[flat + l + (1 - W)] : 0.0f;
//         const float x_3 = inside_3 && inside_2 ? x[flat + l + (W - 1)] : 0.0f;
//         const float x_4 = inside_4 && inside_2 ? x[flat + l + (W + 1)] : 0.0f;
//     if (W % 4 == 0 && is_aligned(y, 16)) {
