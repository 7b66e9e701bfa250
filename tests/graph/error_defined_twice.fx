// run: fusec %s --emit=graph
// exit: 1
const f = 1;
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
fn g[N](x: f32[N]) -> (y: f32[N]) { y = x; }
const g = 2;
fn softmax[N](x: f32[N]) -> (y: f32[N]) { y = x; }
fn add[N](x: f32[N]) -> (y: f32[N]) { y = x; }
// ---- expect
// error_defined_twice.fx:4:4: error: 'f' is already defined
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//      ^
// error_defined_twice.fx:3:7: note: it is defined here
//   const f = 1;
//         ^
// error_defined_twice.fx:6:7: error: 'g' is already defined
//   const g = 2;
//         ^
// error_defined_twice.fx:5:4: note: it is defined here
//   fn g[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//      ^
// error_defined_twice.fx:7:4: error: 'softmax' is a function of the language: choose another name
//   fn softmax[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//      ^~~~~~~
// error_defined_twice.fx:8:4: error: 'add' is a function of the language: choose another name
//   fn add[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//      ^~~
