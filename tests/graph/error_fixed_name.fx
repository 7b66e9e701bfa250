// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) {
    inf = max(x);
    y = x - inf;
}
fn g[true](x: f32[true]) -> (nan: f32[true]) {
    nan = x;
}
// ---- expect
// error_fixed_name.fx:4:5: error: 'inf' has a fixed meaning and cannot be given another
//       inf = max(x);
//       ^~~
// error_fixed_name.fx:7:6: error: 'true' has a fixed meaning and cannot be given another
//   fn g[true](x: f32[true]) -> (nan: f32[true]) {
//        ^~~~
// error_fixed_name.fx:7:19: error: this is bool, and a size is needed: an integer, a dim, or what '+ - * / %' make of them
//   fn g[true](x: f32[true]) -> (nan: f32[true]) {
//                     ^~~~
// error_fixed_name.fx:7:39: error: this is bool, and a size is needed: an integer, a dim, or what '+ - * / %' make of them
//   fn g[true](x: f32[true]) -> (nan: f32[true]) {
//                                         ^~~~
// error_fixed_name.fx:7:30: error: 'nan' has a fixed meaning and cannot be given another
//   fn g[true](x: f32[true]) -> (nan: f32[true]) {
//                                ^~~
// error_fixed_name.fx:8:5: error: 'nan' has a fixed meaning and cannot be given another
//       nan = x;
//       ^~~
