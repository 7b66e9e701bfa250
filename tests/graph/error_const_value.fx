// run: fusec %s --emit=graph
// exit: 1
const a = 1.5 as f32;
const b = true;
const c = iota(4);
const d = N;
const e = 7 / 2;
const f = sum(1, 2, 3, 4);
fn g[N](x: f32[N]) -> (y: f32[N]) { y = x * a; }
// ---- expect
// error_const_value.fx:3:11: error: a const is a number without a type, and this is f32
//   const a = 1.5 as f32;
//             ^~~~~~~~~~
// error_const_value.fx:4:11: error: a const is a number without a type, and this is bool
//   const b = true;
//             ^~~~
// error_const_value.fx:5:11: error: a const is a number without a type, and this is i32[4]
//   const c = iota(4);
//             ^~~~~~~
// error_const_value.fx:6:11: error: nothing is called 'N'
//   const d = N;
//             ^
// error_const_value.fx:7:11: error: 7 / 2 is not a whole number: integers and dims divide exactly, '7.0 / 2' is a fraction
//   const e = 7 / 2;
//             ^~~~~
// error_const_value.fx:8:24: error: 'sum' takes at most 3 arguments, and this is number 4
//   const f = sum(1, 2, 3, 4);
//                          ^
// error_const_value.fx:8:11: note: it is 'sum(x, axis = -1, keep = false)'
//   const f = sum(1, 2, 3, 4);
//             ^~~
