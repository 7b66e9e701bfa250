// Products of bytes take 2048 steps at a time, of half the panels if they are deep; but those of few
// rows, and of f8, which are multiplied as f32, do not.
// run: fusec %s --target=c --emit=tile > tiles
// run: grep -h chosen tiles
fn bytes(a: i8[500, 1536], b: i8[1536, 300], c: u8[500, 700], d: i8[700, 300], e: i8[20, 1536],
        f: f8e4m3[500, 1536], g: f8e4m3[1536, 300])
    -> (deep: i32[500, 300], usual: i32[500, 300], few: i32[20, 300], floats: f32[500, 300]) {
    deep = a @ b;
    usual = c @ d;
    few = e @ b;
    floats = f @ g;
}
// ---- expect
//   kind=blocks,m=2048,n=2048,k=2048,group=16,block=112,rows=0,vectors=2,parallel=100000,sums=512  // chosen
//   kind=blocks,m=2048,n=2048,k=2048,group=32,block=112,rows=0,vectors=2,parallel=100000,sums=512  // chosen
//   kind=blocks,m=2048,n=2048,k=256,group=64,block=112,rows=0,vectors=2,parallel=100000,sums=512  // chosen
//   kind=blocks,m=2048,n=2048,k=1024,group=32,block=112,rows=0,vectors=2,parallel=100000,sums=512  // chosen
