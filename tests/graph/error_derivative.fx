// needs: imported.h
// run: fusec %s --emit=graph
// exit: 1
// What only shows when a derived function is made.
import "imported.h";
fn taken[N](x: f32[N], dy: f32[N]) -> (y: f32[N]) { y = x * dy; }
fn a = vjp(taken);
fn rows[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) { y = x * w; }
fn narrow[N, D](x: f32[N, D], w: f32[D], dy: f32[N, D]) -> (dx: f32[N, D], dw: f32[N]) {
    dx = dy * w;
    dw = sum(dy * x, axis = 1);
}
@vjp(narrow) fn by_hand[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) { y = x * w; }
fn few[N, D](x: f32[N, D], w: f32[D], dy: f32[N, D]) -> (dx: f32[N, D]) { dx = dy * w + x; }
@vjp(few) fn by_few[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) { y = x * w; }
fn fewer[N, D](x: f32[N, D], w: f32[D]) -> (dx: f32[N, D], dw: f32[D]) { dx = x * w; dw = w; }
@vjp(fewer) fn by_fewer[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) { y = x * w; }
fn own_bwd[N](x: f32[N], dy: f32[N]) -> (dx: f32[N]) { dx = own_vjp(x, dy); }
@vjp(own_bwd) fn own[N](x: f32[N]) -> (y: f32[N]) { y = x; }
fn own_vjp = vjp(own);
fn calls[N](x: f32[N]) -> (y: f32[N]) { y = scale(x, 2); }
fn d = vjp(calls);
// ---- expect
// error_derivative.fx:13:6: error: the output 'dw' is f32[D], and the value is f32[N]
//   @vjp(narrow) fn by_hand[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) { y = x * w; }
//        ^~~~~~
// error_derivative.fx:13:6: note: it is declared here
//   @vjp(narrow) fn by_hand[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) { y = x * w; }
//        ^~~~~~
// error_derivative.fx:15:6: error: 2 names for 1 value
//   @vjp(few) fn by_few[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) { y = x * w; }
//        ^~~
// error_derivative.fx:17:6: error: 'fewer' takes 2 inputs, and this is number 3
//   @vjp(fewer) fn by_fewer[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) { y = x * w; }
//        ^~~~~
// error_derivative.fx:16:4: note: 'fewer' is defined here
//   fn fewer[N, D](x: f32[N, D], w: f32[D]) -> (dx: f32[N, D], dw: f32[D]) { dx = x * w; dw = w; }
//      ^~~~~
// error_derivative.fx:19:18: error: 'own' is needed for its own derivative
//   @vjp(own_bwd) fn own[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//                    ^~~
// error_derivative.fx:20:14: note: for this 'vjp'
//   fn own_vjp = vjp(own);
//                ^~~~~~~~
// error_derivative.fx:18:61: note: in this call of 'own_vjp'
//   fn own_bwd[N](x: f32[N], dy: f32[N]) -> (dx: f32[N]) { dx = own_vjp(x, dy); }
//                                                               ^~~~~~~~~~~~~~
// error_derivative.fx:19:6: note: in this call of 'own_bwd'
//   @vjp(own_bwd) fn own[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//        ^~~~~~~
// error_derivative.fx:20:14: note: for this 'vjp'
//   fn own_vjp = vjp(own);
//                ^~~~~~~~
// error_derivative.fx:7:8: error: 'dy' is already an input: names are defined once
//   fn a = vjp(taken);
//          ^~~~~~~~~~
// error_derivative.fx:6:24: note: it is defined here
//   fn taken[N](x: f32[N], dy: f32[N]) -> (y: f32[N]) { y = x * dy; }
//                          ^~
// error_derivative.fx:21:45: error: 'scale' is imported, and its derivative is not known: call it in a function with '@vjp(..)', which says the derivative
//   fn calls[N](x: f32[N]) -> (y: f32[N]) { y = scale(x, 2); }
//                                               ^~~~~~~~~~~
// imported.h:2:21: note: it is defined here
//   static inline float scale(float x, int n) { return x * n; }
//                       ^~~~~
// error_derivative.fx:22:8: note: for this 'vjp'
//   fn d = vjp(calls);
//          ^~~~~~~~~~
