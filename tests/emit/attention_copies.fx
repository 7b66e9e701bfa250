// Keys and values that are computed, as of a quantised cache: cp.async brings what they are computed from,
// with what a row shares, to places of the threads that compute them, while the tile before is multiplied;
// scales of scores are loaded before the tile is computed. Of 16-bit elements a thread computes 8 at a
// time, of bytes 16, of pairs of 4 bits 32.
// run: fusec %s --target=cuda --arch=sm_90a --assume-aligned --no-test -o %t.cu
// run: grep -E "cp_async(_part)?(<.*>)?\(|raw_|_ahead|elements.at|copy\(|fetch_.*;" %t.cu
fn quantised[T](
    q: bf16[4, 8, 4, 128],
    k: f8e4m3[4, 8, T, 128],
    ks: f32[4, 8, T],
    v: i8[4, 8, T, 128],
    vs: f32[4, 8, T]
) -> (o: bf16[4, 8, 4, 128]) {
    s = (q @ (k as bf16).T) * ks[:, :, None] * rsqrt(128);
    o = softmax(s) as bf16 @ ((v as f32 * vs[..., None]) as bf16);
}
fn updated[T](
    q: bf16[4, 8, 4, 64],
    k: bf16[4, 8, T, 64],
    now: bf16[4, 8, 64],
    at: i32[4],
    v: u8[4, 8, T, 32]
) -> (o: bf16[4, 8, 4, 64]) {
    keys = where(iota(T)[:, None] == at[:, None, None, None], now[:, :, None], k);
    halves = reshape(concat((v % 16)[..., None], (v / 16)[..., None], axis = -1), 4, 8, T, 64);
    o = softmax((q @ keys.T) * rsqrt(64)) as bf16 @ (halves as bf16);
}
// ---- expect
// DEVICE void cp_async(void *to, const void *from, bool inside = true) {
// template <int N, class T> DEVICE void cp_async_part(T *to, const T *from, bool inside) {
//         cp_async(to, from, inside);
//             raw_k = tiles_bytes, raw_v = raw_k + 16384, raw_vs = raw_v + 16384;
//                             (const f8e4m3 *)(shared + raw_k + (item * 128 + thread) * 16);
//                             elements.at[part + l] = to_bf16(k_1);
//                             elements.at[part + l] = to_bf16(k_1);
//                             (const signed char *)(shared + raw_v + (item * 128 + thread) * 16);
//                                 *(const float *)(shared + raw_vs + (item * 128 + thread) * 4);
//                             elements.at[part + l] =
//                             elements.at[part + l] =
//             cp_async(shared + raw_k + (item * 128 + thread) * 16, k_from + item * (16 * 128),
//             cp_async(shared + raw_v + (item * 128 + thread) * 16, v_from + item * (16 * 128),
//             cp_async_part<1>((float *)(shared + raw_vs + (item * 128 + thread) * 4),
//                 cp_async(q_slot + swizzled<256>(row, chunk),
//         fetch_queries();
//         copy(n_tile);
//         float ks_ahead[2 * pieces_n];
//                     ks_ahead[2 * j + part] = ks[(at_batch / 8) * T + at_n];
//         fetch_keys(n_tile);
//         fetch_values(n_tile);
//         if (n_next < grid_n) copy(n_next);
//                             score[i][j][part] * ks_ahead[2 * j + part % 2] * 0.088388346f;
//                                              ? score[i][j][part] * ks_ahead[2 * j + part % 2] *
//             raw_k = tiles_bytes, raw_v = raw_k + 16384;
//                             (const bf16 *)(shared + raw_k + (item * 128 + thread) * 16);
//                             elements.at[part + l] = to_bf16(index == at_1 ? now_1 : k_1);
//                             elements.at[part + l] = to_bf16(index == at_1 ? now_1 : k_1);
//                             (const unsigned char *)(shared + raw_v + (item * 128 + thread) * 16);
//                             elements.at[part + l] =
//                             elements.at[part + l] =
//             cp_async(shared + raw_k + (item * 128 + thread) * 16, k_from + item * (16 * 64),
//             cp_async(shared + raw_v + (item * 128 + thread) * 16, v_from + item * (64 * 32),
//                 cp_async(q_slot + swizzled<128>(row, chunk),
//         fetch_queries();
//         copy(n_tile);
//         fetch_keys(n_tile);
//         fetch_values(n_tile);
//         if (n_next < grid_n) copy(n_next);
