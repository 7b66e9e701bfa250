// run: fusec %s --emit=graph --fn sofmax
// exit: 1
fn softmax1[N](x: f32[N]) -> (y: f32[N]) { y = 2 * x; }
// ---- expect
// fusec: error: --fn sofmax: the file has no function of that name; did you mean 'softmax1'?
