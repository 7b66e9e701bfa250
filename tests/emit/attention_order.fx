// Long rows of all batches come first: for the backward to keys and values these are the first ones.
// run: fusec %s --arch=sm_90a -D S=4096 --tile attention_0:m=64,n=64,k=16,threads_m=16,blocks=2 -o %t.cu
// run: grep -E "(block|m_start|at_batch) = .*(block|place|grid_m)|n_tile < grid_n &&" %t.cu
fn attention[S](q: f32[8, S, 64], k: f32[8, S, 64], v: f32[8, S, 64]) -> (o: f32[8, S, 64]) {
    s = q @ k.T * 0.125;
    o = softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) @ v;
}
fn fwd, bwd = train(attention);
// ---- expect
//     const int block = (int)blockIdx.x, blocks = (int)gridDim.x;
//     const int block = paired_block<132>(), place = block / grid_c / 8;
//     const int m_start = (grid_m - 1 - place) * tile_m;
//     const int at_batch = block / grid_c % 8;
//     const int block = (int)blockIdx.x, place = block / grid_c / 8;
//     const int m_start = (grid_m - 1 - place) * tile_m;
//     const int at_batch = block / grid_c % 8;
//     const int block = (int)blockIdx.x, place = block / grid_c / 8;
//     const int m_start = (grid_m - 1 - place) * tile_m;
//     const int at_batch = block / grid_c % 8;
//     const int block = (int)blockIdx.x, place = block / grid_c / 8;
//     const int m_start = place * tile_m;
//     const int at_batch = block / grid_c % 8;
//             return n_tile < grid_n && (m_start > n_last);
