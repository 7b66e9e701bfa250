// run: fusec %s --limit errors=3
// exit: 1
// What is wrong with both functions that train makes is one error, and counts as one.
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
fn fwd, bwd = train(missing);
fn forth, back = train(f, wrt = [missing]);
// ---- expect
// error_said_once.fx:5:21: error: the file has no function called 'missing'
//   fn fwd, bwd = train(missing);
//                       ^~~~~~~
// error_said_once.fx:6:34: error: f has no input called 'missing'
//   fn forth, back = train(f, wrt = [missing]);
//                                    ^~~~~~~
