// run: fusec %s --emit=tile --arch=sm_90a > chosen
// run: grep "chosen" chosen
// A thread of a short row that is only read has more of its elements than where they are stored:
// warps then read fewer rows at a time. So it is with those that are read once.
fn max_13(x: bf16[2000000, 13]) -> (y: f32[2000000]) {
    y = max(x, axis = 1) as f32;
}
fn softmax_13(x: bf16[2000000, 13]) -> (y: bf16[2000000, 13]) {
    y = softmax(x) as bf16;
}
fn max_27(x: f32[2000000, 27]) -> (y: f32[2000000]) {
    y = max(x, axis = 1);
}
fn logsumexp_13(x: bf16[2000000, 13]) -> (y: f32[2000000]) {
    y = logsumexp(x, axis = 1);
}
fn logsumexp_257(x: bf16[200000, 257]) -> (y: f32[200000]) {
    y = logsumexp(x, axis = 1);
}
fn logsumexp_128(x: bf16[400000, 128]) -> (y: f32[400000]) {
    y = logsumexp(x, axis = 1);
}
fn logsumexp_512(x: bf16[100000, 512]) -> (y: f32[100000]) {
    y = logsumexp(x, axis = 1);
}
fn logsumexp_4096(x: bf16[10000, 4096]) -> (y: f32[10000]) {
    y = logsumexp(x, axis = 1);
}
// ---- expect
//   kind=row,cluster=1,threads=256,row_threads=1,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=4,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=4,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=1,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=16,warp_columns=0,vector=1,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=4,warp_columns=0,vector=8,keep=registers,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=8,warp_columns=0,vector=8,keep=nothing,unroll=4  // chosen
//   kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=8,keep=nothing,unroll=8  // chosen
