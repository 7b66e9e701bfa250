// One or two rows, by C: rows of bf16 weights that start within cache lines are read four at a time, whole
// lines eight.
// run: fusec explain %s --target=c > %t.tiles
// run: grep -E "^kernel|tile " %t.tiles
// run: fusec run %s --fn within --check > checks
fn within(x: bf16[2, 200], w: bf16[301, 200]) -> (y: bf16[2, 301]) { y = x @ w.T; }
fn lines(x: bf16[1, 2592], w: bf16[9000, 2592]) -> (y: bf16[1, 9000]) { y = x @ w.T; }
fn singles(x: f32[1, 2601], w: f32[9000, 2601]) -> (y: f32[1, 9000]) { y = x @ w.T; }
// ---- expect
// kernel within_0: dot over [2, 301]
//   tile      kind=gemv,n=4096,k=8,block=0,rows=4,parallel=100000
// kernel lines_0: dot over [9000]
//   tile      kind=gemv,n=4096,k=8,block=0,rows=8,parallel=100000
// kernel singles_0: dot over [9000]
//   tile      kind=gemv,n=4096,k=8,block=0,rows=8,parallel=100000
// fusec: remark: random inputs, seed 0: x, w
