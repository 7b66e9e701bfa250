// Rows of a product that are only reduced are reduced during the products of another tile (ping-pong),
// where there is more than one step along k; rows that are stored are not.
// run: fusec %s --fn reduced --emit=tile --arch=sm_90a -D K=1024 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn reduced --emit=tile --arch=sm_90a -D K=64 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn stored --emit=tile --arch=sm_90a > chosen
// run: grep "chosen" chosen
fn reduced[K](x: bf16[4096, K], w: bf16[32768, K], labels: i32[4096]) -> (loss: f32[4096]) {
    loss = cross_entropy(x @ w.T, labels);
}

fn stored(x: bf16[16384, 1024], w: bf16[128, 1024], s: f32[128]) -> (y: bf16[16384, 128]) {
    y = rms_norm(x @ w.T, s, eps = 1e-6);
}
// ---- expect
//   kind=wgmma,m=128,n=128,stages=6,group=16,ping_pong=1,persistent=1,row_threads=4,vector=4,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=4,keep=registers,unroll=4  // chosen
//   kind=wgmma,m=128,n=256,stages=4,group=16,ping_pong=0,persistent=1,row_threads=4,vector=2,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=4,keep=registers,unroll=4  // chosen
//   kind=wgmma,m=128,n=128,stages=6,group=16,ping_pong=0,persistent=1,row_threads=4,vector=4,keep=registers,unroll=4  // chosen
