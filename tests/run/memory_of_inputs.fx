// Inputs and outputs that no machine has room for are refused before one is made.
// run: fusec run %s -D N=1000000 -D M=1000000
// exit: 3
fn large[N, M](x: f32[N, M]) -> (y: f32[N]) {
    y = sum(x, axis = 1);
}
// ---- expect
// fusec: error: inputs and outputs of large take 3725.3 GiB, more than this machine has
