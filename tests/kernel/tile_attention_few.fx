// run: fusec %s --emit=tile --arch=sm_90a > chosen
// run: grep "kind=fma.*chosen" chosen
// Few queries leave blocks of 16, 32 or 64 of them, so that each multiprocessor has one. Blocks of
// more queries than a head has are in vain, however many heads there are.
fn of_16(q: f32[8, 256, 64], k: f32[8, 256, 64], v: f32[8, 256, 64]) -> (y: f32[8, 256, 64]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn of_32(q: f32[8, 384, 64], k: f32[8, 384, 64], v: f32[8, 384, 64]) -> (y: f32[8, 384, 64]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn of_64(q: f32[20, 384, 64], k: f32[20, 384, 64], v: f32[20, 384, 64]) -> (y: f32[20, 384, 64]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn whole(q: f32[8, 4096, 128], k: f32[8, 4096, 128], v: f32[8, 4096, 128])
    -> (y: f32[8, 4096, 128]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn of_one(q: f32[500, 1, 64], k: f32[500, 300, 64], v: f32[500, 300, 64]) -> (y: f32[500, 1, 64]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn of_17(q: f32[500, 17, 128], k: f32[500, 300, 128], v: f32[500, 300, 128])
    -> (y: f32[500, 17, 128]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
fn of_50(q: f32[500, 50, 64], k: f32[500, 300, 64], v: f32[500, 300, 64])
    -> (y: f32[500, 50, 64]) {
    y = softmax(q @ permute(k, 0, 2, 1)) @ v;
}
// ---- expect
//   kind=fma,m=16,n=128,columns=64,k=32,threads_m=8,threads_n=16,blocks=2  // chosen
//   kind=fma,m=32,n=128,columns=64,k=16,threads_m=8,threads_n=16,blocks=2  // chosen
//   kind=fma,m=64,n=128,columns=64,k=32,threads_m=16,threads_n=16,blocks=1  // chosen
//   kind=fma,m=128,n=128,columns=128,k=16,threads_m=16,threads_n=16,blocks=1  // chosen
//   kind=fma,m=16,n=128,columns=64,k=32,threads_m=8,threads_n=16,blocks=2  // chosen
//   kind=fma,m=32,n=128,columns=128,k=16,threads_m=8,threads_n=16,blocks=2  // chosen
//   kind=fma,m=64,n=128,columns=64,k=16,threads_m=8,threads_n=16,blocks=2  // chosen
