// run: fusec %s --emit=graph
// exit: 1
@one_kernal fn a[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@strict @strict fn b[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@strict(1) fn c[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@max_kernels fn d[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@max_kernels(0) fn e[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@max_kernels(two) fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@one_kernel @max_kernels(3) fn g[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@autocast(fp16) fn h[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@autocast(i8) fn i[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@autocast(16) fn j[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@precision(tf16) fn k[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@precision(1) fn l[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@nondeterministic(1) fn m[N](x: f32[N]) -> (y: f32[N]) { y = x; }
// ---- expect
// error_attributes.fx:3:2: error: no attribute is called 'one_kernal'; did you mean 'one_kernel'?
//   @one_kernal fn a[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//    ^~~~~~~~~~
// error_attributes.fx:4:9: error: '@strict' is given twice
//   @strict @strict fn b[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//           ^~~~~~~
// error_attributes.fx:4:1: note: it is given here
//   @strict @strict fn b[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//   ^~~~~~~
// error_attributes.fx:5:1: error: '@strict' takes no arguments, not 1
//   @strict(1) fn c[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//   ^~~~~~~~~~
// error_attributes.fx:6:1: error: '@max_kernels' takes one argument, not 0
//   @max_kernels fn d[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//   ^~~~~~~~~~~~
// error_attributes.fx:7:14: error: '@max_kernels' takes an integer from 1 to 20000
//   @max_kernels(0) fn e[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//                ^
// error_attributes.fx:8:14: error: '@max_kernels' takes an integer from 1 to 20000
//   @max_kernels(two) fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//                ^~~
// error_attributes.fx:9:13: error: the number of kernels is already bounded
//   @one_kernel @max_kernels(3) fn g[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//               ^~~~~~~~~~~~~~~
// error_attributes.fx:9:1: note: it is bounded here
//   @one_kernel @max_kernels(3) fn g[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//   ^~~~~~~~~~~
// error_attributes.fx:10:11: error: no type is called 'fp16'; did you mean 'f16'?
//   @autocast(fp16) fn h[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//             ^~~~
// error_attributes.fx:11:11: error: '@autocast' takes a float type, and i8 is not one
//   @autocast(i8) fn i[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//             ^~
// error_attributes.fx:12:11: error: '@autocast' takes the name of a float type, such as bf16
//   @autocast(16) fn j[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//             ^~
// error_attributes.fx:13:12: error: no precision is called 'tf16': there are ieee, tf32, tf32x3, bf16x3, bf16x6 and f8
//   @precision(tf16) fn k[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//              ^~~~
// error_attributes.fx:14:12: error: '@precision' takes the name of a precision: ieee, tf32, tf32x3, bf16x3, bf16x6 or f8
//   @precision(1) fn l[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//              ^
// error_attributes.fx:15:1: error: '@nondeterministic' takes no arguments, not 1
//   @nondeterministic(1) fn m[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//   ^~~~~~~~~~~~~~~~~~~~
