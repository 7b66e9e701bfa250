// Rows of 257 to 512 columns by wgmma: each consumer warpgroup has half of the columns of 64 rows, and
// the rows go through the memory of the last stage.
// run: fusec %s --arch=sm_90a -D M=16384 -D N=512 -D K=512 -o %t.cu
// run: grep -oE "Tensor cores.*|for each .* tile.*|named_wait\(.*|wgmma_descriptor\(slot .*" %t.cu
// run: fusec %s --arch=sm_90a -D M=16384 -D N=272 -D K=512 -o %t.cu
// run: grep -oE "Tensor cores.*|for each .* tile.*|tile_n = [0-9]+" %t.cu
fn weights[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) {
    y = softmax(x @ w.T);
}
// ---- expect
// named_wait(int number, int threads) {
// Tensor cores (wgmma),
// for each 64 x 512 tile, 64 of k in each of 3
// wgmma_descriptor(slot + first_block * 8192, 8192);
// wgmma_descriptor(slot + a_bytes + consumer * (b_bytes / 2), 8192);
// named_wait(5, 256);
// named_wait(1 + warp % 4, 64);
// named_wait(1 + warp % 4, 64);
// Tensor cores (wgmma),
// for each 64 x 288 tile, 64 of k in each of 5
// tile_n = 288
