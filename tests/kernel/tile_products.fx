// Tiles of products that memory bounds: neighbours that read the same rows start together, few columns in rows that start anywhere are copied, few rows are shared out by more threads; f32 that leaves large tiles a last wave has smaller ones.
// run: fusec explain %s --arch=sm_90a --target=cuda -o %t.txt
// run: grep -E "^fn|^kernel|^  tile" %t.txt
fn two_columns_of_tiles(a: bf16[6152, 7088], b: bf16[7088, 256]) -> (y: bf16[6152, 256]) {
    y = (a @ b) as bf16;
}
fn split_columns(a: bf16[6152, 7088], b: bf16[144, 7088]) -> (y: bf16[6152, 144]) {
    y = (a @ b.T) as bf16;
}
fn odd_columns(a: bf16[12752, 1528], b: bf16[1528, 61]) -> (y: bf16[12752, 61]) {
    y = (a @ b) as bf16;
}
fn short_odd_columns(a: bf16[24808, 968], b: bf16[968, 19]) -> (y: bf16[24808, 19]) {
    y = (a @ b) as bf16;
}
fn few_rows_long(a: bf16[14, 14344], b: bf16[1232, 14344]) -> (y: bf16[14, 1232]) {
    y = (a @ b.T) as bf16;
}
fn few_rows_crossing(a: bf16[10, 7864], b: bf16[19488, 7864]) -> (y: bf16[10, 19488]) {
    y = (a @ b.T) as bf16;
}
fn ragged(a: f32[2050, 1023], b: f32[2050, 1023]) -> (y: f32[2050, 2050]) {
    y = a @ b.T;
}
fn split_ragged(a: f32[2885, 2121], b: f32[2121, 430]) -> (y: f32[2885, 430]) {
    y = a @ b;
}
fn large(a: f32[4096, 512], b: f32[512, 4096]) -> (y: f32[4096, 4096]) {
    y = a @ b;
}
// ---- expect
// fn two_columns_of_tiles at -O2: 2 ops in 1 kernel
// kernel two_columns_of_tiles_0: dot over [6152, 256]
//   tile      kind=wgmma,m=128,n=128,stages=6,group=1,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// fn split_columns at -O2: 2 ops in 1 kernel
// kernel split_columns_0: dot over [6152, 144]
//   tile      kind=wgmma,m=192,n=160,stages=4,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=3,persistent=0,vector=8,unroll=4
// fn odd_columns at -O2: 3 ops in 2 kernels
// kernel odd_columns_0: pointwise over [1528, 64]
//   tile      kind=pointwise,threads=256,vector=8,unroll=1
// kernel odd_columns_1: dot over [12752, 61]
//   tile      kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=1,unroll=4
// fn short_odd_columns at -O2: 2 ops in 1 kernel
// kernel short_odd_columns_0: dot over [24808, 19]
//   tile      kind=mma,m=128,n=64,k=64,warps_m=4,warps_n=2,stages=4,group=8,blocks=2,vector=1,unroll=4,operand_unroll=4
// fn few_rows_long at -O2: 2 ops in 1 kernel
// kernel few_rows_long_0: dot over [14, 1232]
//   tile      kind=gemv,n=16,k=32,threads=512,vector=8,unroll=4,operand_unroll=4
// fn few_rows_crossing at -O2: 2 ops in 1 kernel
// kernel few_rows_crossing_0: dot over [10, 19488]
//   tile      kind=gemv,n=16,k=32,threads=128,vector=8,unroll=4,operand_unroll=4
// fn ragged at -O2: 1 op in 1 kernel
// kernel ragged_0: dot over [2050, 2050]
//   tile      kind=fma,m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4
// fn split_ragged at -O2: 3 ops in 2 kernels
// kernel split_ragged_0: dot over [3, 2885, 430]
//   tile      kind=fma,m=128,n=64,k=16,threads_m=16,threads_n=8,stages=3,blocks=4
// kernel split_ragged_1: pointwise over [2885, 430]
//   tile      kind=pointwise,threads=256,vector=2,unroll=2
// fn large at -O2: 1 op in 1 kernel
// kernel large_0: dot over [4096, 4096]
//   tile      kind=fma,m=128,n=128,k=16,threads_m=16,threads_n=8,stages=3,blocks=2
