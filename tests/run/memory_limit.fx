// run: fusec %s --emit=graph --limit memory_bytes=30000
// exit: 3
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// fusec: error: out of memory (limit memory_bytes)
