// Rows of 257 to 512 columns by wgmma: each consumer warpgroup has half of the columns of 64 rows, and
// the rows go through the memory of the last stage.
// run: fusec %s --arch=sm_90a -D M=16384 -D N=512 -D K=512 -o %t.cu
// run: grep -oE "Tensor cores.*|for each .* tile.*|named_wait\(.*|wgmma_descriptor\(slot .*" %t.cu
// run: fusec %s --arch=sm_90a -D M=16384 -D N=272 -D K=512 -o %t.cu
// run: grep -oE "Tensor cores.*|for each .* tile.*|tile_n = [0-9]+" %t.cu
// run: fusec %s --arch=sm_90a -D M=16384 -D N=272 -D K=512 --tile kind=wgmma,row_threads=4 -o %t.cu
// exit: 1
fn weights[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) {
    y = softmax(x @ w.T);
}
// ---- expect
// named_wait(int number, int threads) {
// Tensor cores
// for each 64 x 512 tile, 64 of k in
// wgmma_descriptor(slot + first_block * 8192, 8192);
// wgmma_descriptor(slot + a_bytes + consumer * (b_bytes / 2), 8192);
// named_wait(5, 256);
// named_wait(1 + warp % 4, 64);
// named_wait(1 + warp % 4, 64);
// Tensor cores
// for each 64 x 288 tile, 64 of k in
// tile_n = 288
// fusec: error: kernel 'weights_0' cannot have the tile kind=wgmma,row_threads=4: row_threads must be a power of 2 from 8 to 32, not 4
// fusec: note: without --tile it has kind=wgmma,m=64,n=288,stages=5,group=16,ping_pong=0,persistent=1,row_threads=16,vector=4,keep=registers,unroll=4
