// run: fusec %s --emit=graph
// exit: 1
const a = 2 * b;
const b = 1.5;
const c = c;
const d = a + 1;
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x * d; }
// ---- expect
// error_const_order.fx:3:15: error: a const can use only those above it, and 'b' is below
//   const a = 2 * b;
//                 ^
// error_const_order.fx:4:7: note: it is defined here
//   const b = 1.5;
//         ^
// error_const_order.fx:5:11: error: a const can use only those above it, and 'c' is below
//   const c = c;
//             ^
// error_const_order.fx:5:7: note: it is defined here
//   const c = c;
//         ^
