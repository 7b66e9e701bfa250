// What @consume does not take.
// run: fusec %s
// exit: 1
@consume fn none(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
@consume(z) fn unknown(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
@consume(x, x) fn twice(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
@consume(1) fn number(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
@constant(x) @consume(x) fn both(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
fn f(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
@consume(x) fn fwd, bwd = train(f);
@consume fn back = vjp(f);
// ---- expect
// error_consume.fx:4:1: error: '@consume' takes the names of inputs
//   @consume fn none(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
//   ^~~~~~~~
// error_consume.fx:5:10: error: unknown has no input called 'z'
//   @consume(z) fn unknown(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
//            ^
// error_consume.fx:6:13: error: the input 'x' is named twice
//   @consume(x, x) fn twice(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
//               ^
// error_consume.fx:6:10: note: it is named here
//   @consume(x, x) fn twice(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
//            ^
// error_consume.fx:7:10: error: '@consume' takes names of inputs
//   @consume(1) fn number(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
//            ^
// error_consume.fx:8:34: error: 'x' is constant, and cannot be consumed
//   @constant(x) @consume(x) fn both(x: f32[4]) -> (y: f32[4]) { y = exp(x); }
//                                    ^~~~~~~~~
// error_consume.fx:10:1: error: '@consume' before functions of 'train' takes no names: the backward function consumes what is kept
//   @consume(x) fn fwd, bwd = train(f);
//   ^~~~~~~~~~~
// error_consume.fx:11:1: error: '@consume' takes the names of inputs
//   @consume fn back = vjp(f);
//   ^~~~~~~~
