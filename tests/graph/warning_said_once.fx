// run: fusec %s -Wgrad -o /dev/null
// Six sweeps go through the floor.
fn f[N](x: f32[N]) -> (y: f32) { y = sum(exp(floor(x))); }
fn fwd, bwd = train(f);
fn g = vjp(f);
fn h = jvp(f);
// ---- expect
// warning_said_once.fx:3:46: warning: 'floor' has no derivative: the cotangent is zero here
//   fn f[N](x: f32[N]) -> (y: f32) { y = sum(exp(floor(x))); }
//                                                ^~~~~~~~
