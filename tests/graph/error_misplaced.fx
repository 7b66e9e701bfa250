// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N], z: f32[N], w: f32[N]) {
    y = [1, 2];
    z = x + relu("x");
    w = exp([x]);
}
// ---- expect
// error_misplaced.fx:4:9: error: a list is allowed only after 'axis =': a tensor of numbers is an input
//       y = [1, 2];
//           ^~~~~~
// error_misplaced.fx:5:18: error: a string is allowed only as the first argument of 'einsum'
//       z = x + relu("x");
//                    ^~~
// error_misplaced.fx:6:13: error: a list is allowed only after 'axis =': a tensor of numbers is an input
//       w = exp([x]);
//               ^~~
