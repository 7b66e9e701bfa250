// run: fusec %s --emit=graph --limit errors=40
// exit: 1
const eps = 1e-5;
fn f[N](x: f32[N], k: i32[N]) -> (y: f32[N]) { y = x * (k as f32); }
fn scalar[N](x: f32[N]) -> (l: f32) { l = sum(x); }
fn whole[N](k: i32[N]) -> (l: i32) { l = sum(k); }
fn a = train(f);
fn a1, a2 = vjp(f);
fn fwd, bwd = train(f);
@memory_budget(2) fn much, much_bwd = train(f);
@memory_budget(0.5) fn part = vjp(f);
fn of_fwd = vjp(fwd);
fn calls[N](x: f32[N], k: i32[N]) -> (y: f32[N]) { y = fwd(x, k); }
fn b = gradient(f);
fn c = vjp();
fn d = vjp(1);
fn e = vjp(nothing);
fn g = vjp(eps);
fn h = grad(f);
fn i = vjp(whole);
fn j = vjp(f, wrt = [x, x]);
fn k = vjp(f, wrt = [k]);
fn l = vjp(f, wrt = [z]);
fn m = vjp(f, wrt = []);
fn n = vjp(f, wrt = 1);
fn o = vjp(f, x);
fn two[N](x: f32[N], w: f32[N]) -> (y: f32[N]) { y = x * w; }
fn swapped = vjp(two, wrt = [w, x]);
fn p = vjp(q);
fn q = vjp(p);
fn r = grad(grad(scalar));
fn s = vjp(exp);
@vjp(nowhere) fn t[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@vjp(1) fn u[N](x: f32[N]) -> (y: f32[N]) { y = x; }
// ---- expect
// error_derived.fx:7:8: error: 'train' gives two functions: 'fn a, a_bwd = train(..);'
//   fn a = train(f);
//          ^~~~~~~~
// error_derived.fx:8:8: error: 'vjp' gives one function
//   fn a1, a2 = vjp(f);
//          ^~
// error_derived.fx:12:13: error: 'fwd' is made by 'train': derive from what it is made of
//   fn of_fwd = vjp(fwd);
//               ^~~~~~~~
// error_derived.fx:14:8: error: functions are derived by vjp, grad, value_and_grad, jvp and train, not by 'gradient'
//   fn b = gradient(f);
//          ^~~~~~~~
// error_derived.fx:15:8: error: 'vjp' takes a function, as in 'vjp(f)'
//   fn c = vjp();
//          ^~~~~
// error_derived.fx:16:12: error: 'vjp' takes a function, as in 'vjp(f)'
//   fn d = vjp(1);
//              ^
// error_derived.fx:17:12: error: the file has no function called 'nothing'
//   fn e = vjp(nothing);
//              ^~~~~~~
// error_derived.fx:18:12: error: the file has no function called 'eps'
//   fn g = vjp(eps);
//              ^~~
// error_derived.fx:19:8: error: 'grad' takes a function with one output, a floating-point scalar; 'vjp' takes any
//   fn h = grad(f);
//          ^~~~~~~
// error_derived.fx:4:35: note: the outputs are declared here
//   fn f[N](x: f32[N], k: i32[N]) -> (y: f32[N]) { y = x * (k as f32); }
//                                     ^~~~~~~~~
// error_derived.fx:20:8: error: whole has no floating-point input
//   fn i = vjp(whole);
//          ^~~~~~~~~~
// error_derived.fx:21:25: error: the input 'x' is named twice
//   fn j = vjp(f, wrt = [x, x]);
//                           ^
// error_derived.fx:22:22: error: 'k' is i32: only floats have a derivative
//   fn k = vjp(f, wrt = [k]);
//                        ^
// error_derived.fx:4:20: note: it is declared here
//   fn f[N](x: f32[N], k: i32[N]) -> (y: f32[N]) { y = x * (k as f32); }
//                      ^~~~~~~~~
// error_derived.fx:23:22: error: f has no input called 'z'
//   fn l = vjp(f, wrt = [z]);
//                        ^
// error_derived.fx:24:21: error: the list of inputs is empty
//   fn m = vjp(f, wrt = []);
//                       ^~
// error_derived.fx:25:21: error: 'wrt' takes names of inputs
//   fn n = vjp(f, wrt = 1);
//                       ^
// error_derived.fx:26:15: error: 'vjp' takes a function and 'wrt', as in 'vjp(f, wrt = [x])'
//   fn o = vjp(f, x);
//                 ^
// error_derived.fx:28:33: error: the results are in the order of the inputs: 'x' comes before 'w'
//   fn swapped = vjp(two, wrt = [w, x]);
//                                   ^
// error_derived.fx:30:8: error: 'p' is derived from itself
//   fn q = vjp(p);
//          ^~~~~~
// error_derived.fx:31:8: error: 'grad' takes a function with one output, a floating-point scalar; 'vjp' takes any
//   fn r = grad(grad(scalar));
//          ^~~~~~~~~~~~~~~~~~
// error_derived.fx:31:13: note: the outputs are declared here
//   fn r = grad(grad(scalar));
//               ^~~~~~~~~~~~
// error_derived.fx:32:12: error: the file has no function called 'exp'
//   fn s = vjp(exp);
//              ^~~
// error_derived.fx:33:6: error: the file has no function called 'nowhere'
//   @vjp(nowhere) fn t[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//        ^~~~~~~
// error_derived.fx:13:56: error: 'fwd' is made by 'train' and only called from outside: what it keeps is not known here
//   fn calls[N](x: f32[N], k: i32[N]) -> (y: f32[N]) { y = fwd(x, k); }
//                                                          ^~~~~~~~~
// error_derived.fx:10:16: error: '@memory_budget' takes a number above 0, at most 1
//   @memory_budget(2) fn much, much_bwd = train(f);
//                  ^
// error_derived.fx:11:1: error: '@memory_budget' is for functions that 'train' makes
//   @memory_budget(0.5) fn part = vjp(f);
//   ^~~~~~~~~~~~~~~~~~~
// error_derived.fx:34:6: error: '@vjp' takes the name of the function that is its backward
//   @vjp(1) fn u[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//        ^
