// run: fusec %s --fn turned --tile m=256
// exit: 1
// run: fusec %s --fn turned --tile kind=transpose,m=64,n=64,threads=32
// exit: 1
// run: fusec %s --fn turned --tile kind=transpose,vector=8
// exit: 1
// run: fusec %s --fn straight --tile kind=transpose
// exit: 1
// run: fusec %s --fn narrow --tile kind=pointwise,threads=48
// exit: 1
// Tiles of kernels that read across the order in which they write, unless a side is short.
fn turned[M, N](x: bf16[M, N], b: f32[M]) -> (y: f32[N, M]) {
    y = x.T + b;
}
fn straight[M, N](x: bf16[M, N]) -> (y: bf16[M, N]) {
    y = exp(x);
}
fn narrow[M](x: bf16[M, 3]) -> (y: bf16[3, M]) {
    y = x.T;
}
// ---- expect
// fusec: error: kernel 'turned_0' cannot have the tile m=256: m is a power of 2 from 8 to 128, and not 256
// fusec: note: without --tile it has kind=transpose,m=64,n=64,threads=512,vector=4
// fusec: error: kernel 'turned_0' cannot have the tile kind=transpose,m=64,n=64,threads=32: a thread has 4 to 32 elements of a tile, and not 128
// fusec: note: without --tile it has kind=transpose,m=64,n=64,threads=512,vector=4
// fusec: error: kernel 'turned_0' cannot have the tile kind=transpose,vector=8: strides, sizes and 16 bytes of an access allow vectors of 1 to 4 elements (powers of 2), and not 8
// fusec: note: without --tile it has kind=transpose,m=64,n=64,threads=512,vector=4
// fusec: error: kernel 'straight_0' cannot have the tile kind=transpose: no load is contiguous across the order of the stores
// fusec: note: without --tile it has kind=pointwise,threads=256,vector=8,unroll=4
// fusec: error: kernel 'narrow_0' cannot have the tile kind=pointwise,threads=48: threads must be a power of 2 from 32 to 1024, not 48
// fusec: note: without --tile it has kind=pointwise,threads=256,vector=8,unroll=4
