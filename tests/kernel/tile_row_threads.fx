// Threads of a row: each keeps about nine packs in registers, of single elements twice as many. The parts of a row
// that clusters keep have 8 packs in flight.
// run: fusec %s --fn norm --emit=tile --arch=sm_90a -D D=4001 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn norm --emit=tile --arch=sm_90a -D D=5001 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn best --emit=tile --arch=sm_90a -D D=5001 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn best --emit=tile --arch=sm_90a -D D=8192 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn weights --emit=tile --arch=sm_90a -D D=8192 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn weights --emit=tile --arch=sm_90a -D D=9003 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn weights --emit=tile --arch=sm_90a -D D=16384 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn weights --emit=tile --arch=sm_90a -D D=131072 > chosen
// run: grep "chosen" chosen
fn norm[D](x: bf16[16384, D], gain: f32[D], bias: f32[D]) -> (y: bf16[16384, D]) {
    y = layer_norm(x, gain, bias);
}

fn best[D](x: bf16[16384, D]) -> (i: i32[16384]) { i = argmax(x); }

fn weights[D](x: bf16[16384, D]) -> (y: bf16[16384, D]) { y = softmax(x); }
// ---- expect
//   kind=row,cluster=1,threads=256,row_threads=256,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=512,row_threads=512,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=256,row_threads=256,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=8,threads=128,row_threads=128,warp_columns=0,vector=8,keep=shared,unroll=8  // chosen
