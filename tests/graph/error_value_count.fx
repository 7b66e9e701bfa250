// run: fusec %s --emit=graph
// exit: 1
fn pair[N](x: f32[N]) -> (a: f32[N], b: f32[N]) { a = x; b = -x; }
fn f[N](x: f32[4*N]) -> (y: f32[N], z: f32[4*N]) {
    a, b, c = split(x, 4);
    d, e = x + 1;
    g = pair(x);
    y = a + split(x, 4);
    z = pair(x) + d + g;
}
// ---- expect
// error_value_count.fx:5:5: error: 3 names for 4 values
//       a, b, c = split(x, 4);
//       ^~~~~~~~~~~~~~~~~~~~~~
// error_value_count.fx:6:5: error: 2 names for 1 value
//       d, e = x + 1;
//       ^~~~~~~~~~~~~
// error_value_count.fx:7:5: error: 1 name for 2 values
//       g = pair(x);
//       ^~~~~~~~~~~~
// error_value_count.fx:8:13: error: this gives 4 values, and one is needed: name them first, as in 'a, b = ..;'
//       y = a + split(x, 4);
//               ^~~~~~~~~~~
// error_value_count.fx:9:9: error: this gives 2 values, and one is needed: name them first, as in 'a, b = ..;'
//       z = pair(x) + d + g;
//           ^~~~~~~
