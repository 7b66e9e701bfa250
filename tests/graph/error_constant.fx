// run: fusec %s --emit=graph
// exit: 1
@constant(w, gian) fn a[N](x: f32[N], w: f32[N], gain: f32[N]) -> (y: f32[N]) { y = x * w * gain; }
@constant(w, N) fn b[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
@constant(y) fn c[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@constant(w, x, w) fn d[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
@constant(w, 3, w * 2) fn e[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
@constant fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@constant(w) @constant(x) fn g[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
// ---- expect
// error_constant.fx:3:14: error: a has no input called 'gian'; did you mean 'gain'?
//   @constant(w, gian) fn a[N](x: f32[N], w: f32[N], gain: f32[N]) -> (y: f32[N]) { y = x * w * gain; }
//                ^~~~
// error_constant.fx:4:14: error: b has no input called 'N'
//   @constant(w, N) fn b[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
//                ^
// error_constant.fx:5:11: error: c has no input called 'y'
//   @constant(y) fn c[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//             ^
// error_constant.fx:6:17: error: the input 'w' is named twice
//   @constant(w, x, w) fn d[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
//                   ^
// error_constant.fx:6:11: note: it is named here
//   @constant(w, x, w) fn d[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
//             ^
// error_constant.fx:7:14: error: '@constant' takes names of inputs
//   @constant(w, 3, w * 2) fn e[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
//                ^
// error_constant.fx:7:17: error: '@constant' takes names of inputs
//   @constant(w, 3, w * 2) fn e[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
//                   ^~~~~
// error_constant.fx:8:1: error: '@constant' takes at least one argument, not 0
//   @constant fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//   ^~~~~~~~~
// error_constant.fx:9:14: error: '@constant' is given twice
//   @constant(w) @constant(x) fn g[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
//                ^~~~~~~~~~~~
// error_constant.fx:9:1: note: it is given here
//   @constant(w) @constant(x) fn g[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
//   ^~~~~~~~~~~~
