// Short columns have as few threads as fill the multiprocessors, and keep them; blocks of few columns side by side have
// several elements of each thread; running sums have two threads of a column, or a few elements of each thread of a row.
// run: fusec explain %s --arch=sm_90a --machine=H200 --target=cuda > all
// run: grep -E "^kernel|tile" all
fn pairs(x: bf16[4, 123697, 90]) -> (y: f32[123697, 90]) { y = var(x, axis = 0); }
fn online(x: bf16[164398, 14, 16]) -> (y: f32[164398, 16]) { y = logsumexp(x, axis = 1) as f32; }
fn kept(x: bf16[1421, 67, 516]) -> (y: bf16[1421, 67, 516]) { y = (x - mean(x, axis = 1, keep = true)) as bf16; }
fn scattered(x: bf16[892832, 11, 2]) -> (y: bf16[892832, 11, 2]) { y = softmax(x, axis = 1) as bf16; }
fn few(x: f32[2, 121, 5720]) -> (y: f32[2, 5720]) { y = sum(x, axis = 1); }
fn block(x: bf16[10214, 803, 3]) -> (y: f32[10214, 3]) { y = mean(x * x, axis = 1) as f32; }
fn block_kept(x: f32[5493, 890, 2]) -> (y: f32[5493, 890, 2]) { y = x - mean(x, axis = 1, keep = true); }
fn not_block(x: f16[136402, 26, 10]) -> (y: f32[136402, 10]) { y = mean(x * x, axis = 1) as f32; }
fn down(x: bf16[1992, 9755]) -> (y: f32[1992, 9755]) { y = cumsum(x, axis = 0); }
fn down_many(x: f32[20, 300, 5001]) -> (y: f32[20, 300, 5001]) { y = cumsum(x, axis = 1); }
fn down_narrow(x: bf16[703, 124, 623]) -> (y: f32[703, 124, 623]) { y = cumsum(x, axis = 1); }
fn along(x: f32[690925, 21]) -> (y: f32[690925, 21]) { y = cumsum(x, axis = 1); }
fn along_packs(x: f32[300000, 100]) -> (y: f32[300000, 100]) { y = cumsum(x, axis = 1); }
// ---- expect
// kernel pairs_0: row over [4, 123697, 90] along 4
//   tile      kind=column,threads=256,split=1,vector=2,keep=registers,unroll=4
// kernel online_0: row over [164398, 14, 16] along 14
//   tile      kind=column,threads=256,split=1,vector=1,keep=registers,unroll=8
// kernel kept_0: row over [1421, 67, 516] along 67
//   tile      kind=column,threads=128,split=4,vector=1,keep=registers,unroll=8
// kernel scattered_0: row over [892832, 11, 2] along 11
//   tile      kind=column,threads=128,split=4,vector=1,keep=registers,unroll=4
// kernel few_0: row over [2, 121, 5720] along 121
//   tile      kind=column,threads=512,split=16,vector=1,keep=nothing,unroll=4
// kernel block_0: row over [10214, 803, 3] along 803
//   tile      kind=column,threads=150,split=50,vector=1,keep=nothing,unroll=8
// kernel block_kept_0: row over [5493, 890, 2] along 890
//   tile      kind=column,threads=112,split=56,vector=1,keep=registers,unroll=4
// kernel not_block_0: row over [136402, 26, 10] along 26
//   tile      kind=column,threads=256,split=1,vector=2,keep=nothing,unroll=16
// kernel down_0: row over [1992, 9755] along 1992
//   tile      kind=column,threads=512,split=16,vector=1,keep=nothing,unroll=8
// kernel down_many_0: row over [20, 300, 5001] along 300
//   tile      kind=column,threads=128,split=2,vector=1,keep=nothing,unroll=8
// kernel down_narrow_0: row over [703, 124, 623] along 124
//   tile      kind=column,threads=512,split=4,vector=1,keep=nothing,unroll=8
// kernel along_0: row over [690925, 21] along 21
//   tile      kind=row,cluster=1,threads=128,row_threads=4,warp_columns=0,vector=1,keep=registers,unroll=16
// kernel along_packs_0: row over [300000, 100] along 100
//   tile      kind=row,cluster=1,threads=128,row_threads=16,warp_columns=0,vector=4,keep=registers,unroll=4
