// run: fusec %s --emit=graph --fn g -D width=4
// exit: 1
fn g[widht](x: f32[widht]) -> (y: f32[widht]) { y = 2 * x; }
fn f[width](x: f32[width]) -> (y: f32[width]) { y = x; }
// ---- expect
// fusec: error: dim width=4: 'g' has no dim of that name; did you mean 'widht'?
