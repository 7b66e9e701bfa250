// run: fusec explain %s --arch=sm_90a > hopper
// run: grep tile hopper
// run: fusec explain %s --arch=sm_89 > ada
// run: grep tile ada
// A multiprocessor of Hopper holds four tiles of 64 x 128 at a time; that of Ada has shared memory for two. Of operands
// along k it holds two tiles of 128 x 128, too, which are faster then; of others, which take more stages, only one.
fn along(x: f32[2801, 551], w: f32[2791, 551]) -> (y: f32[2801, 2791]) {
    y = x @ w.T;
}
fn across(x: f32[2050, 1024], w: f32[1024, 2050]) -> (y: f32[2050, 2050]) {
    y = x @ w;
}
// ---- expect
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=16,stages=2,blocks=2
//   tile      kind=fma,m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=16,stages=2,blocks=2
//   tile      kind=fma,m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4
