// Weights of 4 bits: neighbours share a byte, which a pack of half as many bytes brings, and the numbers
// of a group its scale and its zero point, of which two share a byte, too; both are loaded once for a pack.
// As two halves of each group: the half says for a whole pack which bits to take.
// run: fusec %s --fn pairs -D M=4 --target=cuda --arch=sm_90a -o %t.cu
// run: grep -E "load_pack<|inside_|s_1|zero|small_difference" %t.cu
// run: fusec %s --fn halves -D M=4 --target=cuda --arch=sm_90a -o %t.cu
// run: grep -E "w_pack|inside_|s_1" %t.cu
fn pairs[M, N](x: bf16[M, 4096], w: u8[N, 2048], s: f32[N, 32], z: u8[N, 16]) -> (y: bf16[M, N]) {
    q = reshape(concat((w % 16)[:, :, None], (w / 16)[:, :, None]), N, 32, 128);
    zero = reshape(concat((z % 16)[:, :, None], (z / 16)[:, :, None]), N, 32);
    real = (q as f32 - zero[:, :, None] as f32) * s[:, :, None];
    y = x @ (reshape(real, N, 4096) as bf16).T;
}
fn halves[M, N](x: bf16[M, 4096], w: u8[N, 2048], s: f32[N, 128]) -> (y: bf16[M, N]) {
    b = reshape(w, N, 128, 16);
    q = concat(b % 16, b / 16, axis = 2) as f32 - 8;
    y = x @ (reshape(q * s[:, :, None], N, 4096) as bf16).T;
}
// ---- expect
// HOST_DEVICE float small_difference(int x, float y) {
// /* One vector load; p must be aligned to the size of the pack: load_pack<8>(x + 8 * i). */
// DEVICE float small_difference(PackByte x, float y) {
// DEVICE float small_float(PackByte x) { return small_difference(x, 0.0f); }
//         const Pack<T, EACH> part = load_pack<EACH>(from + i);
//                     const auto w_pack = load_pack<(VEC + 1) / 2>(w + at_n * 2048 + at_k / 2);
//                     const float s_1 = s[at_n * 32 + at_k / 128];
//                         const bool inside_1 = (at_k % 2 + l) % 2 < 1;
//                         const PackByte w_1 = inside_1 ? pack_byte(w_pack, l / 2) : PackByte{};
//                         const bool inside_2 = (at_k % 2 + l) % 2 >= 1;
//                         const PackByte w_2 = inside_2 ? pack_byte(w_pack, l / 2) : PackByte{};
//                         const bool inside_3 = ((at_k / 128) % 2) < 1;
//                         const float sub = small_difference(inside_1 ? low_half(w_1)
//                                                            small_float(inside_3 ? mod_trunc(z_1, 16)
//                         elements.at[part + l] = to_bf16(sub * s_1);
//                     const Pack<bf16, VEC> x_pack = load_pack<VEC>(x + at_m * 4096 + at_k);
//                     Pack<unsigned char, VEC> w_pack = {};
//                         w_pack = load_pack<VEC>(w + at_n * 2048 + (at_k / 32) * 16 + at_k % 32);
//                     Pack<unsigned char, VEC> w_pack_2 = {};
//                         w_pack_2 =
//                     const float s_1 = s[at_n * 128 + at_k / 32];
//                         const bool inside_1 = at_k % 32 < 16;
//                         const int where = inside_1 ? low_half(pack_byte(w_pack, l))
//                                           : high_half(pack_byte(w_pack_2, l));
//                         elements.at[part + l] = to_bf16(small_difference(where, 8.0f) * s_1);
