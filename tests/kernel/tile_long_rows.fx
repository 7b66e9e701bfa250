// Long rows that are all a kernel reads in packs stay in the registers of two small blocks; where scales of
// columns are read too, and where a thread would have more than 14 packs, they have 512 threads.
// run: fusec explain %s --arch=sm_90a > %t
// run: grep "tile " %t
fn norm(x: bf16[4096, 28672]) -> (y: bf16[4096, 28672]) {
    w = x as f32;
    c = w - mean(w, axis = -1, keep = true);
    y = (c * rsqrt(mean(c * c, axis = -1, keep = true) + 0.00001)) as bf16;
}
fn scaled(x: bf16[4096, 28672], gain: bf16[28672]) -> (y: bf16[4096, 28672]) {
    w = x as f32;
    y = (w * rsqrt(mean(w * w, axis = -1, keep = true) + 0.00001) * gain) as bf16;
}
fn groups(x: bf16[32, 256, 56, 56], gain: bf16[256]) -> (y: bf16[32, 256, 56, 56]) {
    g = reshape(x as f32, 32, 32, 8 * 56 * 56);
    n = g * rsqrt(mean(g * g, axis = -1, keep = true) + 0.00001);
    y = (reshape(n, 32, 256, 56, 56) * gain[:, None, None]) as bf16;
}
fn longer(x: bf16[4096, 32768]) -> (y: bf16[4096, 32768]) {
    w = x as f32;
    y = (w * rsqrt(mean(w * w, axis = -1, keep = true) + 0.00001)) as bf16;
}
// ---- expect
//   tile      kind=row,cluster=1,threads=256,row_threads=256,warp_columns=0,vector=8,keep=registers,unroll=4
//   tile      kind=row,cluster=1,threads=512,row_threads=512,warp_columns=0,vector=8,keep=registers,unroll=4
//   tile      kind=row,cluster=1,threads=256,row_threads=256,warp_columns=0,vector=8,keep=registers,unroll=4
//   tile      kind=row,cluster=1,threads=512,row_threads=512,warp_columns=0,vector=8,keep=registers,unroll=4
