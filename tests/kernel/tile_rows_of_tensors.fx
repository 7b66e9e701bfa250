// Rows of three tensors that stages read again are too much for the registers of a warp's threads, and
// get a block where it shares them out evenly; rows of one tensor of the same length get a warp.
// Rows of two tensors that start at multiples of 4 bytes are read in packs of 8; those of one are not.
// run: fusec %s --fn three --emit=tile --arch=sm_90a -D D=1024 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn three --emit=tile --arch=sm_90a -D D=1152 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn one --emit=tile --arch=sm_90a -D D=1024 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn two --emit=tile --arch=sm_90a -D D=1186 > chosen
// run: grep "chosen" chosen
// run: fusec %s --fn one --emit=tile --arch=sm_90a -D D=1186 > chosen
// run: grep "chosen" chosen
fn two[D](x: bf16[16384, D], r: bf16[16384, D], g: bf16[D]) -> (h: bf16[16384, D], y: bf16[16384, D]) {
    h = x + r;
    y = rms_norm(h, g);
}
fn three[D](x: bf16[16384, D], r: bf16[16384, D], keep: bool[16384, D], g: bf16[D], b: bf16[D]) -> (h: bf16[16384, D], y: bf16[16384, D]) {
    h = r + (where(keep, x * 1.25, 0) as bf16);
    y = layer_norm(h, g, b);
}
fn one[D](x: bf16[16384, D], g: bf16[D], b: bf16[D]) -> (y: bf16[16384, D]) { y = layer_norm(x, g, b); }
// ---- expect
//   kind=row,cluster=1,threads=64,row_threads=64,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=4,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=2,keep=registers,unroll=4  // chosen
