// The tiles that kernels get are those that the rules choose, and legal: of rows of bytes in packs that they may start
// anywhere in, of one row, of rows of open length, of bytes of few columns whose threads exchange most of shared memory,
// in packs and, where tensors are not aligned, in single elements.
// Columns whose number is open have the threads of a block by default, and running sums of open sizes or of f64 keep few
// elements in registers. Products of 32 x 32, and of up to 32 columns, have tiles for them.
// run: fusec explain %s --arch=sm_90a --machine=H200 --target=cuda > all
// run: grep -E "^kernel|tile" all
fn bytes(x: f8e4m3[5000, 1001]) -> (y: f32[5000]) { y = logsumexp(x as f32); }
fn one_row(x: f32[60001]) -> (y: f32) { y = logsumexp(x[1:]); }
fn gain_of_one(x: f32[60001], g: f32[60000]) -> (y: f32) { y = logsumexp(x[1:] * g); }
fn open_scan[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = cumsum(x); }
fn exchanged(x: i8[300, 256]) -> (y: f32[256]) { y = max(x as f32 * 0.01, axis = 0); }
fn exchanged_f64(x: u8[2, 255, 64]) -> (y: f64[2, 64], z: f64[2, 64]) {
    t = x as f64;
    y = logsumexp(t, axis = 1);
    z = var(t, axis = 1);
}
fn open_columns[N](x: bf16[N, 100, 64]) -> (y: f32[N, 100, 64]) { y = softmax(x as f32, axis = 1); }
fn open_down[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = cumsum(x, axis = 0); }
fn long_down[N](x: f32[N, 401]) -> (y: f32[N, 401]) { y = cumsum(x, axis = 0); }
fn wide_down(x: f64[384, 33]) -> (y: f64[384, 33]) { y = cumsum(x, axis = 0); }
fn down(x: f32[384, 33]) -> (y: f32[384, 33]) { y = cumsum(x, axis = 0); }
fn squares(x: f32[8192, 32, 64], w: f32[8192, 32, 64]) -> (y: f32[8192, 32, 32]) { y = x @ w.T; }
fn narrow(x: f32[65536, 256], w: f32[256, 30]) -> (y: f32[65536, 30]) { y = x @ w; }
fn pieces(a: bf16[128, 256, 32], b: bf16[128, 256, 32]) -> (y: bf16[256, 256, 32, 32]) { y = einsum("sic,sjd->ijcd", a, b) / 128; }
// ---- expect
// kernel bytes_0: row over [5000, 1001] along 1001
//   tile      kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=16,keep=nothing,unroll=4
// kernel one_row_0: row over [60000] along 60000
//   tile      kind=row,cluster=4,threads=512,row_threads=512,warp_columns=0,vector=4,keep=nothing,unroll=4
// kernel gain_of_one_0: row over [60000] along 60000
//   tile      kind=row,cluster=8,threads=512,row_threads=512,warp_columns=0,vector=1,keep=nothing,unroll=4
// kernel open_scan_0: row over [N, D] along D
//   tile      kind=row,cluster=1,threads=256,row_threads=0,warp_columns=1024,vector=4,keep=nothing,unroll=4
// kernel exchanged_0: row over [300, 256] along 300
//   tile      kind=column,threads=720,split=45,vector=16,keep=nothing,unroll=4
// kernel exchanged_f64_0: row over [2, 255, 64] along 255
//   tile      kind=column,threads=336,split=42,vector=8,keep=registers,unroll=4
// kernel open_columns_0: row over [N, 100, 64] along 100
//   tile      kind=column,threads=256,split=8,vector=1,keep=registers,unroll=4
// kernel open_down_0: row over [N, D] along N
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=8
// kernel long_down_0: row over [N, 401] along N
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=8
// kernel wide_down_0: row over [384, 33] along 384
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=8
// kernel down_0: row over [384, 33] along 384
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=16
// kernel squares_0: dot over [8192, 32, 32]
//   tile      kind=fma,m=32,n=32,k=32,threads_m=8,threads_n=8,stages=3,blocks=4
// kernel narrow_0: dot over [65536, 30]
//   tile      kind=fma,m=128,n=32,k=16,threads_m=16,threads_n=8,stages=3,blocks=4
// kernel pieces_0: dot over [256, 32, 256, 32]
//   tile      kind=wgmma,m=128,n=128,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
