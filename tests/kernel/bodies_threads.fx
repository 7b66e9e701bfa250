// run: fusec %s -o t.cu
// run: grep __launch_bounds__ t.cu
// kernels: 1
// Bodies share their blocks: a transposition of few columns has fewer threads by itself than a tile of the
// other body can have.
fn f[N](x: bf16[N, 8]) -> (t: bf16[8, N], row: bf16[8]) {
    t = x.T;
    row = take(x, 0, axis = 0);
}
// ---- expect
// extern "C" __global__ __launch_bounds__(256)
