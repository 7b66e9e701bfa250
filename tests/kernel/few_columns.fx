// Products of 2 to 15 columns whose right operand is not contiguous along k are multiplied as products
// of few rows, which read the left operand as it lies in memory: with the epilogue, whose results they
// store one by one; so are those of f32 in any layout, also in kernels of their own where one kernel would add them up or
// reduce rows of them. Not of others, of wider ones, of few rows, of several
// products of one operand, of padded operands.
// run: fusec explain %s --arch=sm_90a > %t.1
// run: grep -E "^fn|^kernel|tile " %t.1
fn turned(a: bf16[8021, 976], b: bf16[976, 4], c: bf16[4]) -> (y: bf16[8021, 4]) { y = relu(a @ b + c) as bf16; }
fn batches(a: f16[3, 4100, 77], b: f16[3, 77, 12]) -> (y: f32[3, 4100, 12]) { y = tanh(a @ b); }
fn along_k(a: bf16[8021, 976], b: bf16[4, 976]) -> (y: bf16[8021, 4]) { y = (a @ b.T) as bf16; }
fn across(a: bf16[976, 8192], b: bf16[976, 4]) -> (y: bf16[8192, 4]) { y = (a.T @ b) as bf16; }
fn wider(a: bf16[8192, 976], b: bf16[976, 16]) -> (y: bf16[8192, 16]) { y = (a @ b) as bf16; }
fn few_rows(a: bf16[512, 976], b: bf16[976, 4]) -> (y: bf16[512, 4]) { y = (a @ b) as bf16; }
fn two(a: bf16[8192, 976], b: bf16[976, 8], c: bf16[976, 8]) -> (y: bf16[8192, 8]) { y = ((a @ b) * (a @ c)) as bf16; }
fn words(a: f32[8192, 976], b: f32[976, 4]) -> (y: f32[8192, 4]) { y = a @ b; }
fn two_words(a: f32[8192, 976], b: f32[4, 976], c: f32[4, 976]) -> (y: f32[8192, 4]) { y = (a @ b.T) * (a @ c.T); }
fn sum_of_words(a: f32[8192, 976], b: f32[4, 976], c: f32[8192, 64], d: f32[64, 4]) -> (y: f32[8192, 4]) { y = a @ b.T + c @ d; }
fn rows_of_words(a: f32[8192, 976], b: f32[4, 976]) -> (y: f32[8192, 4]) { y = softmax(a @ b.T); }
fn padded_words(a: f32[8192, 976], b: f32[970, 4]) -> (y: f32[8192, 4]) { y = a @ pad(b, 0, 2, 4); }
// ---- expect
// fn turned at -O2: 4 ops in 1 kernel
// kernel turned_0: dot over [8021, 4]
//   tile      kind=gemv,n=16,k=32,threads=128,vector=1,unroll=4,operand_unroll=4
// fn batches at -O2: 2 ops in 1 kernel
// kernel batches_0: dot over [3, 4100, 12]
//   tile      kind=gemv,n=32,k=16,threads=256,vector=1,unroll=4,operand_unroll=8
// fn along_k at -O2: 2 ops in 1 kernel
// kernel along_k_0: dot over [8021, 4]
//   tile      kind=wgmma,m=128,n=16,stages=8,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4
// fn across at -O2: 2 ops in 1 kernel
// kernel across_0: dot over [8192, 4]
//   tile      kind=mma,m=128,n=64,k=64,warps_m=4,warps_n=2,stages=4,group=8,blocks=2,vector=4,unroll=4,operand_unroll=4
// fn wider at -O2: 2 ops in 1 kernel
// kernel wider_0: dot over [8192, 16]
//   tile      kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// fn few_rows at -O2: 2 ops in 1 kernel
// kernel few_rows_0: dot over [512, 4]
//   tile      kind=mma,m=128,n=64,k=64,warps_m=4,warps_n=2,stages=4,group=8,blocks=2,vector=4,unroll=4,operand_unroll=4
// fn two at -O2: 4 ops in 1 kernel
// kernel two_0: dot over [8192, 8]
//   tile      kind=mma,m=64,n=32,k=64,warps_m=2,warps_n=2,stages=3,group=8,blocks=4,vector=8,unroll=4,operand_unroll=4
// fn words at -O2: 1 op in 1 kernel
// kernel words_0: dot over [8192, 4]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=1,unroll=4,operand_unroll=8
// fn two_words at -O2: 3 ops in 2 kernels
// kernel two_words_0: dot over [8192, 4]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=1,unroll=4,operand_unroll=8
// kernel two_words_1: dot over [8192, 4]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=1,unroll=4,operand_unroll=8
// fn sum_of_words at -O2: 3 ops in 2 kernels
// kernel sum_of_words_0: dot over [8192, 4]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=1,unroll=4,operand_unroll=8
// kernel sum_of_words_1: dot over [8192, 4]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=1,unroll=4,operand_unroll=8
// fn rows_of_words at -O2: 11 ops in 2 kernels
// kernel rows_of_words_0: dot over [8192, 4]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=1,unroll=4,operand_unroll=8
// kernel rows_of_words_1: row over [8192, 4] along 4
//   tile      kind=row,cluster=1,threads=256,row_threads=1,warp_columns=0,vector=4,keep=registers,unroll=4
// fn padded_words at -O2: 2 ops in 2 kernels
// kernel padded_words_0: dot over [2, 8192, 4]
//   tile      kind=fma,m=64,n=64,k=16,threads_m=16,threads_n=16,stages=2,blocks=2
// kernel padded_words_1: pointwise over [8192, 4]
//   tile      kind=pointwise,threads=256,vector=4,unroll=2
