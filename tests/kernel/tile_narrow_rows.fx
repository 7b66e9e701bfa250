// run: fusec %s --emit=tile --arch=sm_90a > chosen
// run: grep "chosen" chosen
// A thread reads several single elements of 2 bytes of a row: 33 elements are shared by 4 threads.
fn narrow(x: f16[100000, 33]) -> (y: f32[100000]) { y = var(x, axis = 1); }
// ---- expect
//   kind=row,cluster=1,threads=128,row_threads=4,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
