// run: fusec %s --emit=graph
// exit: 1
fn broken[N](x: f32[N]) -> (y: f32[N]) { y = x + missing; }
fn user[N](x: f32[N]) -> (y: f32[N]) { y = broken(x) + broken(x); }
fn another[N](x: f32[N]) -> (y: f32[N]) {
    a = broken(x);
    b = a + a @ a;
    y = b;
}
// ---- expect
// error_once_only.fx:3:50: error: nothing is called 'missing'
//   fn broken[N](x: f32[N]) -> (y: f32[N]) { y = x + missing; }
//                                                    ^~~~~~~
