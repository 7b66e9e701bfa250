// run: fusec %s --emit=tile --arch=sm_90a > chosen
// run: grep "chosen" chosen
// A thread reads several single elements of 2 bytes of a row: 33 elements are shared by 4 threads, and
// 257 by a warp, whose blocks have several rows.
fn narrow(x: f16[100000, 33]) -> (y: f32[100000]) { y = var(x, axis = 1); }
fn longer(x: bf16[90000, 257]) -> (y: f32[90000]) { y = sum(x as f32, axis = 1); }
// ---- expect
//   kind=row,cluster=1,threads=128,row_threads=4,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
