// run: fusec %s --emit=graph --limit depth=6
// exit: 1
fn a[N](x: f32[N]) -> (y: f32[N]) { y = x + (x + (x + x)); }
fn b[N](x: f32[N]) -> (y: f32[N]) { y = x + (x + a(x)); }
// ---- expect
// error_expression_depth.fx:3:51: error: expressions nest more than 6 deep, through calls ('--limit depth=N' changes this)
//   fn a[N](x: f32[N]) -> (y: f32[N]) { y = x + (x + (x + x)); }
//                                                     ^
// error_expression_depth.fx:3:55: error: expressions nest more than 6 deep, through calls ('--limit depth=N' changes this)
//   fn a[N](x: f32[N]) -> (y: f32[N]) { y = x + (x + (x + x)); }
//                                                         ^
// error_expression_depth.fx:4:50: note: in this call of 'a'
//   fn b[N](x: f32[N]) -> (y: f32[N]) { y = x + (x + a(x)); }
//                                                    ^~~~
