// Where a causal mask hides all of a tile of keys, it hides those behind it: there is nothing to
// search. A window's first tile is searched for.
// run: fusec %s --arch=sm_90a -D S=32768 --fn=causal -o %t.cu
// run: grep -A 5 "next_tile = " %t.cu
// run: fusec %s --arch=sm_90a -D S=32768 --fn=window -o %t.cu
// run: grep -A 5 "next_tile = " %t.cu
fn causal[S](q: bf16[S, 64], k: bf16[S, 64], v: bf16[S, 64]) -> (o: bf16[S, 64]) {
    s = where(iota(S)[:, None] >= iota(S), q @ k.T, -inf);
    o = (softmax(s) as bf16) @ v;
}

fn window[S](q: bf16[S, 64], k: bf16[S, 64], v: bf16[S, 64]) -> (o: bf16[S, 64]) {
    s = where(iota(S)[:, None] <= iota(S) + 512, q @ k.T, -inf);
    o = (softmax(s) as bf16) @ v;
}
// ---- expect
//         const auto next_tile = [&](int n_tile) {
//             const int m_start = renewed(m_tile) * tile_m;
//             const int m_last = m_start + tile_m < 32768 ? m_start + tile_m - 1 : 32767;
//             const int n_start = renewed(n_tile) * tile_n;
//             return n_start > m_last ? grid_n : n_tile;
//         };
//         const auto next_tile = [&](int n_tile) {
//             const auto is_masked = [&](int n_tile, int tiles) {
//                 const int m_start = renewed(m_tile) * tile_m;
//                 const int n_start = renewed(n_tile) * tile_n;
//                 const int n_last =
//                     n_start + tiles * tile_n < 32768 ? n_start + tiles * tile_n - 1 : 32767;
