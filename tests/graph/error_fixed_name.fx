// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) {
    inf = max(x);
    y = x - inf;
}
fn g[true](x: f32[true]) -> (nan: f32[true]) {
    nan = x;
}
const false = 0;
fn inf[N](x: f32[N]) -> (y: f32[N]) { y = x; }
fn h[_](x: f32[4], _: f32) -> (y: f32[4], _: f32) {
    _ = x;
    y = x + _;
}
// ---- expect
// error_fixed_name.fx:10:7: error: 'false' has a fixed meaning and cannot be redefined
//   const false = 0;
//         ^~~~~
// error_fixed_name.fx:11:4: error: 'inf' has a fixed meaning and cannot be redefined
//   fn inf[N](x: f32[N]) -> (y: f32[N]) { y = x; }
//      ^~~
// error_fixed_name.fx:4:5: error: 'inf' has a fixed meaning and cannot be redefined
//       inf = max(x);
//       ^~~
// error_fixed_name.fx:7:6: error: 'true' has a fixed meaning and cannot be redefined
//   fn g[true](x: f32[true]) -> (nan: f32[true]) {
//        ^~~~
// error_fixed_name.fx:7:19: error: this is bool, and a size is needed: an integer, a dim, or a formula of them with '+ - * / %'
//   fn g[true](x: f32[true]) -> (nan: f32[true]) {
//                     ^~~~
// error_fixed_name.fx:7:39: error: this is bool, and a size is needed: an integer, a dim, or a formula of them with '+ - * / %'
//   fn g[true](x: f32[true]) -> (nan: f32[true]) {
//                                         ^~~~
// error_fixed_name.fx:7:30: error: 'nan' has a fixed meaning and cannot be redefined
//   fn g[true](x: f32[true]) -> (nan: f32[true]) {
//                                ^~~
// error_fixed_name.fx:8:5: error: 'nan' has a fixed meaning and cannot be redefined
//       nan = x;
//       ^~~
// error_fixed_name.fx:12:6: error: '_' is not a name: it only drops results
//   fn h[_](x: f32[4], _: f32) -> (y: f32[4], _: f32) {
//        ^
// error_fixed_name.fx:12:20: error: '_' is not a name: it only drops results
//   fn h[_](x: f32[4], _: f32) -> (y: f32[4], _: f32) {
//                      ^
// error_fixed_name.fx:12:43: error: '_' is not a name: it only drops results
//   fn h[_](x: f32[4], _: f32) -> (y: f32[4], _: f32) {
//                                             ^
// error_fixed_name.fx:14:13: error: nothing is called '_'
//       y = x + _;
//               ^
