// run: fusec %s --fn turned --target=c --tile m=40
// exit: 1
// run: fusec %s --fn turned --target=c --tile m=512,n=512
// exit: 1
// run: fusec %s --fn straight --target=c --tile kind=transpose
// exit: 1
// In C blocks of a transpose are whole vectors of any width, and their loads fit the stack.
fn turned(x: f32[128, 256], b: f32[256]) -> (y: f32[256, 128]) {
    y = x.T + b[:, None];
}
fn straight[M, N](x: bf16[M, N]) -> (y: bf16[M, N]) {
    y = exp(x);
}
// ---- expect
// fusec: error: kernel 'turned_0' cannot have the tile m=40: m must be a multiple of 16, to 512, not 40
// fusec: note: without --tile it has kind=transpose,m=64,n=64,parallel=32768,stream=1048576,prefetch_from=1048576
// fusec: error: kernel 'turned_0' cannot have the tile m=512,n=512: a block takes 1048576 bytes of the stack, which has room for 262144
// fusec: note: without --tile it has kind=transpose,m=64,n=64,parallel=32768,stream=1048576,prefetch_from=1048576
// fusec: error: kernel 'straight_0' cannot have the tile kind=transpose: no load is contiguous across the order of the stores
// fusec: note: without --tile it has kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
