// run: fusec %s --emit=graph
// exit: 1
fn normalise[N](x: f32[N]) -> (y: f32[N]) { y = x; }
fn f[N](x: f32[N]) -> (a: f32[N], b: f32[N], c: f32[N], d: f32[N], e: f32[N]) {
    a = sofmtax(x);
    b = normalize(x);
    c = f32(x);
    d = x(1);
    e = convolve(x, x);
}
// ---- expect
// error_unknown_function.fx:5:9: error: no function is called 'sofmtax'; did you mean 'softmax'?
//       a = sofmtax(x);
//           ^~~~~~~
// error_unknown_function.fx:6:9: error: no function is called 'normalize'; did you mean 'normalise'?
//       b = normalize(x);
//           ^~~~~~~~~
// error_unknown_function.fx:7:9: error: 'as' converts types: write '.. as f32'
//       c = f32(x);
//           ^~~
// error_unknown_function.fx:8:9: error: 'x' is a value and cannot be called
//       d = x(1);
//           ^
// error_unknown_function.fx:9:9: error: no function is called 'convolve': write it as a sum of slices (docs/idioms.md)
//       e = convolve(x, x);
//           ^~~~~~~~
