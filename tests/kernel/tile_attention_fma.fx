// run: fusec %s --emit=tile --arch=sm_90a > chosen
// run: grep "kind=fma.*chosen" chosen
// Tiles of an attention by multiply-adds have as many columns as a head, in steps of 16, and 64
// queries where 128 would leave some multiprocessors twice as many, or none (`idle`).
fn head_80(q: f32[32, 473, 80], k: f32[32, 473, 80], v: f32[32, 473, 80]) -> (y: f32[32, 473, 80]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn head_64(q: f32[32, 473, 64], k: f32[32, 473, 64], v: f32[32, 473, 64]) -> (y: f32[32, 473, 64]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn many(q: f32[32, 2048, 64], k: f32[32, 2048, 64], v: f32[32, 2048, 64]) -> (y: f32[32, 2048, 64]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn uneven(q: f32[20, 780, 80], k: f32[20, 780, 80], v: f32[20, 780, 80]) -> (y: f32[20, 780, 80]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn idle(q: f32[32, 361, 80], k: f32[32, 361, 80], v: f32[32, 361, 80]) -> (y: f32[32, 361, 80]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
// ---- expect
//   kind=fma,m=128,n=128,columns=80,k=16,threads_m=16,threads_n=16,blocks=1  // chosen
//   kind=fma,m=128,n=128,columns=64,k=16,threads_m=16,threads_n=16,blocks=1  // chosen
//   kind=fma,m=128,n=64,columns=64,k=8,threads_m=16,threads_n=8,blocks=2  // chosen
//   kind=fma,m=64,n=128,columns=80,k=16,threads_m=8,threads_n=16,blocks=2  // chosen
//   kind=fma,m=64,n=128,columns=80,k=16,threads_m=8,threads_n=16,blocks=2  // chosen
