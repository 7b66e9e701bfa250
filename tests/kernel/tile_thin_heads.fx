// Heads of up to 32 columns and many queries: three warpgroups; with fewer keys where scores depend on more than queries and
// keys.
// run: fusec explain %s --fn plain -D S=4096 -D D=32 --arch=sm_90a > out
// run: grep "tile " out
// run: fusec explain %s --fn plain -D S=1024 -D D=32 --arch=sm_90a > out
// run: grep "tile " out
// run: fusec explain %s --fn plain -D S=4096 -D D=64 --arch=sm_90a > out
// run: grep "tile " out
// run: fusec explain %s --fn slopes -D S=4096 -D D=32 --arch=sm_90a > out
// run: grep "tile " out
fn plain[S, D](q: bf16[32, S, D], k: bf16[32, S, D], v: bf16[32, S, D]) -> (o: bf16[32, S, D]) {
    s = (q @ k.T) * rsqrt(D);
    o = softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) as bf16 @ v;
}
fn slopes[S, D](q: bf16[32, S, D], k: bf16[32, S, D], v: bf16[32, S, D], slope: f32[32]) -> (o: bf16[32, S, D]) {
    s = (q @ k.T) * rsqrt(D) - slope[:, None, None] * (abs(iota(S)[:, None] - iota(S)) as f32);
    o = softmax(s) as bf16 @ v;
}
// ---- expect
//   tile      kind=wgmma,m=192,n=128,stages=2,l2=32,persistent=1
//   tile      kind=wgmma,m=128,n=128,stages=2,l2=0,persistent=1
//   tile      kind=wgmma,m=128,n=128,stages=2,l2=0,persistent=1
//   tile      kind=wgmma,m=192,n=112,stages=2,l2=0,persistent=1
