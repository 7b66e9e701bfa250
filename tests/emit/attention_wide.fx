// Warpgroups that multiply are one text for tensors of any alignment: it is tested when operands are
// loaded and results are stored. Where rows are odd, results are stored one by one.
// run: fusec %s --fn even --arch=sm_90a -o %t.cu
// run: grep -A 1 "bool wide =" %t.cu
// run: grep -B 3 "wide)\|(wide, " %t.cu
// run: fusec %s --fn odd --arch=sm_90a -o %t.cu
// run: grep -A 2 "bool wide =" %t.cu
// run: grep "load_pack\|store_pack" %t.cu
fn even[H, S](q: bf16[H, S, 64], k: bf16[H, S, 64], v: bf16[H, S, 64]) -> (o: bf16[H, S, 64]) {
    o = softmax(q @ k.T) as bf16 @ v;
}
fn odd[H, S](
    q: bf16[S, H, 64], k: bf16[S, H, 64], v: bf16[S, H, 64], gate: f32[H, S, 64], p: f32[H, S, 70]
) -> (o: bf16[H, S, 64]) {
    s = permute(q, 1, 0, 2) @ permute(k, 1, 2, 0);
    x = softmax(s) as bf16 @ permute(v, 1, 0, 2);
    o = x * gate + p[:, :, 3:67];
}
// ---- expect
//     const bool wide = is_aligned(q, 16) & is_aligned(k, 16) & is_aligned(v, 16) & is_aligned(o, 16);
//     constexpr int consumers = 2, tile_m = 128, tile_n = 128;
//
// /* store_pack where `wide`; else element by element, wherever p is. */
// template <int N, class T> DEVICE void store_pack_if(bool wide, T *p, const Pack<T, N> &pack) {
//     if (wide) {
// --
//                 if (wide && lane == 0) {
//                     mbarrier_arrive_expect_tx(arrival, q_bytes);
//                     tma_load(q_slot, &q_map, arrival, 0, (int)m_start, (int)at_batch);
//                 } else if (!wide) {
// --
//                 if (wide && lane == 0) {
//                     mbarrier_arrive_expect_tx(arrival, k_bytes);
//                     tma_load(k_slot, &k_map, arrival, 0, (int)n_start, (int)at_batch);
//                 } else if (!wide) {
// --
//                 if (wide && lane == 0) {
//                     mbarrier_arrive_expect_tx(arrival, v_bytes);
//                     tma_load(v_slot, &v_map, arrival, 0, (int)n_start, (int)at_batch);
//                 } else if (!wide) {
// --
//                                               (1.0f / (sum_of_row == 0.0f ? 1.0f : sum_of_row));
//                             o_pack.at[l] = to_bf16(o_1);
//                         }
//                         store_pack_if(wide, o + at_batch * 64*S + at_m * 64 + at_c, o_pack);
//     const bool wide = is_aligned(q, 16) & is_aligned(k, 16) & is_aligned(v, 16) &
//                       is_aligned(gate, 4) & is_aligned(p, 4) & is_aligned(o, 2);
//     constexpr int consumers = 2, tile_m = 128, tile_n = 128;
// /* One vector load; p must be aligned to the size of the pack: load_pack<8>(x + 8 * i). */
// template <int N, class T> DEVICE Pack<T, N> load_pack(const T *p) {
// template <int N, class T> DEVICE void store_pack(T *p, const Pack<T, N> &pack) {
//     store_pack((T *)to, chunk);
//                             load_pack<VEC>(gate + at_batch * 64*S + at_m * 64 + at_c);
//                             load_pack<VEC>(p + at_batch * 70*S + at_m * 70 + at_c + 3);
//                         store_pack(o + at_batch * 64*S + at_m * 64 + at_c, o_pack);
