// run: fusec %s --emit=ast
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) {
    y = sin(x * math.pi);
}
// ---- expect
// foreign_values.fx:4:17: error: there are no modules: write 'const pi = 3.141592653589793;'
//       y = sin(x * math.pi);
//                   ^~~~
