// run: fusec %s --arch=sm_90a --tile threads=500
// exit: 1
// run: fusec %s --arch=sm_90a --tile split=20
// exit: 1
// run: fusec %s --arch=sm_90a --tile threads=128,split=8
// exit: 1
// run: fusec explain %s --arch=sm_90a --tile threads=345,split=15 > explained
// run: grep tile explained
// A block has all columns side by side, or a power of 2 of threads.
fn column(x: f32[1000, 23]) -> (y: f32[23]) {
    y = sum(x, axis = 0);
}
// ---- expect
// fusec: error: kernel 'column_0' cannot have the tile threads=500: threads must be 1012 (23 for each of split=44) or a power of 2 from 32 to 1024, not 500
// fusec: note: without --tile it has kind=column,threads=1012,split=44,vector=1,keep=nothing,unroll=4
// fusec: error: kernel 'column_0' cannot have the tile split=20: threads must be 460 (23 for each of split=20) or a power of 2 from 32 to 1024, not 1012
// fusec: note: without --tile it has kind=column,threads=1012,split=44,vector=1,keep=nothing,unroll=4
// fusec: error: kernel 'column_0' cannot have the tile threads=128,split=8: split must be a power of 2 from 1 to 4, not 8
// fusec: note: without --tile it has kind=column,threads=1012,split=44,vector=1,keep=nothing,unroll=4
//   tile      kind=column,threads=345,split=15,vector=1,keep=nothing,unroll=4
