// run: fusec missing.fx
// exit: 3
// run: fusec missing/missing.fx --emit=ast
// exit: 3
// run: fusec %s -o missing/x.json
// exit: 3
// run: fusec .
// exit: 3
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// fusec: error: open missing.fx: No such file or directory
// fusec: error: open missing/missing.fx: No such file or directory
// fusec: error: open missing/x.json: No such file or directory
// fusec: error: .: is a directory
