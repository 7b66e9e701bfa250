// A tile of a product may be wider than the rows whose results it stores, which may divide among the threads
// of a row all the same: items beyond the end are left out, with packs and without.
// run: fusec %s --arch=sm_90a -o %t.cu
// run: grep "constexpr int items\|constexpr int full\|col >= 16\|tile_n = " %t.cu
fn f(s: bf16[33, 8], m: bf16[8, 16], t: f32[33, 1, 8]) -> (y: f16[1, 33, 16]) {
    pairs = reshape(s @ m, 33, 1, 8, 2);
    y = permute(concat(pairs[..., 0], t), 1, 0, 2);
}
// ---- expect
//     constexpr int tile_m = 16, tile_n = 32, tile_k = 32; /* of a block */
//                 constexpr int items = 4 / VEC;
//                 constexpr int full = 16 / (8 * VEC); /* items that every thread has */
//                     if (item >= full && col >= 16) continue;
//                 constexpr int items = 4;
//                 constexpr int full = 16 / 8; /* items that every thread has */
//                     if (item >= full && col >= 16) continue;
