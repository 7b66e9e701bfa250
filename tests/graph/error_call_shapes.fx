// run: fusec %s --emit=graph
// exit: 1
fn same[N](a: f32[N], b: f32[N]) -> (y: f32[N]) { y = a + b; }
fn four[D](a: f32[4*D]) -> (y: f32[4*D]) { y = a; }
fn more[D](a: f32[D + 4]) -> (y: f32[D]) { y = a[4:]; }
fn twice[D](a: f32[D + D]) -> (y: f32[D]) { y = a[:D]; }
fn fixed(a: f32[3, 3]) -> (y: f32[3, 3]) { y = a; }
fn f[N, M](x: f32[N], z: f32[M], t: f32[10], u: f32[3, 4]) -> (y: f32[N]) {
    a = same(x, z);
    b = four(t);
    c = more(t[:4]);
    d = twice(t);
    e = fixed(u);
    g = four(x, D = 3);
    y = x;
}
// ---- expect
// error_call_shapes.fx:9:17: error: the input 'b' of 'same' is f32[N] here, and this is f32[M]
//       a = same(x, z);
//                   ^
// error_call_shapes.fx:3:23: note: it is declared here
//   fn same[N](a: f32[N], b: f32[N]) -> (y: f32[N]) { y = a + b; }
//                         ^~~~~~~~~
// error_call_shapes.fx:10:14: error: the dims of 'four' have no values that make this size 10
//       b = four(t);
//                ^
// error_call_shapes.fx:4:19: note: the size is declared here
//   fn four[D](a: f32[4*D]) -> (y: f32[4*D]) { y = a; }
//                     ^~~
// error_call_shapes.fx:11:14: error: the dims of 'more' have no values that make this size 4
//       c = more(t[:4]);
//                ^~~~~
// error_call_shapes.fx:5:19: note: the size is declared here
//   fn more[D](a: f32[D + 4]) -> (y: f32[D]) { y = a[4:]; }
//                     ^~~~~
// error_call_shapes.fx:12:9: error: the dim 'D' of 'twice' does not follow from the arguments: pass it as 'D = ..'
//       d = twice(t);
//           ^~~~~~~~
// error_call_shapes.fx:6:10: note: it is declared here
//   fn twice[D](a: f32[D + D]) -> (y: f32[D]) { y = a[:D]; }
//            ^
// error_call_shapes.fx:13:15: error: the input 'a' of 'fixed' is f32[3, 3] here, and this is f32[3, 4]
//       e = fixed(u);
//                 ^
// error_call_shapes.fx:7:10: note: it is declared here
//   fn fixed(a: f32[3, 3]) -> (y: f32[3, 3]) { y = a; }
//            ^~~~~~~~~~~~
// error_call_shapes.fx:14:14: error: the input 'a' of 'four' is f32[12] here, and this is f32[N]
//       g = four(x, D = 3);
//                ^
// error_call_shapes.fx:4:12: note: it is declared here
//   fn four[D](a: f32[4*D]) -> (y: f32[4*D]) { y = a; }
//              ^~~~~~~~~~~
