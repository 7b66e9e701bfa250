// Tiles that positions hide are skipped, whatever else a mask reads: a causal mask of live keys, and
// the keys of a chunk in split-KV.
// run: fusec %s --fn causal --target=c -o %t.c
// run: grep "continue;" %t.c
// run: fusec %s --fn causal --arch=sm_90a -o %t.cu
// run: grep "? grid_n" %t.cu
// run: fusec %s --fn decode --arch=sm_90a -D S=8192 -o %t_decode.cu
// run: grep -A 1 "return n_tile < grid_n &&" %t_decode.cu
fn causal[B, S](q: bf16[B, S, 64], k: bf16[B, S, 64], v: bf16[B, S, 64], live: bool[B, S])
        -> (y: bf16[B, S, 64]) {
    keep = iota(S)[:, None] >= iota(S) && live[:, None];
    y = softmax(where(keep, q @ k.T, -inf)) as bf16 @ v;
}
fn decode[S](q: bf16[8, 16, 64], k: bf16[8, S, 64], v: bf16[8, S, 64], live: bool[8, S])
        -> (y: bf16[8, 16, 64]) {
    y = softmax(where(live[:, None], q @ k.T, -inf)) as bf16 @ v;
}
// ---- expect
//                     if (n_start > m_last) continue;
//             return n_start > m_last ? grid_n : n_tile;
//             return n_tile < grid_n &&
//                    (n_start >= 256 + 256 * (at_batch % 32) || 256 * (at_batch % 32) > n_last);
