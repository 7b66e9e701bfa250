// The position of queries in their head, of the tile: the producer warpgroup declares what decides
// which tiles are skipped, the others also what decides where no mask is needed.
// run: fusec %s --arch=sm_90a -D G=4 -D S=4096 -o %t.cu
// run: grep -E "row_least|row_most" %t.cu
fn groups[G, S](q: bf16[G, S, 64], k: bf16[S, 64], v: bf16[S, 64]) -> (o: bf16[G, S, 64]) {
    s = (q @ k.T) * 0.125;
    o = (softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) as bf16) @ v;
}
// ---- expect
//         const int row_most_1 = (int)(m_start / (4096) == m_last / (4096) ? m_last % (4096) : 4095);
//             return n_start > (idx)row_most_1 ? grid_n : n_tile;
//             const int row_least_1 =
//                     const bool is_clear = n_last <= (idx)row_least_1;
