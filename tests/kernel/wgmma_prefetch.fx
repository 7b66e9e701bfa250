// The producer tells L2 which residuals its block will add: of each element, in rows that TMA can read;
// neither a bias nor rows that start anywhere. With split-K a block has a share of the columns.
// run: fusec %s --arch=sm_90a --tile of_parts_0:split_k=2 -o %t.cu
// run: grep -E "prefetch\(&|box = .*box < tile_n" %t.cu
fn residual(x: bf16[4096, 512], w: bf16[4096, 512], bias: bf16[4096], r: bf16[4096, 4096])
    -> (y: bf16[4096, 4096]) {
    y = x @ w.T + bias + r;
}

fn of_floats(x: bf16[8, 2048, 512], w: bf16[1024, 512], r: f32[8, 2048, 1024]) -> (y: bf16[8, 2048, 1024]) {
    y = x @ w.T + r;
}

fn of_batches(x: bf16[64, 500, 512], w: bf16[64, 520, 512], r: bf16[64, 500, 520])
    -> (y: bf16[64, 500, 520]) {
    y = x @ permute(w, 0, 2, 1) + r;
}

fn of_parts(x: bf16[130, 200], w: bf16[136, 200], r: bf16[130, 136]) -> (y: bf16[130, 136]) {
    y = x @ w.T + r;
}

fn uneven(x: bf16[4096, 512], w: bf16[4100, 512], r: bf16[4096, 4100]) -> (y: bf16[4096, 4100]) {
    y = x @ w.T + r;
}
// ---- expect
//                         for (int box = 0; box < tile_n; box += 64)
//                             tma_prefetch(&r_map, n_start + box, m_start, 0);
//                         for (int box = 0; box < tile_n; box += 32)
//                             tma_prefetch(&r_map, n_start + box, m_start, 0);
//                         for (int box = 0; box < tile_n; box += 64)
//                             tma_prefetch(&r_map, n_start + box, m_start, at_batch);
//                         for (int box = 64 * rank; box < tile_n; box += 64 * parts)
//                             tma_prefetch(&r_map, n_start + box, m_start, 0);
