// So many heads are computed at a time that all multiprocessors are done together.
// run: fusec %s --target=cuda --arch=sm_90a -D B=2 -D H=16 -D S=4096 --tile m=100
// exit: 1
// run: fusec %s --target=cuda --arch=sm_90a -D B=1 -D H=16 -D S=32768 --tile m=100
// exit: 1
// run: fusec %s --target=cuda --arch=sm_90a -D B=2 -D H=16 --tile persistent=2
// exit: 1
fn causal[B, H, S](q: bf16[B, H, S, 128], k: bf16[B, H, S, 128], v: bf16[B, H, S, 128])
        -> (y: bf16[B, H, S, 128]) {
    x = (q @ k.T) * rsqrt(128);
    y = softmax(where(iota(S)[:, None] >= iota(S), x, -inf)) as bf16 @ v;
}
// ---- expect
// fusec: error: kernel 'causal_0' cannot have the tile m=100: m must be 64 for each of 2 or 3 warpgroups, not 100
// fusec: note: without --tile it has kind=wgmma,m=128,n=128,stages=2,l2=0,persistent=1
// fusec: error: kernel 'causal_0' cannot have the tile m=100: m must be 64 for each of 2 or 3 warpgroups, not 100
// fusec: note: without --tile it has kind=wgmma,m=128,n=128,stages=2,l2=225,persistent=1
// fusec: error: kernel 'causal_0' cannot have the tile persistent=2: persistent is 0 or 1, not 2
// fusec: note: without --tile it has kind=wgmma,m=128,n=128,stages=2,l2=32,persistent=1
